"""The first question: all collections answer it together, and the form beside the answer starts a crawl."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from time import monotonic, sleep

import pytest
from starlette.testclient import TestClient

from focused import strategies
from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.found_hits import AT_ONCE, BEST, NEWEST
from focused.desk.dashboard.launcher import (
    ASKED_HERE,
    CHOICES,
    Launcher,
    NewCrawl,
    file_of,
    is_asked_here,
    keywords_in,
    site_of,
)
from focused.desk.dashboard.served import Served
from focused.desk.dashboard.tasks import COMMAND, LOG, told, update_index
from focused.exceptions import FocusedError, TopicError
from focused.live.session import Session
from focused.strategies import get_strategy
from focused.topic.topic_file import load_topic
from tests.dashboard.conftest import ADDRESS
from tests.small_web import crawl, topic_of, url_of

SEED = "https://example.org/roofs"


class Started(Launcher):
    """Notes what it is asked to start, and starts nothing."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.started: list[str] = []

    def start_asked(self, name: str) -> None:
        self.started.append(name)

    def get_ready(self) -> None:
        pass


@pytest.fixture(scope="module")
def indexed(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collection with its index, that no test changes."""
    folder = tmp_path_factory.mktemp("indexed") / "test"
    copytree(crawled, folder)
    update_index(folder)
    return folder


@pytest.fixture
def two(indexed: Path, tmp_path: Path) -> Path:
    """A data folder with two collections of the same pages, indexed."""
    data = tmp_path / "data"
    for name in ("one", "two"):
        copytree(indexed, data / name)
    return data


@pytest.fixture
def launcher(two: Path) -> Started:
    return Started(two)


@pytest.fixture
def asking(two: Path, launcher: Started) -> Iterator[TestClient]:
    app = create_app(Served(two, launcher=launcher))
    with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
        client.headers["X-Token"] = app.state.served.token
        yield client


def post(client: TestClient, path: str, files: object = None, **fields: object) -> tuple[int, str]:
    """Status, and where it leads or what it says."""
    data = {"token": client.headers["X-Token"], **fields}
    answer = client.post(path, data=data, files=files)  # type: ignore[arg-type]
    return answer.status_code, answer.headers.get("location") or answer.text


class TestAllCollections:
    def test_a_page_that_two_have_is_told_once_with_both(self, asking: TestClient) -> None:
        text = asking.get("/search", params={"q": "solar energy"}).text
        address = url_of(0)
        assert text.count(f'value="{address}"') == 1
        assert re.search(rf'value="{address}".*?>one</a>.*?>two</a>', text, re.DOTALL)
        assert "2 collections" in text
        assert "<mark>solar</mark>" in text

    def test_words_of_a_person_are_no_markup(self, asking: TestClient) -> None:
        text = asking.get("/search", params={"q": '"><script>x</script> solar'}).text
        assert "<script>x" not in text

    @pytest.mark.parametrize("q", ["", "-solar", '"', "*", "x " * 600])
    def test_a_question_that_makes_no_sense_is_told(self, asking: TestClient, q: str) -> None:
        answer = asking.get("/search", params={"q": q})
        assert answer.status_code == 200
        assert "Crawl for this" not in answer.text

    def test_a_collection_that_is_damaged_costs_its_own_answer(self, asking: TestClient, two: Path) -> None:
        (two / "one" / "crawl.db").write_bytes(b"no database, but long enough to be looked at " * 100)
        text = asking.get("/search", params={"q": "solar"}).text
        assert "<strong>one</strong>" in text
        assert url_of(0) in text

    def test_pages_that_no_index_has_are_added(self, crawled: Path, tmp_path: Path) -> None:
        copytree(crawled, tmp_path / "data" / "test")
        client = TestClient(create_app(Served(tmp_path / "data")), base_url=ADDRESS)
        assert "Of 1 of 1 collections" in client.get("/search", params={"q": "solar"}).text
        deadline = monotonic() + 60
        while not client.get("/search/progress").json()["done"]:
            assert monotonic() < deadline
            sleep(0.2)
        assert url_of(0) in client.get("/search", params={"q": "solar"}).text


class TestStart:
    def test_a_crawl_begins_with_ticked_pages_and_pasted_addresses(
        self, asking: TestClient, launcher: Started, two: Path
    ) -> None:
        pasted = "https://a.example/ https://b.example/x,\nnothing"
        where = post(asking, "/crawl", q="roof tiles", seed=[SEED], urls=pasted, strategy="best_first", pages="50")
        assert where == (303, "/c/roof-tiles/hits")
        assert launcher.started == ["roof-tiles"]
        topic = load_topic(str(file_of(two / "roof-tiles")), strategies)
        assert topic.seeds == (SEED, "https://a.example/", "https://b.example/x,")
        assert (topic.keywords, topic.strategy, topic.budget.pages) == (("roof tiles",), "best_first", 50)

    def test_the_same_words_again_are_another_collection(self, asking: TestClient, two: Path) -> None:
        (two / "one-2").mkdir()
        assert post(asking, "/crawl", q="one", seed=SEED)[1] == "/c/one-3/hits"
        assert post(asking, "/crawl", q="models", seed=SEED)[1] == "/c/models-2/hits"

    def test_a_site_is_mapped_on_its_own_host(self, asking: TestClient, two: Path) -> None:
        where = post(asking, "/site", site="www.example.org/a", q="roofs", depth="3", pages="40")
        assert where == (303, "/c/www-example-org/hits?then=map")
        topic = load_topic(str(file_of(two / "www-example-org")), strategies)
        assert topic.scope.allowed_hosts == ("www.example.org",)
        assert (topic.scope.max_depth, topic.strategy, topic.seeds) == (
            3,
            "shark_search",
            ("https://www.example.org/a",),
        )
        assert site_of("https://www.example.co.uk", whole_domain=True)[1] == ("example.co.uk",)

    @pytest.mark.parametrize(
        ("path", "fields", "says"),
        [
            ("/crawl", {"q": "roofs"}, "something to start from"),
            ("/crawl", {"q": "-", "seed": SEED}, "some words"),
            ("/crawl", {"q": "roofs", "seed": "javascript:alert(1)"}, "not an http(s) URL"),
            ("/crawl", {"q": "roofs", "seed": "http://127.0.0.1/"}, "on this machine"),
            ("/crawl", {"q": "roofs", "seed": SEED, "strategy": "../x"}, "no strategy"),
            ("/crawl", {"q": "roofs", "seed": SEED, "pages": "0"}, "whole number"),
            ("/crawl", {"q": "roofs", "seed": SEED, "pages": "9" * 400}, "whole number"),
            ("/crawl", {"q": "roofs", "urls": "nothing here"}, "no http(s) URL"),
            ("/site", {"q": "roofs", "site": "no site"}, "The site"),
            ("/site", {"q": "roofs", "site": "https://example.org", "depth": "-1"}, "whole number"),
        ],
    )
    def test_a_mistake_is_told_and_nothing_is_made(
        self, asking: TestClient, launcher: Started, two: Path, path: str, fields: dict[str, str], says: str
    ) -> None:
        before = sorted(two.iterdir())
        status, text = post(asking, path, **fields)
        assert status == 409
        assert says in text
        assert (launcher.started, sorted(two.iterdir())) == ([], before)

    def test_a_file_without_addresses_is_told_at_once(self, asking: TestClient) -> None:
        status, text = post(asking, "/crawl", files={"list": ("x.txt", b"nothing")}, q="roofs", pages="9")
        assert (status, "no http(s) URL" in text) == (409, True)

    def test_a_dashboard_that_only_shows_starts_nothing(self, two: Path) -> None:
        served = Served(two)
        client = TestClient(create_app(served), base_url=ADDRESS, follow_redirects=False)
        assert "Crawl for this" not in client.get("/search", params={"q": "solar"}).text
        for path in ("/crawl", "/site"):
            answer = client.post(path, data={"token": served.token, "q": "x", "seed": SEED, "site": "a.example"})
            assert answer.status_code == 403

    def test_each_strategy_that_is_offered_can_crawl_without_a_model(self) -> None:
        assert [name for name in CHOICES if get_strategy(name).needs_model] == []
        for name in CHOICES:
            assert NewCrawl("solar", (SEED,), name, hosts=("example.org",)).topic("x").strategy == name

    def test_best_first_has_a_frontier_for_each_seed_as_in_myspiders_but_not_on_one_site(self) -> None:
        def options(*hosts: str) -> dict[str, object]:
            return NewCrawl("solar", (SEED,), "best_first", hosts=hosts).topic("x").strategy_options

        assert options()["by_seed"]
        assert not options("example.org")["by_seed"]

    @pytest.mark.parametrize(
        ("words", "keywords"),
        [
            ('solar "roof tiles" OR slates -thermal til*', ["roof tiles", "solar", "slates til"]),
            ("heat pump, boiler", ["heat pump", "boiler"]),
            ('-"not this" that', ["that"]),
            ("", []),
        ],
    )
    def test_a_question_becomes_keywords(self, words: str, keywords: list[str]) -> None:
        assert keywords_in(words) == keywords


class TestForget:
    def test_what_was_asked_for_here_is_deleted_once_somebody_is_sure(self, asking: TestClient, two: Path) -> None:
        (two / "one" / "one.toml").write_text(f"{ASKED_HERE}\n")
        assert "Delete it" in asking.get("/c/one/forget").text
        assert post(asking, "/c/one/forget", sure="two")[0] == 403
        assert (two / "one").exists()
        assert post(asking, "/c/one/forget", sure="one") == (303, "/")
        assert not (two / "one").exists()

    def test_no_other_collection_is(self, asking: TestClient, two: Path) -> None:
        assert asking.get("/c/one/forget").status_code == 404
        assert post(asking, "/c/one/forget", sure="one")[0] == 409
        assert (two / "one" / "crawl.db").exists()

    def test_nor_one_that_is_crawled(self, asking: TestClient, two: Path) -> None:
        (two / "new").mkdir()
        (two / "new" / "new.toml").write_text(f"{ASKED_HERE}\n")
        session = Session(topic_of(), two / "new")
        crawl(session, 3)
        session.commit()
        assert post(asking, "/c/new/forget", sure="new")[0] == 409
        session.close()
        assert is_asked_here(two / "new")


class TestHits:
    def test_each_says_what_link_led_to_it(self, served: Served) -> None:
        shown = served.find("test")
        assert shown is not None
        with shown.store() as store:
            best, newest = shown.hits.read(store, BEST), shown.hits.read(store, NEWEST)
        assert sorted(hit.url for hit in best) == sorted(hit.url for hit in newest)
        assert [hit.seq for hit in newest] == sorted((hit.seq for hit in newest), reverse=True)
        assert [hit.relevance for hit in best] == sorted((hit.relevance for hit in best), reverse=True)
        starts = {hit.url for hit in best if hit.seed}
        assert starts == {url_of(0), url_of(7)}
        for hit in best:
            assert hit.seed or re.fullmatch(r"page \d+", hit.anchor), hit
            assert "solar" in "".join(text for text, _ in hit.passage)

    def test_the_page_says_how_many_there_are(self, client: TestClient) -> None:
        text = client.get("/c/test/hits").text
        told = re.search(r'<b class="good" data-live="relevant">(\d+)</b> hits', text)
        assert told
        assert int(told[1]) == text.count('<p class="url">') + max(0, int(told[1]) - AT_ONCE)
        assert client.get("/c/test/hits/list?sort=newest&most=1").text.count("<li>") == 1
        assert client.get("/c/test/hits?most=x&sort=y").status_code == 200

    def test_a_stream_of_a_crawl_that_has_ended_ends(self, client: TestClient) -> None:
        with client.stream("GET", "/c/test/live") as answer:
            events = re.findall(r"event: (\w+)\ndata: (.*)", "".join(answer.iter_text()))
        assert [event for event, _ in events] == ["stands", "ended"]
        assert json.loads(events[0][1])["hits"] >= 10

    def test_nobody_follows_what_there_is_not(self, client: TestClient) -> None:
        for page in ("hits", "live", "hits/list", "hits/agents"):
            assert client.get(f"/c/none/{page}").status_code == 404

    def test_agents_are_told_as_a_tree(self, tmp_path: Path) -> None:
        session = Session(
            topic_of(strategy="info_spiders", strategy_options={"theta": 0.2}), tmp_path / "data" / "test"
        )
        crawl(session)
        session.close()
        client = TestClient(create_app(Served(tmp_path / "data")), base_url=ADDRESS)
        text = client.get("/c/test/hits").text
        assert "by spider" in text
        spiders = re.findall(r'<details class="spider.*?</details>', text, re.DOTALL)
        assert len(spiders) > 2
        told = r"</summary>\s*(energy \d+\.\d\d|died at page \d+), born at page \d+: \d+ pages?, \d+ hits?\s*</details>"
        assert all(re.search(told, spider) for spider in spiders)
        assert re.search(r'<span class="word">\+ \w+', text)


class TestReadyProcess:
    def test_it_does_what_a_line_says(self) -> None:
        assert told("") is None
        assert told(json.dumps({COMMAND: ["crawl", "x"], LOG: "y"})) == (["crawl", "x"], "y")

    def test_a_crawl_that_was_not_asked_for_here_is_not_started_so(self, two: Path) -> None:
        with pytest.raises(FocusedError, match="not asked for here"):
            Launcher(two).start_asked("one")

    def test_strange_words_are_no_names(self) -> None:
        with pytest.raises(TopicError):
            NewCrawl("x", (), "adaptive").topic("x")
