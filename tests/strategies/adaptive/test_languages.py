"""A topic in five languages, on a small web that is written in all of them: no language is preferred, and none is lost."""

from collections import defaultdict
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pytest

from focused import strategies
from focused.collection.snapshot import decode, encode
from focused.crawl.crawl import Crawl
from focused.crawl.events import PageArrived, Started
from focused.live.assemble import assemble
from focused.page.reader import Reader
from focused.topic.mistakes import Mistakes
from focused.topic.topic import Topic
from focused.topic.topic_tables import build_topic
from tests.texts_in_languages import KEYWORDS, OTHER, WIND

LANGUAGES = list(KEYWORDS)
PAGES = range(8)  #: of each language: 0 is the front page, 1 to 4 are about wind power


class Fetched(NamedTuple):
    url: str
    language: str
    relevant: bool
    relevance: float


def url_of(language: str, number: int) -> str:
    return f"http://{language}.example/{number}"


def is_about_wind(url: str) -> bool:
    return url[-1] in "1234"


def title(language: str, number: int) -> str:
    if is_about_wind(str(number)):
        return KEYWORDS[language][number % 3]
    return OTHER[language][number % 3][:30] if number else f"{language}.example"


def web(*, declared: bool) -> dict[str, str]:
    """Forty pages; those that are not about wind power link to one another."""
    pages = {}
    for language in LANGUAGES:
        for number in PAGES:
            about = is_about_wind(str(number))
            text = WIND[language][number % 2] if about else OTHER[language][number % 3] if number else ""
            targets = [(language, other) for other in PAGES if other and (not number or about or other > 4)]
            targets += [(other, 0) for other in LANGUAGES] if number == 0 else [(language, 0)]
            links = "".join(f'<p><a href="{url_of(*target)}">{title(*target)}</a></p>' for target in targets)
            spoken = f' lang="{language}"' if declared else ""
            pages[url_of(language, number)] = (
                f"<html{spoken}><title>{title(language, number)} {number}</title><p>{text}</p>{links}</html>"
            )
    return pages


def topic_of(**tables: Any) -> Topic:
    about = {"keywords": {code: list(words) for code, words in KEYWORDS.items()}, "seeds": [url_of("en", 0)]}
    given = {"topic": about, "traps": {"on": False}, "relevance": {"also": ["index", "listing", "stub"]}, **tables}
    return build_topic("wind", given, strategies, Mistakes())


def go_on(reader: Reader, crawl: Crawl, pages: dict[str, str], most: int = 100) -> list[Fetched]:
    urls = {reader.rules.address(url).key: url for url in pages}
    fetched: list[Fetched] = []
    while len(fetched) < most and (pick := crawl.next()) is not None:
        url = next(url for key, url in urls.items() if crawl.urls.find(key) == pick.id)
        page = reader.read(url, pages[url].encode(), "text/html; charset=utf-8")
        visit = crawl.apply(PageArrived(pick.id, page, 1)).arrived.visit
        fetched.append(Fetched(url, page.language, visit.counts, visit.relevance))
    return fetched


def begun(topic: Topic) -> tuple[Reader, Crawl]:
    reader, crawl = assemble(topic)
    crawl.apply(Started([reader.rules.address(url) for url in topic.seeds]))
    return reader, crawl


@pytest.mark.parametrize("declared", [True, False])
def test_pages_about_the_topic_are_found_relevant_in_each_language_and_others_are_not(declared: bool) -> None:
    pages = web(declared=declared)
    fetched = go_on(*begun(topic_of()), pages)
    assert {page.url for page in fetched} == pages.keys()
    assert [page.url for page in fetched if f"//{page.language}." not in page.url] == []
    inside = [page for page in fetched if not page.url.endswith("/0")]
    assert [page for page in inside if page.relevant != is_about_wind(page.url)] == []
    of = defaultdict(list)
    for page in inside:
        if page.relevant:
            of[page.language].append(page.relevance)
    assert of.keys() == KEYWORDS.keys()
    assert max(map(median, of.values())) < 2 * min(map(median, of.values()))


def test_adaptive_takes_what_is_about_the_topic_first_in_each_language_and_believes_so() -> None:
    pages = web(declared=True)
    reader, crawl = begun(topic_of())
    order = [page.url for page in go_on(reader, crawl, pages)]
    for language in LANGUAGES:
        own = [url for url in order if f"//{language}." in url and not url.endswith("/0")]
        assert all(map(is_about_wind, own[:4])), own
        believed = {url: relevance(reader, crawl, pages, url) for url in own}
        least = min(value for url, value in believed.items() if is_about_wind(url))
        assert least > max(value for url, value in believed.items() if not is_about_wind(url)), believed


def relevance(reader: Reader, crawl: Crawl, pages: dict[str, str], url: str) -> float:
    """What `adaptive` thinks of a page at the end."""
    page = reader.read(url, pages[url].encode(), "text/html; charset=utf-8")
    model = crawl.strategy.models.of(page.language)
    return float(model.relevance(model.read(page.terms)))


def test_a_crawl_in_many_languages_goes_on_as_if_nothing_had_happened() -> None:
    pages = web(declared=True)
    undisturbed = begun(topic_of())
    go_on(*undisturbed, pages, most=17)
    while undisturbed[1].rescorings.under_way:
        go_on(*undisturbed, pages, most=1)
    reader, fresh = assemble(topic_of())
    keys = {reader.rules.address(url).key: url for url in pages}
    known = sorted((key for key in keys if undisturbed[1].urls.find(key) >= 0), key=undisturbed[1].urls.find)
    restored = restarted(undisturbed[1], fresh, known)
    assert go_on(reader, restored, pages) == go_on(*undisturbed, pages)


def restarted(crawl: Crawl, fresh: Crawl, keys: list[int]) -> Crawl:
    fresh.load(np.array(keys, np.int64), crawl.urls.host[: len(keys)].copy(), crawl.hosts.names)
    fresh.restore(decode(encode(crawl.snapshot())))
    return fresh


def test_keywords_that_all_languages_share_count_in_each() -> None:
    topic = topic_of(
        topic={"keywords": ["CRISPR", "Cas9"], "seeds": [url_of("en", 0)]},
        reading={"language": ["english", "de", "ja"]},
    )
    _, crawl = assemble(topic)
    assert crawl.world.languages.keys() == {"en", "de", "ja"}
    assert all(own.keywords == {"crispr": 1, "cas9": 1} for own in crawl.world.languages.values())


def test_what_counts_in_one_language_does_not_depend_on_how_many_keywords_another_has() -> None:
    page = web(declared=True)[url_of("ja", 1)].encode()
    seeds = [url_of("ja", 0)]
    found = []
    for keywords in (
        {"ja": ["風力発電"]},
        {"ja": ["風力発電"], "en": ["wind power", "wind turbine", "wind farm", "rotor blade"]},
    ):
        reader, crawl = begun(topic_of(topic={"keywords": keywords, "seeds": seeds}))
        pick = crawl.next()
        assert pick is not None
        read = reader.read(url_of("ja", 0), page, "text/html; charset=utf-8")
        model = crawl.strategy.models.of("ja")
        density = model.read(read.terms).density
        found.append((crawl.apply(PageArrived(pick.id, read, 1)).arrived.visit.relevance, density, model._dense))
    assert found[0] == found[1]
    assert found[0][0] > 0
