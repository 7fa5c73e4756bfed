"""With FOCUSED_IDENTITY all that a crawl sends is signed: pages, robots.txt, redirects, each for its own server."""

from pathlib import Path

from focused.live.identity import Identity
from tests.crawls.crawling import crawl, fetched
from tests.crawls.mock_web import MockWeb, page, redirect, serving
from tests.live.test_identity import Sent, verify

SEEDS = ("http://a.example/", "http://b.example:8080/")


def web() -> MockWeb:
    answers = {
        SEEDS[0]: page("solar energy", "/moved"),
        "http://a.example/moved": redirect("http://c.example/new"),
        "http://c.example/new": page("solar energy again"),
        SEEDS[1]: page("solar energy elsewhere"),
    }
    return MockWeb(answers)


def test_every_request_is_signed_for_the_server_that_gets_it(tmp_path: Path) -> None:
    identity = Identity.new("https://bot.example.org")
    identity.write(tmp_path / "identity.toml")
    settings = (f"FOCUSED_IDENTITY={tmp_path / 'identity.toml'}",)
    with serving(web()) as mock:
        ended = crawl(mock, tmp_path, SEEDS, settings=settings, scope__ports="8080")
    assert ended.code == 0, ended.log
    assert sorted(fetched(tmp_path)) == [*SEEDS, "http://c.example/new"]
    assert {f"http://{host}/robots.txt" for host in ("a.example", "b.example:8080", "c.example")} <= {
        asked.url for asked in mock.asked
    }
    for asked in mock.asked:
        verify(Sent(asked.url, asked.headers), identity.directory())


def test_a_crawl_without_its_key_does_not_begin(tmp_path: Path) -> None:
    with serving(web()) as mock:
        ended = crawl(mock, tmp_path, SEEDS, settings=(f"FOCUSED_IDENTITY={tmp_path / 'lost.toml'}",))
    assert ended.code == 1
    assert "lost.toml: No such file or directory; scrapy identity new writes one" in ended.log
    assert ended.plain, ended.log
    assert mock.asked == []


def test_without_an_identity_nothing_is_signed(tmp_path: Path) -> None:
    with serving(web()) as mock:
        crawl(mock, tmp_path, SEEDS)
    assert all("signature" not in asked.headers for asked in mock.asked)
