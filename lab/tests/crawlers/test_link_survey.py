"""The survey of a web finds the links that a crawl may follow, and finds them once."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from focused.reading.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.analysis_cache import AnalysisCache
from focused.simulation.recorded_web import Answer, html_answer
from focused.topic.topic import Scope
from lab.crawlers.web_links import WebLinks, links_of
from tests.live.mock_web import page, redirect
from tests.simulation.simulated import SmallWeb

SEED, OTHER = "http://a.example/", "http://b.example/"
RULES = Reader(ReadingOptions()).rules


def web_of(answers: dict[str, Answer], cache: AnalysisCache | None = None) -> AnalysedWeb:
    return AnalysedWeb(SmallWeb(answers), Reader(ReadingOptions()), cache)


def survey(answers: dict[str, Answer], **scope: object) -> dict[str, list[str]]:
    """URLs of the pages that each page links to."""
    return by_url(links_of(web_of(answers), Scope(**scope)), answers)


def by_url(links: WebLinks, answers: dict[str, Answer]) -> dict[str, list[str]]:
    urls = {links.node(RULES.key(url)): url for url in answers}
    forward = links.forward()
    return {
        url: sorted(
            urls[target] for target in forward.neighbours[forward.start[node] : forward.start[node + 1]].tolist()
        )
        for node, url in urls.items()
        if forward.start[node] < forward.start[node + 1]
    }


def test_links_lead_through_redirects_and_not_to_failures_or_out_of_the_recording():
    answers = {
        SEED: page("", "/moved", "/gone", "/picture", "/b", "http://unknown.example/"),
        f"{SEED}moved": redirect("/moved/again"),
        f"{SEED}moved/again": redirect(OTHER),
        f"{SEED}gone": Answer(404, (), b"gone"),
        f"{SEED}picture": Answer(200, (("Content-Type", "image/png"),), b"png"),
        f"{SEED}b": page("", "/"),
        OTHER: page("", "/"),
    }
    assert survey(answers) == {SEED: [f"{SEED}b", OTHER], f"{SEED}b": [SEED]}


def test_redirects_in_a_circle_or_to_nowhere_lead_nowhere():
    answers = {
        SEED: page("", "/b", "/c", "/d", "/e"),
        f"{SEED}b": redirect("/c"),
        f"{SEED}c": redirect("/b"),
        f"{SEED}d": redirect("mailto:me@a.example"),
        f"{SEED}e": redirect("http://unknown.example/"),
    }
    assert survey(answers) == {}


ON_TWO_HOSTS = {
    SEED: page("", "/b", OTHER, f"{OTHER}moved"),
    f"{SEED}b": page("", OTHER),
    OTHER: page("", f"{SEED}b"),
    f"{OTHER}moved": redirect(f"{SEED}b"),
}


def test_what_the_scope_bars_is_not_linked_to():
    assert survey(ON_TWO_HOSTS, denied_hosts=("b.example",)) == {SEED: [f"{SEED}b"], OTHER: [f"{SEED}b"]}
    assert survey(ON_TWO_HOSTS, deny=("b$",)) == {SEED: [OTHER], f"{SEED}b": [OTHER]}


@pytest.mark.parametrize(("obeyed", "found"), [("page", ["x"]), ("links", []), ("ignore", ["x", "y"])])
def test_nofollow_is_obeyed_as_the_topic_says(obeyed, found):
    answers = {
        SEED: html_answer(b"<p><a rel=nofollow href=/b>b</a>"),
        f"{SEED}b": html_answer(b"<meta name=robots content=nofollow><p><a href=/>home</a>"),
    }
    names = {SEED: "x", f"{SEED}b": "y"}
    assert [names[url] for url in survey(answers, nofollow=obeyed)] == found


def test_a_page_in_another_language_gives_no_links():
    answers = {SEED: html_answer(b"<html lang=de><p><a href=/b>b</a>"), f"{SEED}b": page("", "/")}
    assert survey(answers) == {SEED: [f"{SEED}b"], f"{SEED}b": [SEED]}
    assert survey(answers, languages=("en",)) == {f"{SEED}b": [SEED]}


def test_content_types_out_of_scope_are_no_pages():
    answers = {SEED: page("", "/b"), f"{SEED}b": Answer(200, (("Content-Type", "text/plain"),), b"text")}
    assert survey(answers) == {SEED: [f"{SEED}b"]}
    assert survey(answers, content_types=("text/html",)) == {}


def test_it_tells_how_far_it_has_come_and_is_not_counted_as_a_crawl():
    web, told = web_of(ON_TWO_HOSTS), []
    links_of(web, Scope(), lambda done, most: told.append((done, most)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert (web.links, web.hidden) == (0, 0)


class TestOnDisk:
    @pytest.fixture
    def cache(self, tmp_path: Path):
        cache = AnalysisCache(tmp_path / "web.sqlite")
        yield cache
        cache.close()

    def files(self, cache: AnalysisCache) -> list[Path]:
        return sorted(cache.path.parent.glob("web-links-*"))

    def test_the_links_are_read_once_for_a_scope(self, cache):
        first, second = web_of(ON_TWO_HOSTS, cache), web_of(ON_TWO_HOSTS, cache)
        read = by_url(links_of(first, Scope()), ON_TWO_HOSTS)
        told: list[int] = []
        assert by_url(links_of(second, Scope(), lambda done, _: told.append(done)), ON_TWO_HOSTS) == read
        assert not told
        links_of(second, Scope(deny=("b$",)))
        assert len(self.files(cache)) == 2

    @pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 not all of it", b"no such file"])
    def test_a_damaged_file_is_written_anew(self, cache, damage, caplog):
        web = web_of(ON_TWO_HOSTS, cache)
        read = by_url(links_of(web, Scope()), ON_TWO_HOSTS)
        (file,) = self.files(cache)
        file.write_bytes(damage)
        with caplog.at_level(logging.WARNING):
            assert by_url(links_of(web, Scope()), ON_TWO_HOSTS) == read
        assert f"{file}: damaged" in caplog.text
        caplog.clear()
        assert by_url(links_of(web, Scope()), ON_TWO_HOSTS) == read
        assert not caplog.text
        assert self.files(cache) == [file]
