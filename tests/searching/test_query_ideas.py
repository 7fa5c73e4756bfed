"""What a crawl asks next, of what its pages have taught."""

from hypothesis import given
from hypothesis import strategies as st

from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.seeds.searching.queries import OF_A_HOST, QueryIdeas, QuerySource, best_urls, known, some_of_each_host
from focused.seeds.searching.search_providers import LONGEST_QUERY

READER = Reader(ReadingOptions())


def page(host: str, title: str, text: str, relevance: float = 0.0) -> QuerySource:
    body = f"<title>{title}</title><p>{text}</p>".encode()
    read = READER.read(f"http://{host}/", body, "text/html")
    assert isinstance(read, Page)
    return known(read, relevance, READER.analyser, relevant=relevance > 0.1)


PAGES = [
    page("a.example", "Roof modules | A", "we use the inverter and talk to Victron about solar", 0.5),
    page("b.example", "Home", "an inverter here, and again Victron sells it", 0.4),
    page("c.example", "Cats of Rome", "the cats like Whiskas and cushions"),
]


def ideas(*kinds: str, asked: tuple[str, ...] = ()) -> QueryIdeas:
    made = QueryIdeas(("solar energy", "photovoltaic"), {"solar", "energi", "photovolta"}, list(asked))
    made.kinds = {kind: made.kinds[kind] for kind in kinds}
    return made


def test_the_keywords_come_first() -> None:
    assert QueryIdeas(("solar energy", "photovoltaic"), set()).next([]) == "solar energy photovoltaic"


def test_words_and_names_tell_relevant_pages_from_others() -> None:
    assert ideas("words").next(PAGES) == "solar energy inverter"
    assert ideas("names").next(PAGES) == "Victron solar energy"


def test_titles_come_without_the_name_of_their_site_and_single_words_are_none() -> None:
    assert ideas("titles").next(PAGES) == "Roof modules"
    assert ideas("titles", asked=("roof MODULES",)).next(PAGES) is None


def test_kinds_take_turns_and_nothing_is_asked_twice() -> None:
    made = QueryIdeas(("solar energy", "photovoltaic"), {"solar", "energi", "photovolta"})
    while (query := made.next(PAGES)) is not None:
        made.asked.append(query)
    assert made.asked[:4] == [
        "solar energy photovoltaic",
        "solar energy inverter",
        "Victron solar energy",
        "Roof modules",
    ]
    assert len({frozenset(query.lower().split()) for query in made.asked}) == len(made.asked)


def test_a_crawl_that_goes_on_asks_what_it_would_have_asked() -> None:
    made = QueryIdeas(("solar energy", "photovoltaic"), set())
    first = made.next(PAGES)
    assert first
    made.asked.append(first)
    assert QueryIdeas(("solar energy", "photovoltaic"), set(), [first]).next(PAGES) == made.next(PAGES)


def test_hubs_are_asked_for_the_best_page_of_each_host_once() -> None:
    assert best_urls(PAGES) == ["http://a.example/", "http://b.example/"]
    words = ideas().about_links(PAGES)
    assert words == "links to http://a.example/"
    assert ideas(asked=(words,)).about_links(PAGES) is None
    assert ideas().about_links(PAGES[:1]) is None


def test_no_host_speaks_for_all() -> None:
    pages = [*["a"] * 20, "b"]
    assert some_of_each_host(pages, str, 10) == [*["a"] * OF_A_HOST, "b"]


@given(st.text(), st.text())
def test_whatever_pages_say_queries_are_short(title: str, text: str) -> None:
    for kind in ("words", "names", "titles"):
        query = ideas(kind).next([page("a.example", title, text, 0.5), page("b.example", title, text, 0.5)])
        assert query is None or 0 < len(query) <= LONGEST_QUERY
