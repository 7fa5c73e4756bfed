"""What is measured offline is the code that crawls: live and offline, the same pages are fetched in the same order."""

from __future__ import annotations

import random

import pytest

from focused.crawl.events import Failed, PageArrived, Started
from focused.live.assemble import assemble
from focused.page.urls import Address, host_of
from focused.topic.topic import Topic, Traps
from tests.crawls.crawling import column, crawl, fetched
from tests.crawls.mock_web import MockWeb, page, serving

HOST = "http://a.example"
WORDS = ("solar energy", "solar panels", "wind energy", "football club", "cooking", "solar cell efficiency", "energy")


def random_web(seed: int, pages: int = 60) -> dict[str, object]:
    rng = random.Random(seed)
    answers = {}
    for number in range(pages):
        links = (str(rng.randrange(pages + 5)) for _ in range(8))
        answers[f"{HOST}/{number}"] = page(" ".join(rng.choices(WORDS, k=3)), *links)
    return answers


def offline(answers: dict[str, object], topic: Topic) -> list[str]:
    """The order in which the core alone takes the same pages."""
    reader, core = assemble(topic)
    core.apply(Started([Address(reader.rules.key(url), host_of(url), url) for url in topic.seeds]))
    texts = dict(enumerate(topic.seeds))
    order = []
    while (pick := core.next()) is not None:
        url = texts[pick.id]
        order.append(url)
        if url not in answers:
            core.apply(Failed(pick.id))
            continue
        page = reader.read(url, answers[url].body, "text/html")
        outcome = core.apply(PageArrived(pick.id, page, len(answers[url].body)))
        texts |= {new.id: new.url for new in outcome.new_urls}
    return order


@pytest.mark.parametrize("strategy", ["breadth_first", "best_first", "dom", "hub_seeking"])
def test_a_live_crawl_asks_for_pages_in_the_order_of_the_core(tmp_path, strategy):
    answers = random_web(seed=7)
    seeds = (f"{HOST}/0", f"{HOST}/9")
    topic = Topic(name="test", keywords=("solar energy",), seeds=seeds, strategy=strategy, traps=Traps(on=False))
    with serving(MockWeb(answers)) as web:
        assert crawl(web, tmp_path, topic.seeds, strategy=strategy).code == 0
    assert web.pages_asked() == offline(answers, topic)
    assert column(tmp_path, "SELECT url FROM history ORDER BY picked, seq")[0] == topic.seeds[0]


UNDER_WAY = """SELECT max(under_way) FROM (SELECT sum(change) OVER (ORDER BY seq) AS under_way FROM
    (SELECT seq, 1 AS change FROM picks UNION ALL SELECT seq, -1 FROM fetches))"""


def test_a_page_that_has_arrived_counts_as_under_way_until_its_links_are_known(tmp_path):
    hosts = [f"http://{number}.example/" for number in range(60)]
    answers = {host: page("solar energy " * 200, *hosts) for host in hosts}
    settings = ("CONCURRENT_REQUESTS=8", "ROBOTSTXT_OBEY=0")
    with serving(MockWeb(answers, latency=0.05)) as web:
        assert crawl(web, tmp_path, hosts[:8], settings=settings).code == 0
    assert len(fetched(tmp_path)) == len(hosts)
    assert column(tmp_path, UNDER_WAY) == [8]
