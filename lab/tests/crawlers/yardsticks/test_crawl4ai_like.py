"""As crawl4ai: words of the topic in the URL, then the depth, ten at a time."""

from __future__ import annotations

from dataclasses import replace

from lab.crawlers.yardstick import YardstickWorld
from lab.crawlers.yardsticks.crawl4ai_like import Crawl4aiLike
from tests.contract.crawlers import world_for
from tests.contract.world import make_page, visit_of
from tests.crawl.web import address, make_crawl, run
from tests.crawl.web import make_page as page_of

WORLD = YardstickWorld({}, words=("solar", "cell"))
URLS = ["http://b.example/", "http://b.example/Solar", "http://solar.example/cells", "http://b.example/%73olar"]


def test_the_score_is_the_share_of_words_in_the_url_whatever_the_anchor_says():
    visit = visit_of(make_page("http://a.example/", ("solar cell", URLS)))
    scores, parts = Crawl4aiLike(Crawl4aiLike.Options(), WORLD).score(visit)
    assert scores.round(5).tolist() == [0.0, 0.5, 1.0, 0.5]
    assert parts.tolist() == [[0.0, 1.0], [0.5, 1.0], [1.0, 1.0], [0.5, 1.0]]


def test_of_equal_shares_the_smaller_depth_comes_first():
    visit = visit_of(make_page("http://a.example/", ("", URLS)))
    near, _ = Crawl4aiLike(Crawl4aiLike.Options(), WORLD).score(visit)
    far, _ = Crawl4aiLike(Crawl4aiLike.Options(), WORLD).score(replace(visit, depth=7))
    assert (far < near).all()
    assert far[1] > near[0]  # but no depth outweighs a word


def test_ten_urls_are_taken_before_better_ones_are_looked_at():
    seed, plain = "http://seed.example/", [f"http://b.example/{number}" for number in range(12)]
    web = {seed: page_of(seed, "", [(url, "link") for url in plain])}
    web |= {url: page_of(url, "", []) for url in plain}
    web[plain[0]] = page_of(plain[0], "", [("http://solar.example/", "link")])
    crawl = make_crawl(None, Crawl4aiLike, world_for(Crawl4aiLike, keywords={"solar": 1}))
    crawl.start([address(seed)])
    assert run(crawl, web) == [seed, *plain[:10], "http://solar.example/", *plain[10:]]
