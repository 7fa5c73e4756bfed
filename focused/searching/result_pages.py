"""The pages that an answer names, whatever its form: JSON, Atom, RSS, or a page of results of which only the links are read.

Whoever wrote an answer may mean harm: XML is read without entities and without the network, to a limited depth, and no more than
`MOST` pages are taken from any answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from focused.exceptions import SearchError
from focused.reading.decoding import HTML_TYPES, media_type
from focused.reading.link_lists import FEED, read_link_list
from focused.reading.page import Page
from focused.reading.plain_text import LONGEST_TITLE, plain
from focused.reading.reader import Reader
from focused.reading.urls import MAX_LENGTH
from focused.reading.xml_documents import local_name, parsed_xml
from focused.searching.search_provider import Found

MOST = 200  #: pages that are taken from an answer
LONGEST_SNIPPET = 1000  #: characters
#: How answers in JSON call what they hold, the usual name first.
LISTS = ("results", "items", "hits", "data", "web", "value", "docs", "organic")
URLS, TITLES = ("url", "link", "href", "html_url", "uri"), ("title", "name")
SNIPPETS = ("content", "snippet", "description", "body", "summary", "text")


def results_of(body: bytes, content_type: str, url: str, reader: Reader) -> list[Found]:
    """The pages that an answer names, in its order, each with its rank. Raises SearchError for one that cannot be understood."""
    if not body:
        raise SearchError("the answer is empty")
    kind = media_type(content_type, body)
    first = body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if kind.endswith(("/json", "+json")) or (first in b"[{" and kind not in HTML_TYPES):
        return results_in_json(body)
    if kind in HTML_TYPES:
        return _links(reader.read(url, body, content_type))
    if first == b"<":
        return _entries(body)
    raise SearchError(f"the answer is {plain(kind, 60)}, in which no results can be found")


def results_in_json(body: bytes) -> list[Found]:
    """The pages in an answer in JSON. Raises SearchError for one that is none, or in which no list of results is found."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        what = "a page (HTML)" if body.lstrip()[:1] == b"<" else "something else"
        raise SearchError(f"the answer is not JSON, but {what}") from None
    rows = _rows(answer)
    if rows is None:
        raise SearchError("no list of results is found in the answer")
    return ranked((_first(row, URLS), _first(row, TITLES), _first(row, SNIPPETS)) for row in rows)


def _rows(answer: Any) -> Sequence[Any] | None:
    """The list of results in an answer; None where there is none."""
    if isinstance(answer, list) and len(answer) == 4 and isinstance(answer[0], str):
        if all(isinstance(part, list) for part in answer[1:]):  # suggestions of OpenSearch: titles, descriptions, URLs
            return [{"title": t, "snippet": s, "url": u} for t, s, u in zip(*answer[1:], strict=False)]
        return None
    if isinstance(answer, list):
        return answer
    if not isinstance(answer, dict):
        return None
    for name in LISTS:
        inner = answer.get(name)
        if isinstance(inner, list):
            return inner
        if isinstance(inner, dict) and (
            rows := next((inner[n] for n in LISTS if isinstance(inner.get(n), list)), None)
        ):
            return list(rows)
    return None


def _first(row: Any, names: Sequence[str]) -> str:
    if isinstance(row, str):
        return row if names is URLS else ""
    if not isinstance(row, dict):
        return ""
    return next((row[name] for name in names if isinstance(row.get(name), str)), "")


def xml_of(body: bytes) -> Any:
    """The root of an answer in XML. Raises SearchError for what is none."""
    try:
        return parsed_xml(body)
    except ValueError as error:
        raise SearchError(str(error)) from None


def _entries(body: bytes) -> list[Found]:
    """The entries of a feed: Atom, RSS 2.0 and RSS 1.0."""
    listed = read_link_list(body)
    if listed is None or listed.kind != FEED:
        raise SearchError(
            f"the answer is XML of the kind <{plain(local_name(xml_of(body)), 40)}>, neither Atom nor RSS"
        )
    return ranked((entry.url, entry.title, entry.summary) for entry in listed.entries)


def _links(page: Any) -> list[Found]:
    """The links of a page of results that lead to other hosts, directly or through an address that holds where they lead."""
    if not isinstance(page, Page):
        raise SearchError(f"the page of results cannot be read: {page.reason}")
    return ranked(
        (target, link.anchor, "") for link in page.links if (target := _leads_to(link.url, link.host, page.host))
    )


def _leads_to(url: str, host: str, here: str) -> str:
    """Where a link of a page of results leads; empty where it stays there."""
    if host != here and not here.endswith(f".{host}") and not host.endswith(f".{here}"):
        return url
    try:
        values = [value for _, value in parse_qsl(urlsplit(url).query, max_num_fields=50)]
    except ValueError:
        return ""
    outside = (value for value in values if value.startswith(("http://", "https://")))
    return next((value for value in outside if _host_in(value) not in ("", here)), "")


def _host_in(text: str) -> str:
    """The host of what may be a URL; empty where it is none."""
    try:
        return urlsplit(text).hostname or ""
    except ValueError:
        return ""


def ranked(found: Any) -> list[Found]:
    """Pages with their ranks, texts cut and made plain; what has no URL, or one that is too long, is left out."""
    return list(_bounded(found))


def _bounded(found: Any) -> Iterator[Found]:
    rank = 0
    for url, title, snippet in found:
        if url and len(url) <= MAX_LENGTH:
            rank += 1
            yield Found(url.strip(), plain(title, LONGEST_TITLE), plain(snippet, LONGEST_SNIPPET), rank)
        if rank == MOST:
            return
