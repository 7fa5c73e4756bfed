"""Pages stay in memory up to a limit, and crawls of one web find them there."""

from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import FIXED, AnalysedWeb, Fetched, PageMemory
from tests.crawls.mock_web import page
from tests.simulation.simulated import SmallWeb

URLS = [f"http://a.example/{number}" for number in range(100)]
EMPTY = Page("http://a.example/", 0, "a.example", "text/html", "")


def filled(limit: int) -> PageMemory[str]:
    memory = PageMemory[str](limit)
    for url in URLS:
        memory.put(url, url, EMPTY)
    return memory


def test_what_fits_is_kept() -> None:
    memory = filled(100 * FIXED)
    assert [memory.get(url) for url in URLS] == URLS
    assert memory.get("http://b.example/") is None


def test_the_limit_holds() -> None:
    memory = filled(40 * FIXED)
    kept = [url for url in URLS if memory.get(url)]
    assert (memory.size, len(kept)) == (40 * FIXED, 40)


def test_pages_asked_for_in_the_same_order_again_and_again_are_found_as_often_as_they_fit() -> None:
    memory, found = filled(50 * FIXED), 0
    for url in URLS * 10:
        if memory.get(url):
            found += 1
        else:
            memory.put(url, url, EMPTY)
    assert found > 200  # of 1,000; of the least recently used, which go first elsewhere, it would be none


def test_nothing_is_kept_without_a_limit_above_zero() -> None:
    assert not any(map(filled(0).get, URLS))


def test_a_web_with_memory_gives_and_counts_the_same() -> None:
    answers = {"http://a.example/": page("solar", "/", "/b", "http://b.example/"), "http://a.example/b": page("energy")}
    with_memory, without = (
        AnalysedWeb(SmallWeb(answers), Reader(ReadingOptions()), memory=limit) for limit in (10**6, 0)
    )
    for url in (*answers, *answers, "http://a.example/none"):
        assert with_memory.ask(url) == without.ask(url)
    assert isinstance(with_memory.ask("http://a.example/"), Fetched)
    assert (with_memory.links, with_memory.hidden) == (3 * 2, 3)
    assert (without.links, without.hidden) == (2 * 2, 2)
    assert with_memory.web.asked == 3


def test_equal_terms_of_the_pages_kept_are_one_object() -> None:
    reader, memory = Reader(ReadingOptions()), PageMemory[Page](10**6)
    for url in URLS[:2]:
        found = reader.read(url, b"<p>sunshine")
        assert isinstance(found, Page)
        found.terms = ["".join(("sun", "shine"))]
        memory.put(url, found, found)
    one, other = (memory.get(url) for url in URLS[:2])
    assert one and other and one.terms[0] is other.terms[0]
