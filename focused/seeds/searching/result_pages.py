"""The pages that an answer names. Whoever wrote it may mean harm: no more than `MOST` pages are taken from any answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from focused.exceptions import SearchError
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.urls import MAX_LENGTH
from focused.seeds.searching.search_provider import Found

MOST = 200  #: pages that are taken from an answer
LONGEST_SNIPPET = 1000  #: characters


def results_in_json(body: bytes) -> list[Found]:
    """The pages in an answer as SearXNG gives it. Raises SearchError for one that is no JSON, or has no list of results."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        what = "a page (HTML)" if body.lstrip()[:1] == b"<" else "something else"
        raise SearchError(f"the answer is not JSON, but {what}") from None
    rows = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise SearchError("no list of results is found in the answer")
    return ranked([_text(row, name) for name in ("url", "title", "content")] for row in rows)


def _text(row: Any, name: str) -> str:
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, str) else ""


def ranked(found: Iterable[Iterable[str]]) -> list[Found]:
    """Pages with their ranks, from URLs, titles and snippets; texts are cut and made plain.

    What has no URL, or one that is too long, is left out.
    """
    return list(_bounded(found))


def _bounded(found: Iterable[Iterable[str]]) -> Iterator[Found]:
    rank = 0
    for url, title, snippet in found:
        if url and len(url) <= MAX_LENGTH:
            rank += 1
            yield Found(url.strip(), plain(title, LONGEST_TITLE), plain(snippet, LONGEST_SNIPPET), rank)
        if rank == MOST:
            return
