"""Providers of backlinks: whoever is asked, the answer is canonical, names each page once, and errors are one line."""

import json
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from focused import strategies
from focused.crawl.backlinks import Backlinks
from focused.exceptions import BacklinkError, FocusedError, StorageError
from focused.live.robots.robot import Robot
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import UrlRules
from focused.seeds.backlinks.providers import HttpApi, open_backlinks
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.first_reading import RecordedBacklinks
from focused.simulation.recorded_web import Answer
from focused.topic.topic import BacklinkOptions, Topic
from focused.topic.topic_file import load_topic
from tests.crawls.mock_web import Asked, MockWeb, page, redirect, serving
from tests.simulation.simulated import SmallWeb
from tests.small_web import WEB, topic_of, url_of

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"
API = "http://api.example/links"


class Fixed(Backlinks):
    """Says the same of every URL."""

    says: Sequence[str] = ()

    def ask(self, urls: Sequence[str]) -> Mapping[str, Sequence[str]]:
        return dict.fromkeys(urls, self.says)


def test_backlinks_are_canonical_distinct_limited_and_never_the_page_itself() -> None:
    provider = Fixed(UrlRules(), 2)
    provider.says = [f"{B}#top", A, "HTTP://B.example", "mailto:x@y.example", C, "http://d.example/"]
    assert provider.backlinks_of([A]) == {A: [B, C]}
    assert provider.backlinks_of([]) == {}


def test_no_limit_takes_all() -> None:
    provider = Fixed(UrlRules(), 0)
    provider.says = [f"http://{n}.example/" for n in range(50)]
    assert len(provider.backlinks_of([A])[A]) == 50


class TestRecordedWeb:
    def web(self) -> AnalysedWeb:
        answers = {A: page("one", B, B, C), B: page("two", C), C: page("three", A), "http://d.example/": redirect(A)}
        return AnalysedWeb(SmallWeb(answers), Reader(ReadingOptions()), hide_outside=True)

    def test_its_links_are_turned_round(self) -> None:
        provider = RecordedBacklinks(self.web(), 0)
        assert provider.backlinks_of([A, B, C]) == {A: [C], B: [A], C: [A, B]}
        assert provider.backlinks_of(["http://nowhere.example/"]) == {"http://nowhere.example/": []}

    def test_it_is_read_once_and_its_counts_stay_as_they_are(self) -> None:
        web = self.web()
        told: list[int] = []
        for limit in range(3):
            RecordedBacklinks(web, limit, told.append).backlinks_of([A])
        assert web.web.asked == 4
        assert (web.links, told) == (0, [0])


class TestEarlierCrawls:
    def provider(self, data: Path, *crawls: str) -> Backlinks:
        topic = topic_of(backlinks=BacklinkOptions(provider="crawls", crawls=crawls, limit=0))
        opened = open_backlinks(topic, UrlRules(), data)
        assert opened is not None
        return opened

    def test_pages_of_the_crawl_that_link_to_a_url_are_named(self, data: Path) -> None:
        wanted = [url_of(7), url_of(1), url_of(42)]
        expected = {url: {page for page, text in WEB.items() if f'"{url}"' in text} - {url} for url in wanted}
        found = self.provider(data, "test").backlinks_of([*wanted, "http://unknown.example/"])
        assert {url: set(backlinks) for url, backlinks in found.items()} == {
            **expected,
            "http://unknown.example/": set(),
        }
        assert expected[url_of(7)]

    def test_a_page_that_two_crawls_know_is_named_once(self, data: Path) -> None:
        one, both = self.provider(data, "test"), self.provider(data, "test", str(data / "test"))
        assert both.backlinks_of([url_of(7)]) == one.backlinks_of([url_of(7)])

    def test_a_crawl_that_does_not_exist_is_told_at_once(self, data: Path) -> None:
        with pytest.raises(StorageError, match="no such collection"):
            self.provider(data, "nowhere")


def ask_by_way_of(web: MockWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{web.port}")
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setattr(urllib.request, "_opener", None)  # which keeps the proxy of the first request ever made


class TestHttpApi:
    @pytest.fixture(scope="class")
    @classmethod
    def web(cls) -> Iterator[MockWeb]:
        answers = {
            A: json.dumps({"results": [{"source": B}, {"source": C}]}).encode(),
            B: b"{}",
            C: b'{"results": [{"source": 3}]}',
            "http://html.example/": b"<html>",
            "http://deep.example/": b"[" * 100_000,
        }

        def answer(asked: Asked) -> Answer:
            url = parse_qs(urlsplit(asked.url).query)["target"][0]
            status = 429 if url not in answers else 200
            return Answer(status, (("Content-Type", "application/json"),), answers.get(url, b""))

        class Api(MockWeb):
            def _reply(self, asked: Asked) -> Answer:
                return answer(asked)

        with serving(Api({API: page("")})) as served:
            yield served

    @pytest.fixture
    def api(self, web: MockWeb, monkeypatch: pytest.MonkeyPatch) -> HttpApi:
        ask_by_way_of(web, monkeypatch)
        self.waits: list[float] = []
        template = f"{API}?target={{url}}&key=SECRET"
        return HttpApi(
            template, "results[*].source", UrlRules(), 10, delay=50.0, user_agent="me/1.0", pause=self.waits.append
        )

    def test_it_is_asked_by_its_template_and_read_by_its_path(self, api: HttpApi, web: MockWeb) -> None:
        assert api.backlinks_of([A, B]) == {A: [B, C], B: []}
        asked = web.asked[-2]
        assert asked.url == f"{API}?target=http%3A%2F%2Fa.example%2F&key=SECRET"
        assert asked.headers["user-agent"] == "me/1.0"

    def test_it_waits_between_two_questions_but_not_before_the_first(self, api: HttpApi) -> None:
        api.backlinks_of([A, B])
        api.backlinks_of([A])
        assert len(self.waits) == 2
        assert all(40 < wait <= 50 for wait in self.waits)

    @pytest.mark.parametrize(
        ("url", "reason"),
        [
            ("http://unknown.example/", "HTTP status 429"),
            ("http://html.example/", "the answer is not JSON"),
            (C, "path finds no list of URLs in the answer, but [3]"),
            ("http://deep.example/", "recursion"),
        ],
    )
    def test_an_answer_of_no_use_is_one_line_without_the_key(self, api: HttpApi, url: str, reason: str) -> None:
        with pytest.raises(BacklinkError) as error:
            api.backlinks_of([url])
        assert str(error.value).startswith(f"api.example: no backlinks of {url}: ")
        assert reason in str(error.value)
        assert "SECRET" not in str(error.value)
        assert "\n" not in str(error.value)

    def test_an_api_that_is_not_there_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("no_proxy", "*")
        monkeypatch.setattr(urllib.request, "_opener", None)
        api = HttpApi("http://127.0.0.1:9/?{url}", "x", UrlRules(), 10, delay=0, user_agent="me")
        with pytest.raises(BacklinkError, match=r"^127\.0\.0\.1:9: no backlinks of http://a\.example/: .*refused"):
            api.backlinks_of([A])

    @pytest.mark.parametrize(
        ("robots_txt", "robot", "told"),
        [
            (b"User-agent: *\nDisallow: /links", "me/1.0", "robots.txt bars the question"),
            (b"User-agent: *\nDisallow: /links", None, ""),
            (b"User-agent: *\nDisallow: /private", "me/1.0", ""),
            (b"User-agent: other\nDisallow: /", "me/1.0", ""),
            (b"User-agent: *\nCrawl-delay: 70", "me/1.0", ""),
            (None, "me/1.0", ""),
            (503, "me/1.0", "robots.txt unreachable: HTTP status 503"),
            (429, "me/1.0", "robots.txt unreachable: HTTP status 429"),
            (403, "me/1.0", ""),
        ],
    )
    def test_a_question_that_robots_txt_bars_is_not_asked(
        self, robots_txt: bytes | int | None, robot: str | None, told: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answers = {f"{API}?{n}": Answer(200, (), b'["http://b.example/"]') for n in ("a", "b")}
        if robots_txt is not None:
            status, body = (robots_txt, b"") if isinstance(robots_txt, int) else (200, robots_txt)
            answers["http://api.example/robots.txt"] = Answer(status, (), body)
        waits: list[float] = []
        with serving(MockWeb(answers)) as web:
            ask_by_way_of(web, monkeypatch)
            obeying = Robot(robot, longest=100) if robot else None
            api = HttpApi(
                f"{API}?{{url}}", "@", UrlRules(), 0, delay=50, user_agent="me/1.0", robot=obeying, pause=waits.append
            )
            if told:
                with pytest.raises(BacklinkError, match=told):
                    api.backlinks_of(["a"])
            else:
                assert api.backlinks_of(["a", "b"]) == {"a": [B], "b": [B]}
            asked = [asked.url for asked in web.asked]
        assert asked.count("http://api.example/robots.txt") == (robot is not None)
        assert web.pages_asked() == ([] if told else [f"{API}?a", f"{API}?b"])
        assert len(waits) == len(asked) - 1
        asked_for = 70 if isinstance(robots_txt, bytes) and b"Crawl-delay" in robots_txt else 50
        assert all(abs(wait - asked_for) < 5 for wait in waits)


class TestOpening:
    def test_a_topic_without_a_provider_has_none(self, tmp_path: Path) -> None:
        assert open_backlinks(topic_of(), UrlRules(), tmp_path) is None

    def test_the_recorded_web_is_only_there_in_a_simulation(self, tmp_path: Path) -> None:
        topic = topic_of(backlinks=BacklinkOptions(provider="web"))
        with pytest.raises(BacklinkError, match='provider = "web" needs a recorded web'):
            open_backlinks(topic, UrlRules(), tmp_path)

    def test_an_api_is_opened_as_the_topic_describes_it(self, tmp_path: Path) -> None:
        options = BacklinkOptions(provider="api", url="https://x.example/{url}", path="a[*]", limit=3, delay=0.5)
        opened = open_backlinks(topic_of(backlinks=options), UrlRules(), tmp_path, user_agent="me")
        assert isinstance(opened, HttpApi)
        assert (opened.template, opened.limit, opened.delay) == ("https://x.example/{url}", 3, 0.5)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"provider": "crawls"}, "needs crawls"),
        ({"provider": "api", "path": "a"}, "{url}"),
        ({"provider": "api", "url": "file:///etc/{url}", "path": "a"}, "is not an http(s) URL"),
        ({"provider": "api", "url": "https://x.example/{url}", "path": "a["}, "is not a JMESPath expression"),
        ({"provider": "api", "url": "https://x.example/{url}"}, "is not a JMESPath expression"),
    ],
)
def test_an_incomplete_table_is_told_in_one_line(values: dict[str, str], told: str, tmp_path: Path) -> None:
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
    text = f'[topic]\nkeywords = "wind"\nseeds = ["https://wind.example/"]\n[backlinks]\n{lines}'
    (tmp_path / "wind.toml").write_text(text)
    with pytest.raises(FocusedError) as error:
        load_topic("wind", strategies, topics_dir=tmp_path)
    (line,) = str(error.value).splitlines()
    assert "wind.toml: [backlinks]" in line
    assert told in line


def test_a_topic_shows_its_provider() -> None:
    topic = Topic(name="x", keywords=("a",), seeds=(A,), backlinks=BacklinkOptions(provider="web"))
    assert topic.as_dict()["backlinks"]["provider"] == "web"
