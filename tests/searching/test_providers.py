"""Each provider asks as its protocol says, and an answer of another kind is one line."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest

from focused.exceptions import FocusedError, SearchError
from focused.page.reader import Reader, ReadingOptions
from focused.seeds.searching.search_options import provider_specs
from focused.seeds.searching.search_providers import Ddgs, OwnCollections, Searxng, check_specs, open_providers
from tests import small_web
from tests.commands.running import crawled
from tests.searching.stand_ins import Web, now, query_in, results

READER = Reader(ReadingOptions())
A, B = "http://a.example/1", "http://b.example/2"


def urls(found: Any) -> list[str]:
    return [one.url for one in found]


class TestSearxng:
    @pytest.mark.parametrize(
        "base", ["http://127.0.0.1:8888", "http://127.0.0.1:8888/", "http://127.0.0.1:8888/search"]
    )
    def test_the_json_api_is_asked(self, base: str) -> None:
        web = Web({"http://127.0.0.1:8888/search?q=solar+%26+wind&format=json": results(A, B)})
        provider = Searxng(base, web)
        assert urls(now(provider.search("solar & wind", 10))) == [A, B]
        assert web.named == ["http://127.0.0.1:8888"]
        assert provider.name == "searxng 127.0.0.1:8888"

    def test_no_more_is_taken_than_is_wanted(self) -> None:
        web = Web({"http://s.example/search?q=sun&format=json": results(A, B)})
        assert urls(now(Searxng("http://s.example", web).search("sun", 1))) == [A]

    @pytest.mark.parametrize(
        ("answer", "told"),
        [
            (403, "json must stand below formats"),
            (429, "429"),
            (b"<html>results</html>", "not JSON, but a page"),
            (b"{}", "no list"),
        ],
    )
    def test_what_is_no_answer_says_why(self, answer: bytes | int, told: str) -> None:
        with pytest.raises(SearchError, match=told):
            now(
                Searxng("http://s.example", Web({"http://s.example/search?q=sun&format=json": answer})).search("sun", 9)
            )


class Library:
    """Stands for ddgs.DDGS."""

    answer: Any = ()

    def __init__(self, timeout: int) -> None:
        self.timeout = timeout

    def text(self, query: str, *, max_results: int, backend: str) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return [{"href": url, "title": query, "body": backend} for url in self.answer]


@pytest.fixture
def ddgs(monkeypatch: pytest.MonkeyPatch) -> type[Library]:
    module = ModuleType("ddgs")
    module.DDGS = type("DDGS", (Library,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ddgs", module)
    return module.DDGS  # type: ignore[no-any-return,attr-defined]


class TestDdgs:
    def test_the_library_is_asked(self, ddgs: type[Library]) -> None:
        ddgs.answer = [A, B]
        found = now(Ddgs("brave").search("sun", 9))
        assert [(one.url, one.title, one.snippet) for one in found] == [(A, "sun", "brave"), (B, "sun", "brave")]

    def test_finding_nothing_is_no_failure(self, ddgs: type[Library]) -> None:
        ddgs.answer = RuntimeError("No results found.")
        assert now(Ddgs().search("sun", 9)) == []

    def test_its_errors_are_one_line(self, ddgs: type[Library]) -> None:
        ddgs.answer = RuntimeError("202\nRatelimit")
        with pytest.raises(SearchError, match=r"^RuntimeError: 202 Ratelimit$"):
            now(Ddgs().search("sun", 9))

    def test_without_it_the_extra_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "ddgs", None)
        with pytest.raises(FocusedError, match=r"pip install 'scrapy-focused\[search\]"):
            Ddgs()


class TestOwnCollections:
    def test_pages_are_found_by_their_words(self, tmp_path: Path) -> None:
        order = crawled(tmp_path / "mine")
        found = now(OwnCollections([tmp_path / "mine"]).search("solar", 5))
        assert {one.url for one in found} <= set(order)
        assert found

    def test_what_is_no_collection_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(SearchError, match="no such collection"):
            now(OwnCollections([tmp_path / "none"]).search("solar", 5))

    def test_hubs_link_to_several(self, tmp_path: Path) -> None:
        crawled(tmp_path / "mine")
        good = [small_web.url_of(2), small_web.url_of(3)]
        both = {url for url, markup in small_web.WEB.items() if all(f'"{link}"' in markup for link in good)} - set(good)
        (hubs,) = open_providers(["hubs"], Web({}), READER, tmp_path).hubs
        found = now(hubs.linking_to(good, 50))
        assert {one.url for one in found} == both
        assert {one.snippet for one in found} == {"links to 2 of the best pages"}


class TestSpecs:
    @pytest.mark.parametrize(
        ("value", "specs"),
        [("ddgs  searxng:http://a.example/", ["ddgs", "searxng:http://a.example/"]), (["ddgs"], ["ddgs"]), (None, [])],
    )
    def test_a_setting_is_a_list_or_text_with_blanks(self, value: object, specs: list[str]) -> None:
        assert provider_specs(value) == specs

    def test_good_ones_pass(self) -> None:
        check_specs(["searxng:http://127.0.0.1:8888", "ddgs"])

    @pytest.mark.parametrize(
        ("spec", "told"),
        [
            ("serxng:http://a.example", "did you mean searxng?"),
            ("searxng", "write searxng:https://HOST/"),
            ("searxng:a.example", "write https://a.example"),
            ("searxng:ftp://a.example", "not an http"),
            ("searxng:http://me:secret@a.example", "never sent on"),
            ("searxng:http://a.example/?key=secret", "write searxng:https://HOST/, without ?"),
            ("searxng:http://a.example/#x", "write searxng:https://HOST/, without ?"),
        ],
    )
    def test_mistakes_are_told_before_anything_is_asked(self, spec: str, told: str) -> None:
        with pytest.raises(SearchError) as error:
            check_specs([spec, "ddgs"])
        assert told in str(error.value)
        assert "secret" not in str(error.value)

    @pytest.mark.parametrize("specs", [["hubs"], ["hubs:a", "hubs:b"]])
    def test_hubs_need_pages_to_start_from(self, specs: list[str]) -> None:
        with pytest.raises(SearchError, match=r"^hubs needs pages to start from: add --from or another"):
            check_specs(specs)
        check_specs(specs, ["bookmarks.html"])
        check_specs([*specs, "ddgs"])

    def test_without_a_collection_there_is_nobody_to_ask(self, tmp_path: Path) -> None:
        with pytest.raises(SearchError, match="no collection yet"):
            open_providers(["collections"], Web({}), READER, tmp_path)


def test_a_query_is_quoted_whole() -> None:
    web = Web({})
    with pytest.raises(SearchError):
        now(Searxng("http://s.example", web).search("a&format=html#x", 9))
    assert query_in(web.asked[0]) == "a&format=html#x"
    assert quote("#") in web.asked[0]
