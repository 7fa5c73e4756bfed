"""The links of a web are read as a crawl may follow them, once, and tell what can be reached."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focused.page.reader import Reader, ReadingOptions
from focused.simulation.analysed_web import AnalysedWeb, AnalysisCache
from focused.simulation.recorded_web import Answer, html_answer
from focused.topic.topic import Scope
from lab.crawlers.web_links import NO_PAGE, WebLinks, links_of, reachable_urls
from tests.crawls.mock_web import page, redirect
from tests.simulation.simulated import SmallWeb


def nodes(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


# URL 1 redirects to page 3, URL 2 fails; page 0 links to all and twice to 3, page 3 to itself and to 0.
KEYS = np.array([-7, 5, 40, 41], np.int64)
LINKS = WebLinks.joined(KEYS, nodes(0, 3, NO_PAGE, 3), [nodes(1, 2, 3, 3), nodes(), nodes(), nodes(3, 0)])


def test_a_link_leads_to_the_page_at_the_end_of_a_redirect_and_counts_once():
    forward = LINKS.forward()
    assert [forward.of(nodes(node)).tolist() for node in range(4)] == [[3], [], [], [0]]


def test_backward_are_the_pages_that_link_to_a_page():
    backward = LINKS.backward()
    assert [backward.of(nodes(node)).tolist() for node in range(4)] == [[3], [], [], [0]]
    assert WebLinks.joined(KEYS, nodes(0, 1, 2, 3), [nodes(1), nodes(), nodes(1), nodes()]).backward().of(
        nodes(1)
    ).tolist() == [0, 2]


def test_what_can_be_reached_is_what_links_lead_to_and_where_they_start():
    chain = WebLinks.joined(KEYS, nodes(0, 1, 2, 3), [nodes(1), nodes(2, 0), nodes(), nodes(0)])
    assert [np.flatnonzero(chain.reachable(nodes(start))).tolist() for start in (0, 2, 3)] == [
        [0, 1, 2],
        [2],
        [0, 1, 2, 3],
    ]
    assert not chain.reachable(nodes(NO_PAGE)).any()


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


ON_TWO_HOSTS = {
    SEED: page("", "/b", OTHER, f"{OTHER}moved"),
    f"{SEED}b": page("", OTHER),
    OTHER: page("", f"{SEED}b"),
    f"{OTHER}moved": redirect(f"{SEED}b"),
}


@pytest.mark.parametrize(("obeyed", "found"), [("page", ["x"]), ("links", []), ("ignore", ["x", "y"])])
def test_nofollow_is_obeyed_as_the_topic_says(obeyed, found):
    answers = {
        SEED: html_answer(b"<p><a rel=nofollow href=/b>b</a>"),
        f"{SEED}b": html_answer(b"<meta name=robots content=nofollow><p><a href=/>home</a>"),
    }
    names = {SEED: "x", f"{SEED}b": "y"}
    assert [names[url] for url in survey(answers, nofollow=obeyed)] == found


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


ROOT = "http://a.example/"
#: start -> moved (redirects to here) -> there; island is linked from nowhere
WEB = {
    ROOT: page("start", "/moved"),
    f"{ROOT}moved": redirect("/here"),
    f"{ROOT}here": page("here", "/there"),
    f"{ROOT}there": page("there"),
    f"{ROOT}island": page("island", "/there"),
}


@pytest.mark.parametrize(
    ("seed", "expected"),
    [("", ["", "here", "there"]), ("moved", ["here", "there"]), ("island", ["island", "there"]), ("nowhere", [])],
)
def test_links_and_redirects_are_followed_to_pages(seed: str, expected: list[str]) -> None:
    web = AnalysedWeb(SmallWeb(WEB), Reader(ReadingOptions()))
    wanted = [*WEB, f"{ROOT}nowhere"]
    found = reachable_urls(links_of(web, Scope()), web.reader.rules, [f"{ROOT}{seed}"], wanted)
    assert found == {f"{ROOT}{path}" for path in expected}
