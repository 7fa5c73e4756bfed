"""What a Wikipedia article links to outside, and what a category holds, by the API of MediaWiki.

Where its robots.txt bars the API, the page itself is read instead: for an article that gives the same links.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

from focused.exceptions import SearchError
from focused.seeds.searching.search_provider import Found
from focused.seeds.searching.seed_lists import SeedList, ranked_urls, read_list
from focused.seeds.searching.web_questions import WebQuestions

#: Domains of wikis whose API lies at /w/api.php and whose pages lie at /wiki/.
WIKIS = ("wikipedia.org", "wikibooks.org", "wikiversity.org", "wikivoyage.org", "wiktionary.org", "wikinews.org")
PAGES = "/wiki/"
CATEGORY = 14  #: number of the namespace
MOST_MEMBERS = 50  #: articles of a category


def is_wiki_page(url: str) -> bool:
    """Whether a URL is that of a page of one of `WIKIS`."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.path.startswith(PAGES) and any(f".{host}".endswith(f".{wiki}") for wiki in WIKIS)


async def wiki_links(url: str, web: WebQuestions) -> SeedList:
    """The links of an article to other sites; of a category its articles, and the sites that most of them link to.

    Raises SearchError where neither the API nor the page can be had, or nothing is found.
    """
    title = unquote(urlsplit(url).path.removeprefix(PAGES)).replace("_", " ")
    try:
        pages = await _pages(url, web, titles=title, prop="extlinks", ellimit="max")
        if not any(page.get("ns") == CATEGORY for page in pages):
            return _listed("links of an article", _outside(pages))
        of_category = {
            "generator": "categorymembers",
            "gcmtitle": title,
            "gcmtype": "page",
            "gcmlimit": str(MOST_MEMBERS),
        }
        members = await _pages(url, web, prop="extlinks", ellimit="max", **of_category)
        return _listed("a category", [*(_address(url, page) for page in members), *_outside(members)])
    except SearchError as error:
        if "robots.txt" not in str(error):
            raise
    answer = await web.ask(url)
    content_type = (answer.headers.get("Content-Type") or b"").decode("latin-1")
    return read_list(answer.body, content_type, answer.url)


async def _pages(url: str, web: WebQuestions, **question: str) -> list[dict[str, Any]]:
    """The pages in an answer of the API."""
    parts = urlsplit(url)
    query = urlencode({"action": "query", "format": "json", "formatversion": "2", **question})
    answer = await web.ask(f"{parts.scheme}://{parts.netloc}/w/api.php?{query}", accept="application/json")
    try:
        pages = json.loads(answer.body)["query"]["pages"]
    except (ValueError, RecursionError, LookupError, TypeError):
        raise SearchError("its API says nothing of such a page") from None
    return [page for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []


def _outside(pages: Iterable[dict[str, Any]]) -> list[str]:
    """URLs that the pages link to, first those that most of them have."""
    counts = Counter(
        link["url"]
        for page in pages
        if isinstance(links := page.get("extlinks"), list)
        for link in links
        if isinstance(link, dict) and isinstance(link.get("url"), str)
    )
    return [f"https:{url}" if url.startswith("//") else url for url, _ in counts.most_common()]


def _address(url: str, page: dict[str, Any]) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{PAGES}{quote(str(page.get('title', '')).replace(' ', '_'))}"


def _listed(kind: str, urls: Iterable[str]) -> SeedList:
    found: list[Found] = ranked_urls((url, "") for url in urls)
    if not found:
        raise SearchError("there is no such page, or it links to no other site")
    return SeedList(kind, found)
