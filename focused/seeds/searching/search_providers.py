"""The providers that a search asks: what each gives, their kinds, and those a person names in FOCUSED_SEARCH or with --provider."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

from scrapy.settings import BaseSettings

from focused.collection.collection import PAGES, collections, data_folder, open_repository, opened
from focused.crawl.backlinks import Backlinks
from focused.exceptions import FocusedError, SearchError, needs_extra
from focused.inspection.search import Search, SearchFilter
from focused.inspection.search_query import query_of, unmarked
from focused.live.last_run import last_run
from focused.live.robots.robot import obedient_as
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.reader import Reader
from focused.page.urls import MAX_LENGTH, UrlRules, without_secrets
from focused.seeds.backlinks.augmentation import find_hubs
from focused.seeds.backlinks.providers import EarlierCrawls, open_backlinks
from focused.seeds.searching.search_options import HOW, KINDS
from focused.seeds.searching.web_questions import WebQuestions
from focused.topic.mistakes import shown, unknown
from focused.topic.plain_files import at_home
from focused.topic.topic import Topic, http_url

LONGEST_QUERY = 200  #: characters


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page that a provider names.

    url : as the provider spells it, whatever that is: nobody has looked at it yet
    rank : its place in the answer, from 1
    """

    url: str
    title: str = ""
    snippet: str = ""
    rank: int = 0


class SearchProvider(Protocol):
    """Somebody who can be asked."""

    @property
    def name(self) -> str:
        """What a person reads of it, such as ``searxng 127.0.0.1:8888``; no key that its address may hold."""

    async def search(self, query: str, most: int) -> list[SearchResult]:
        """The pages that it names for a query, the best first, ``most`` at most. Raises SearchError where it does not answer."""


MOST = 200  #: pages that are taken from an answer
LONGEST_SNIPPET = 1000  #: characters


def results_in_json(body: bytes) -> list[SearchResult]:
    """The pages in an answer as SearXNG gives it. Raises SearchError for one that is no JSON, or has no list of results."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        what = "a page (HTML)" if body.lstrip()[:1] == b"<" else "something else"
        raise SearchError(f"the answer is not JSON, but {what}") from None
    rows = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise SearchError("no list of results is found in the answer")
    found = ([row.get(name) for name in ("url", "title", "content")] for row in rows if isinstance(row, dict))
    return ranked([value if isinstance(value, str) else "" for value in values] for values in found)


def ranked(found: Iterable[Iterable[str]]) -> list[SearchResult]:
    """Pages with their ranks, from URLs, titles and snippets, `MOST` at most; texts are cut and made plain.

    What has no URL, or one that is too long, is left out.
    """
    usable = islice(((url, *texts) for url, *texts in found if url and len(url) <= MAX_LENGTH), MOST)
    return [
        SearchResult(url.strip(), plain(title, LONGEST_TITLE), plain(snippet, LONGEST_SNIPPET), rank)
        for rank, (url, title, snippet) in enumerate(usable, 1)
    ]


LONGEST_QUESTION = 90.0  #: seconds that a provider may take for an answer, its delays included

logger = logging.getLogger(__name__)


async def answer_of(
    name: str, asking: Awaitable[list[SearchResult]], seconds: float = LONGEST_QUESTION
) -> list[SearchResult]:
    """What a provider found. Raises SearchError, which says why there is no answer."""
    try:
        return await asyncio.wait_for(asking, seconds)
    except TimeoutError:
        raise SearchError("no answer in time") from None
    except FocusedError as error:
        raise SearchError(str(error)) from error
    except Exception as error:  # a library of others meets what nobody foresaw
        logger.debug("An answer of %s", name, exc_info=True)
        raise SearchError("its answer cannot be read") from error


FORBIDDEN = 403  #: what an instance says that does not answer in JSON


class Searxng:
    """An instance, by its base URL such as ``http://127.0.0.1:8888``. A question is one page of its results."""

    def __init__(self, base: str, web: WebQuestions) -> None:
        self._base, self._web = base.rstrip("/").removesuffix("/search"), web
        self.name = f"searxng {urlsplit(base).netloc}"

    async def search(self, query: str, most: int) -> list[SearchResult]:
        url = f"{self._base}/search?{urlencode({'q': query, 'format': 'json'})}"
        try:
            answer = await self._web.ask(url, named=self._base, accept="application/json")
        except SearchError as error:
            if str(error).endswith(f" {FORBIDDEN}"):
                raise SearchError(f"{error}: json must stand below formats in its settings.yml") from None
            raise
        own = f"//{urlsplit(self._base).netloc}/"  # whose pages are answers to other questions
        return [one for one in results_in_json(answer.body) if own not in one.url[: len(own) + 6]][:most]


BACKENDS = "auto"  #: ddgs chooses
TIMEOUT = 10  #: seconds for each engine
PAUSE = 2.0  #: seconds between two questions
NOTHING = "no results"  #: what ddgs says, as an error, where nothing is found


class Ddgs:
    """Asks one engine after the other, in a thread.

    backends : names of engines, with commas between, as ddgs has them

    Raises FocusedError where the package is missing.
    """

    def __init__(self, backends: str = BACKENDS) -> None:
        with needs_extra("search", "searching with ddgs"):
            from ddgs import DDGS  # slow to import, and few ask it

        self._engines: Any = DDGS(timeout=TIMEOUT)
        self._backends = backends
        self._free_from = 0.0
        self.name = "ddgs" if backends == BACKENDS else f"ddgs {backends}"

    async def search(self, query: str, most: int) -> list[SearchResult]:
        await asyncio.sleep(max(0.0, self._free_from - time.monotonic()))
        try:
            how = {"max_results": most, "backend": self._backends}
            rows = await asyncio.to_thread(lambda: list(self._engines.text(query, **how)))
        except Exception as error:  # of ddgs, or of whatever it is built on
            if NOTHING in str(error).lower():
                return []
            raise SearchError(plain(f"{type(error).__name__}: {error}", 150)) from None
        finally:
            self._free_from = time.monotonic() + PAUSE
        return ranked((row.get("href", ""), row.get("title", ""), row.get("body", "")) for row in rows)[:most]


LEAST_LINKS = 2  #: good pages that a hub links to, as in `scrapy topics augment`


class OwnCollections:
    """Asks each collection in turn; their answers are mixed by rank. The first question brings an index up to date."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        names = ", ".join(folder.name for folder in folders)
        self.name = f"collections {names}" if len(names) <= 40 else f"{len(folders)} collections"

    async def search(self, query: str, most: int) -> list[SearchResult]:
        lists = await asyncio.to_thread(lambda: [_hits(folder, query, most) for folder in self._folders])
        return sorted((found for hits in lists for found in hits), key=lambda found: found.rank)[:most]


class Hubs:
    """Asks a provider of backlinks who links to pages that were found to be good."""

    def __init__(self, backlinks: Backlinks, name: str) -> None:
        self._backlinks, self.name = backlinks, name

    async def linking_to(self, urls: Sequence[str], most: int) -> list[SearchResult]:
        """Pages that link to at least `LEAST_LINKS` of these canonical URLs. Raises SearchError where nobody answers."""
        try:
            known = await asyncio.to_thread(self._backlinks.backlinks_of, list(urls))
        except FocusedError as error:
            raise SearchError(str(error)) from None
        hubs = find_hubs(known, LEAST_LINKS, left_out=urls)
        return ranked((hub.url, "", f"links to {hub.hub_score} of the best pages") for hub in hubs[:most])


def _hits(folder: Path, query: str, most: int) -> list[SearchResult]:
    """Raises SearchError, which names the collection."""
    try:
        with opened(folder) as store:
            run = last_run(store)
            search = Search(folder, run.reading, open_repository(run.pages, folder / PAGES))
            hits = search.hits(query_of(query), SearchFilter(), most, lambda *_: None)
    except FocusedError as error:
        raise SearchError(str(error)) from None
    return ranked((hit.url, hit.title, unmarked(hit.excerpt)) for hit in hits)


BACKLINKS_OF_A_PAGE = 50  #: that collections are asked for


@dataclass
class Providers:
    """Who is asked: for pages with some words, and for pages that link to good ones."""

    searching: list[SearchProvider] = field(default_factory=list)
    hubs: list[Hubs] = field(default_factory=list)


def check_specs(specs: Sequence[str], sources: Sequence[str] = ()) -> None:
    """Raise SearchError with all mistakes, one a line.

    sources : of pages that a person has already
    """
    mistakes = [f"provider {shown(shown_spec(spec))}: {why}" for spec in specs if (why := _mistake(spec))]
    if mistakes:
        raise SearchError("\n".join(mistakes))
    if specs and not sources and all(spec.partition(":")[0] == "hubs" for spec in specs):
        raise SearchError("hubs needs pages to start from: add --from or another provider")


def open_providers(specs: Sequence[str], web: WebQuestions, reader: Reader, data: Path) -> Providers:
    """The providers of specs that `check_specs` has nothing against.

    data : folder of the user's collections

    Raises SearchError where there is no collection to ask, FocusedError where a package is missing.
    """
    opened = Providers()
    for spec in specs:
        kind, _, rest = spec.partition(":")
        match kind:
            case "searxng":
                opened.searching.append(Searxng(rest, web))
            case "ddgs":
                opened.searching.append(Ddgs(rest or BACKENDS))
            case "collections":
                opened.searching.append(OwnCollections(_folders(rest, data)))
            case _:
                earlier = EarlierCrawls(_folders(rest, data), reader.rules, BACKLINKS_OF_A_PAGE)
                opened.hubs.append(Hubs(earlier, "hubs"))
    return opened


def hubs_of_backlinks(topic: Topic, rules: UrlRules, settings: BaseSettings) -> list[Hubs]:
    """The provider of backlinks that the topic names, if it is one of the Web or of the user's collections."""
    provider, data = topic.backlinks.provider, data_folder(settings)
    if provider not in ("crawls", "api"):
        return []
    agent, robot = settings["USER_AGENT"] or "", obedient_as(settings)
    backlinks = open_backlinks(topic, rules, data, user_agent=agent, robot=robot)
    return [Hubs(backlinks, f"backlinks {provider}")] if backlinks else []


def shown_spec(spec: str) -> str:
    """A spec as it may be shown: a query may hold a key."""
    address, mark, _ = without_secrets(spec).partition("?")
    return f"{address}{mark and '?...'}"


def _mistake(spec: str) -> str:
    kind, _, rest = spec.partition(":")
    if kind not in KINDS:
        return f"{shown(kind)} is {unknown(kind, KINDS, plural='kinds')}; as in {HOW}"
    if kind != "searxng":
        return ""
    if not rest:
        return f"write {KINDS[kind]}"
    if "?" in rest or "#" in rest:
        return f"write {KINDS[kind]}, without ? and what follows it"
    try:
        http_url(rest)
    except ValueError as error:
        return str(error)
    return ""


def _folders(names: str, data: Path) -> list[Path]:
    """The folders of collections: those that are named, or all."""
    if names:
        return [data / at_home(name) for name in names.split(",") if name]
    if found := collections(data):
        return [data / name for name in found]
    raise SearchError(f"{data}: no collection yet that could be asked; crawl one first, or name another provider")
