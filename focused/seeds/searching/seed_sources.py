"""Where a person has URLs already: a file, an address, an earlier crawl, an article of Wikipedia."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from focused.collection.collection import DATABASE, opened
from focused.collection.store import IS_VERSION
from focused.exceptions import FocusedError, SearchError
from focused.page.urls import UrlRules
from focused.seeds.searching.judged_pages import Origin
from focused.seeds.searching.search_provider import Found
from focused.seeds.searching.seed_lists import MOST_BYTES, SeedList, ranked_urls, read_list
from focused.seeds.searching.web_questions import WebQuestions
from focused.seeds.searching.wiki_links import is_wiki_page, wiki_links
from focused.topic.plain_files import at_home
from focused.topic.topic import http_url

MOST_OF_A_CRAWL = 100  #: pages of an earlier crawl, the most relevant ones
MOST_SITEMAPS = 5  #: of an index, that are read
BEST = f"""
SELECT u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url
WHERE {IS_VERSION} AND f.relevant ORDER BY f.relevance DESC, f.seq LIMIT {MOST_OF_A_CRAWL}"""

Listed = tuple[Origin, Sequence[Found]]


def check_source(source: str, data: Path) -> None:
    """Raise SearchError for a source that cannot be one: told before anything is asked."""
    if "://" in source:
        try:
            http_url(source)
        except ValueError as error:
            raise SearchError(f"--from {source}: {error}") from None
    elif not at_home(source).exists() and _collection(source, data) is None:
        raise SearchError(f"--from {source}: no such file, and no collection of this name in {data}")


async def listed_in(source: str, data: Path, web: WebQuestions, tell: Callable[[str], None]) -> Listed | None:
    """The URLs of a source. One that cannot be read costs one line, and gives None."""
    try:
        listed = await _listed(source, data, web)
    except (FocusedError, OSError) as error:
        tell(f"--from {source}: {getattr(error, 'strerror', None) or error}")
        return None
    return Origin(f"{listed.kind} {_short(source)}"), listed.found


async def _listed(source: str, data: Path, web: WebQuestions) -> SeedList:
    if (folder := _collection(source, data)) is not None:
        return _best_pages(folder)
    if "://" not in source:
        path = at_home(source)
        if not path.is_file():
            raise SearchError("it is no file, but a folder or a device")
        if path.stat().st_size > MOST_BYTES:
            raise SearchError(f"it is longer than {MOST_BYTES:,} bytes")
        listed = read_list(path.read_bytes())
    elif is_wiki_page(source):
        return await wiki_links(source, web)
    else:
        listed = await _at(source, web)
    for sitemap in listed.sitemaps[:MOST_SITEMAPS]:
        if UrlRules().canonical(sitemap):
            listed.found.extend((await _at(sitemap, web, named="")).found)
    return listed


async def _at(url: str, web: WebQuestions, *, named: str | None = None) -> SeedList:
    answer = await web.ask(url, named=url if named is None else named)
    content_type = (answer.headers.get("Content-Type") or b"").decode("latin-1")
    return read_list(answer.body, content_type, answer.url)


def _collection(name: str, data: Path) -> Path | None:
    """The folder of a collection, by its name or path."""
    if "://" in name:
        return None
    return next((folder for folder in (at_home(name), data / name) if (folder / DATABASE).is_file()), None)


def _best_pages(folder: Path) -> SeedList:
    with opened(folder) as store:
        found = ranked_urls((url, title or "") for url, title in store.execute(BEST))
    if not found:
        raise SearchError("this crawl found no relevant page")
    return SeedList("best pages of", found)


def _short(source: str) -> str:
    return urlsplit(source).netloc or Path(source).name
