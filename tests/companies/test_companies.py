"""Sites are rated by what their pages say and by hubs that cite them with known sites; addresses of people are not shown."""

import csv
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from focused.collection.collection import opened
from focused.desk.commands.companies import Command
from focused.desk.mapping.page_reading import CrawledPages
from focused.desk.sites import Sites, contact_pages, rank_of, rank_of_url, rated, sites_of
from focused.page.urls import host_of
from tests.commands.running import crawled, refusal, run_command
from tests.small_web import url_of

#: Calls one link within a host a link to a contact page.
LINK = """
UPDATE links SET anchor = 'Impressum' WHERE rowid IN (
    SELECT l.rowid FROM links l JOIN urls s ON s.id = l.page JOIN urls t ON t.id = l.target WHERE s.host = t.host LIMIT 1
)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    crawled(tmp_path / "data" / "test")
    return tmp_path / "data"


def write(data: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(data / "test" / "crawl.db")) as db, db:
        assert db.execute(statement, values).rowcount > 0


def found(data: Path) -> Sites:
    return sites_of(data / "test", lambda *_: None)


def companies(data: Path, *argv: str) -> int:
    return run_command(Command(), "test", *argv, data_dir=data)


def pages_of(hosts: list[int], relevance: list[float]) -> CrawledPages:
    n = np.arange(len(hosts))
    score = np.array(relevance, np.float64)
    return CrawledPages(n, n, np.array(hosts, np.int64), score, score > 0.3, 0 * n, 0 * n - 1, n < 0)


class TestRating:
    """Hosts, which are sites too: 0 is known; 1 is like it; 2 is a hub; 3 is cited by nobody."""

    PAGES = pages_of([0, 1, 2, 3, 3, 3, 3], [0.9, 0.6, 0.0, 0.5, 0.5, 0.5, 0.5])
    HUB = np.array([[2, 0], [2, 1]])
    KNOWN = np.array([True, False, False, False])

    def rating(self, links: np.ndarray) -> list[float]:  # type: ignore[type-arg]
        return [float(one) for one in rated(self.PAGES, np.arange(4), links, self.KNOWN).rating]

    def test_relevance_is_that_of_the_best_three_pages(self) -> None:
        assert rated(self.PAGES, np.arange(4), self.HUB, self.KNOWN).relevance.tolist() == pytest.approx(
            [0.3, 0.2, 0, 0.5]
        )

    def test_a_hub_that_links_to_a_known_site_raises_the_others(self) -> None:
        assert self.rating(self.HUB)[1] > self.rating(np.empty((0, 2), np.int64))[1]

    def test_links_within_a_site_and_from_pages_that_cite_it_alone_raise_nothing(self) -> None:
        assert self.rating(np.array([[1, 1], [2, 1], [3, 1]]))[1] == self.rating(np.empty((0, 2), np.int64))[1]

    def test_a_thousand_pages_of_one_site_count_as_one(self) -> None:
        links = np.array([[3, 0], [3, 1], [4, 0], [4, 1], [5, 0], [5, 1]])
        assert rated(self.PAGES, np.arange(4), links, self.KNOWN).linked.tolist()[1] == 1
        assert self.rating(links) == self.rating(links[:2])

    def test_nothing_rates_nothing(self) -> None:
        none = rated(pages_of([], []), np.empty(0, np.int64), np.empty((0, 2), np.int64), np.empty(0, np.bool_))
        assert len(none.rating) == 0


class TestContactPages:
    @pytest.mark.parametrize(
        "url", ["http://a.example/kontakt", "http://a.example/de/Impressum.html", "http://a.example/about-us/", "http://a.example/%E3%81%8A%E5%95%8F%E3%81%84%E5%90%88%E3%82%8F%E3%81%9B"]
    )  # fmt: skip
    def test_addresses_that_say_so(self, url: str) -> None:
        assert rank_of_url(url) is not None

    @pytest.mark.parametrize(
        "url", ["http://a.example/", "http://a.example/contact-lenses", "http://a.example/about?x=1", "http://[", "x"]
    )
    def test_others(self, url: str) -> None:
        assert rank_of_url(url) is None

    def test_contact_comes_before_about(self) -> None:
        assert (rank_of("Contact  us") or 0) < (rank_of("ABOUT") or 0)

    def test_links_that_say_so_and_no_address_of_a_person(self, data: Path) -> None:
        write(data, LINK)
        with opened(data / "test") as store:
            hosts = {id_: [id_] for id_ in range(len(store.hosts()))}
            pages = contact_pages(store, hosts)
            assert len(pages) == 1
            (url,) = pages.values()
        write(data, "UPDATE urls SET url = url || '/me@home.example' WHERE url = ?", url)
        with opened(data / "test") as store:
            assert contact_pages(store, hosts) == {}


class TestCommand:
    def test_the_sites_of_the_seeds_are_left_out_unless_asked_for(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        sites = found(data)
        seeds = {"host0.example", "host2.example"}
        assert {sites.names[one] for one in sites.ordered()} == {"host1.example", "host3.example", "host4.example"}
        assert {sites.names[one] for one in sites.ordered(seeds=True)} == {
            *seeds,
            *(sites.names[o] for o in sites.ordered()),
        }
        assert companies(data, "--seeds") == 0
        assert "host0.example *" in capsys.readouterr().out

    def test_a_table_has_all_sites_and_no_formula(self, data: Path, tmp_path: Path) -> None:
        write(data, "UPDATE fetches SET title = '=cmd|calc me@home.example' WHERE relevant = 1")
        path = tmp_path / "sites.csv"
        assert companies(data, str(path)) == 0
        rows = list(csv.DictReader(path.read_text().splitlines()))
        assert [row["site"] for row in rows] == [found(data).names[one] for one in found(data).ordered()]
        assert {row["title_1"] for row in rows} <= {"'=cmd|calc [e-mail]", ""}
        assert not any("me@home" in value for row in rows for value in row.values())

    def test_it_grows_with_the_crawl(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        crawled(data / "test", 10)
        first = found(data).rated.pages.sum()
        crawled(data / "test")
        assert found(data).rated.pages.sum() > first == 10
        grown = found(data).rated.linked.tolist()
        (data / "test" / "map.db").unlink()
        assert found(data).rated.linked.tolist() == grown

    @pytest.mark.parametrize(
        ("argv", "words"),
        [
            (["a.xls"], "give .csv"),
            (["--limit", "0"], "--limit 0: give a number"),
            (["."], "the ending says no format"),
        ],
    )
    def test_mistakes_are_told(self, data: Path, argv: list[str], words: str) -> None:
        with pytest.raises(UsageError, match=words):
            companies(data, *argv)

    def test_no_collection_is_one_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "no such collection" in refusal(companies(tmp_path), capsys)


def test_a_hub_among_the_seeds_is_a_site_like_others(tmp_path: Path) -> None:
    crawled(tmp_path / "data" / "test", hubs=(url_of(0),))
    sites = found(tmp_path / "data")
    assert host_of(url_of(0)) in {sites.names[one] for one in sites.ordered()}
