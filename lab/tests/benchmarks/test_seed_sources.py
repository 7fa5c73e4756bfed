"""The benchmark of seeds: searches over a recorded web, what is judged of a crawl from what they find, and what the tables say."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from focused.backlinks.hubs import find_hubs
from focused.reading.reader import Reader
from focused.reading.urls import host_of
from focused.searching.judged_pages import Origin
from focused.searching.providers.own_collections import Hubs
from focused.searching.seed_lists import ranked_urls
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.labels import Judgements
from focused.simulation.recorded_backlinks import RecordedBacklinks
from focused.simulation.recorded_web import Answer
from focused.simulation.simulator import Network
from focused.topic.topic import Topic
from lab.benchmarks.part_of_web import part_of
from lab.benchmarks.searched_seeds import Searched, searched
from lab.benchmarks.seed_crawls import Beginning, Crawled, crawled
from lab.benchmarks.seed_table import report
from lab.benchmarks.seed_ways import ASK_LINKS, EARLIER, HARD, HUBS_OF_HARD, SEARCH, SITEMAP, WAYS, Sources
from lab.benchmarks.stand_in_search import StandInSearch, index_of, is_drawn
from lab.results.rows_csv import csv_of
from lab.topics.labelled_files import LabelledFile, labelled_files
from lab.topics.labelled_topics import LabelledTopic, write_topics
from tests.searching.stand_ins import CATS, page_about

SUNNY = [f"http://sun{number}.example/" for number in range(5)]
CAT, HUB, MOVED = "http://cats.example/", "http://hub.example/", "http://moved.example/"
HTML = (("Content-Type", "text/html"),)


def own_words(number: int) -> str:
    """On the topic, and not nearly a copy of another page."""
    words = " ".join(f"x{number}y{place}" for place in range(60))
    return f"{'solar energy photovoltaic ' * 6}{words}"


class SmallWeb:
    """Five hosts on the topic, in a row; one that is not; one that links to three of the five; one that moved to the first."""

    def __init__(self) -> None:
        self._pages = {
            url: page_about(own_words(number), *SUNNY[number + 1 : number + 2]) for number, url in enumerate(SUNNY)
        }
        self._pages |= {CAT: CATS, HUB: page_about(own_words(9), *SUNNY[:3])}
        self.hosts = frozenset(host_of(url) for url in self.urls())

    def answer(self, url: str) -> Answer | None:
        if url == MOVED:
            return Answer(301, (("Location", SUNNY[0]),), b"")
        return Answer(200, HTML, self._pages[url]) if url in self._pages else None

    def urls(self) -> Iterator[str]:
        yield from (*self._pages, MOVED)


@pytest.fixture
def labelled(tmp_path: Path) -> LabelledFile:
    judgements = Judgements("solar", frozenset(SUNNY[1:]), reachable=frozenset(SUNNY[3:]))
    made = LabelledTopic(("solar energy", "photovoltaic"), (CAT,), judgements, "Solar", {})
    write_topics([made], tmp_path / "topics")
    return labelled_files([str(tmp_path / "topics")])[0]


@pytest.fixture
def topic(labelled: LabelledFile) -> Topic:
    return labelled.topic


@pytest.fixture
def web(topic: Topic) -> AnalysedWeb:
    return AnalysedWeb(SmallWeb(), Reader(topic.reading, keep=topic.keywords))


@pytest.fixture
def search(web: AnalysedWeb, tmp_path: Path) -> Iterator[StandInSearch]:
    index_of(web, tmp_path / "index.sqlite", one_in=1)
    found = StandInSearch(tmp_path / "index.sqlite")
    yield found
    found.close()


@pytest.fixture
def sources(web: AnalysedWeb, topic: Topic, search: StandInSearch) -> Sources:
    return Sources(web, part_of(web, 1), search, {"other": topic}, lambda _: ())


def test_a_search_makes_seeds_of_words_and_not_of_the_topics_seeds(
    topic: Topic, web: AnalysedWeb, search: StandInSearch
) -> None:
    found = searched(topic, web, search)
    assert set(found.seeds) == {*SUNNY, HUB}
    assert set(found.seeds) <= set(found.looked_at)
    assert found.questions > 0 and found.seconds > 0


def test_too_few_good_pages_make_no_seeds_but_cost_what_they_cost(topic: Topic, web: AnalysedWeb) -> None:
    found = searched(topic, web, listed=[(Origin("list"), ranked_urls([(SUNNY[0], ""), (CAT, "")]))])
    assert (found.seeds, set(found.looked_at)) == ([], {SUNNY[0], CAT})


def test_redirects_are_followed_and_what_is_not_recorded_is_no_page(topic: Topic, web: AnalysedWeb) -> None:
    listed = ranked_urls((url, "") for url in (MOVED, SUNNY[1], SUNNY[2], "http://nowhere.example/"))
    assert set(searched(topic, web, listed=[(Origin("list"), listed)]).seeds) == set(SUNNY[:3])


def test_the_clock_counts_a_delay_between_two_pages_of_a_host(topic: Topic, web: AnalysedWeb) -> None:
    def seconds(*urls: str) -> float:
        return searched(topic, web, listed=[(Origin("list"), ranked_urls((url, "") for url in urls))]).seconds

    assert seconds(SUNNY[0]) == 0.5
    assert seconds(*SUNNY) == 0.5  # all at once
    assert seconds(SUNNY[0], f"{SUNNY[0]}lost") == 1.5


def test_hubs_are_found_among_the_pages_that_are_drawn(web: AnalysedWeb) -> None:
    def hubs(one_in: int) -> list[str]:
        known = RecordedBacklinks(part_of(web, one_in), 0).backlinks_of(SUNNY)
        return [hub.url for hub in find_hubs(known, 2, left_out=SUNNY)]

    assert hubs(1) == [HUB]
    assert not is_drawn(HUB) and hubs(10) == []


def test_targets_that_a_search_looks_at_count_and_take_places(labelled: LabelledFile, web: AnalysedWeb) -> None:
    network = Network(in_flight=1, delay=0)
    looked_at = Searched([SUNNY[1]], [CAT, SUNNY[1]], seconds=7)
    row, fetches = crawled(labelled, "report", "list", Beginning(looked_at), web, 3, network)
    assert [fetch.final_url for fetch in fetches][:2] == SUNNY[1:3]
    assert (row.looked_at, row.pages, row.targets) == (2, 3, 2)  # CAT, the seed, and one page more
    assert row.area_of_crawl > row.area_of_all
    assert row.enough_pages == math.inf
    nothing, _ = crawled(labelled, "report", "list", Beginning(replace(looked_at, seeds=[])), web, 3, network)
    assert (nothing.pages, nothing.targets, nothing.seeds) == (2, 1, 0)


def test_a_crawl_asks_who_links_to_its_best_pages_once_it_has_some(labelled: LabelledFile, web: AnalysedWeb) -> None:
    hubs = Hubs(RecordedBacklinks(part_of(web, 1), 0), "hubs")
    network = Network(in_flight=1, delay=0)
    begin = Beginning(Searched(SUNNY[:2]), askers=[hubs])
    row, fetches = crawled(labelled, "report", "asks", begin, web, 20, network)
    assert HUB in {fetch.final_url for fetch in fetches}
    assert row.questions == 1  # the best page stays the same
    without, others = crawled(labelled, "report", "plain", replace(begin, askers=()), web, 20, network)
    assert HUB not in {fetch.final_url for fetch in others} and without.questions == 0


def test_each_way_begins_where_its_source_says(sources: Sources, topic: Topic) -> None:
    begins = {name: way(topic) for name, way in sources.ways.items()}
    assert tuple(begins) == WAYS
    assert begins[HARD].found.seeds == begins[HUBS_OF_HARD].found.seeds == [CAT]
    assert CAT not in begins[SEARCH].found.seeds
    assert begins[EARLIER].found.seeds == []  # that crawl found nothing
    assert isinstance(begins[ASK_LINKS].askers[0], Hubs)
    (sitemap,) = begins[SITEMAP].found.seeds
    assert begins[SITEMAP].web is not None and sitemap.endswith(".xml")


def test_a_sitemap_as_a_seed_leads_to_the_pages_of_its_host(
    labelled: LabelledFile, sources: Sources, web: AnalysedWeb
) -> None:
    begin = sources.ways[SITEMAP](labelled.topic)
    row, fetches = crawled(labelled, "report", SITEMAP, begin, web, 10, Network(in_flight=1, delay=0))
    assert host_of(fetches[0].final_url) == host_of(begin.found.seeds[0])
    assert row.pages == len(fetches)


def row(topic: str, way: str, area: float, enough: float = math.inf) -> Crawled:
    return Crawled(topic, "report", way, 10, 0, 500, area, area / 2, area / 2, 40, 3, 0, 0, enough, 2 * enough, enough)


def test_the_tables_pair_topics_and_tell_what_was_never_reached() -> None:
    rows = [row("a", HARD, 0.1), row("a", SEARCH, 0.4, 150), row("b", HARD, 0.2), row("b", SEARCH, 0.1)]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in report(rows) if line.startswith("|")]
    means = next(line for line in cells if line[0] == SEARCH)
    assert means[3:6] == ["0.250", "0.125", "0.125"] and means[-4:] == ["1 of 2", "-", "-", "-"]
    compared = next(line for line in cells if line[:2] == [SEARCH, f"less {HARD}"])
    assert compared[2].startswith("+0.100") and compared[2].endswith("1 won, 1 lost")
    assert ["a", "0.100 / 0.050 (40)", "0.400 / 0.200 (40)"] in cells


def test_each_crawl_is_a_row_of_the_file() -> None:
    assert csv_of([row("a", HARD, 0.1)]).splitlines()[1].startswith("a,report,hard seeds,10,0,500,0.1,0.05,")
