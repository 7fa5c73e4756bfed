"""What a page says about itself: to people (title, author, date, description, site), to programs (JSON-LD, Open Graph), to robots.

All comes from the one walk that reads the blocks of a page. Microdata and RDFa would take other parsers.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from math import isfinite
from typing import Any

from focused.page.blocks import Blocks
from focused.page.main_text import is_too_much_for_trees
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.urls import UrlRules

MOST_NODES = 1_000  #: of JSON-LD that are looked at
LONGEST_DESCRIPTION = 2_000  #: characters
_DATE = re.compile(r"\s*((?:1[89]|20)\d\d)-?(\d\d)-?(\d\d)(?!\d)")
_RULES = UrlRules()

#: Names of meta elements (Open Graph, Dublin Core, Highwire Press, plain HTML), best first.
_TITLES = ("og:title", "citation_title", "dc.title", "dcterms.title", "twitter:title")
_AUTHORS = ("author", "citation_author", "dc.creator", "dcterms.creator", "article:author", "parsely-author")
_DATES = (
    "article:published_time", "citation_publication_date", "datepublished", "dc.date", "dcterms.date", "dcterms.created", "date",
    "pubdate", "parsely-pub-date",
)  # fmt: skip
_DESCRIPTIONS = ("description", "og:description", "dc.description", "twitter:description")
_SITES = ("og:site_name", "application-name")


@dataclass(frozen=True, slots=True)
class PageFacts:
    """As in `main_text.MainText`; empty where the page says nothing."""

    title: str
    author: str
    date: str
    description: str
    canonical: str
    site_name: str
    base: str  #: URL that relative links are relative to
    nosnippet: bool = False  #: a meta element, or an X-Robots-Tag, asks that nobody shows a piece of its text


def facts_of(found: Blocks, url: str, markup: str = "") -> PageFacts:
    """Never raises; a page can say of itself whatever it likes, none of it is checked but for its form.

    markup : of the page, where htmldate looks for a day that no program is told: as text, in the URL
    """
    metas: dict[str, str] = {}
    robots: list[str] = []
    for attributes in found.metas:
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop") or ""
        content = attributes.get("content", "").strip()
        if name and content:
            metas.setdefault(name.strip().lower(), content)
            if name.strip().lower() == "robots":
                robots.append(content)
    linked = _linked_data(found.scripts)
    base = _first_href(found, "base", url) or url
    author = next((name for name in _AUTHORS if name in metas and "://" not in metas[name]), "")
    dates = (*(metas.get(name, "") for name in _DATES), linked.get("datePublished", ""), *found.times[:1])
    return PageFacts(
        title=plain(_first(metas, _TITLES) or found.title or linked.get("headline", ""), LONGEST_TITLE),
        author=plain(metas.get(author, "") or linked.get("author", ""), LONGEST_TITLE),
        date=next(filter(None, map(_date, dates)), "") or _date_in_text(found, url, markup),
        description=plain(_first(metas, _DESCRIPTIONS) or linked.get("description", ""), LONGEST_DESCRIPTION),
        canonical=_first_href(found, "canonical", base),
        site_name=plain(_first(metas, _SITES) or linked.get("publisher", ""), LONGEST_TITLE),
        base=base,
        nosnippet=bars_snippets(*robots),
    )


def _first(metas: dict[str, str], names: tuple[str, ...]) -> str:
    return next((metas[name] for name in names if name in metas), "")


def _first_href(found: Blocks, what: str, base: str) -> str:
    """Of the first link element with this relation, or of the first base element."""
    for attributes in found.links:
        rel = attributes.get("rel")
        if (what == "base" and rel is None) or (rel and what in rel.lower().split()):
            return _RULES.canonical(attributes.get("href", ""), base) or ""
    return ""


def _date_in_text(found: Blocks, url: str, markup: str) -> str:
    """The day on which a page was published, as people read it (Barbaresi 2020); 10 ms."""
    if not markup or is_too_much_for_trees(markup, found):
        return ""
    import htmldate  # .1 s to import, which only exports need

    logging.getLogger("htmldate").setLevel(logging.CRITICAL)
    try:
        return str(htmldate.find_date(markup, original_date=True, url=url or None) or "")
    except Exception:  # whatever a page makes it do, the rest is had without it
        return ""


def _date(text: str) -> str:
    """YYYY-MM-DD of a date that begins with one (ISO 8601); else nothing."""
    if not (found := _DATE.match(text)):
        return ""
    try:
        return date(*map(int, found.groups())).isoformat()
    except ValueError:
        return ""


def _linked_data(scripts: list[str]) -> dict[str, str]:
    """The texts of JSON-LD (schema.org) that tell of an article or a page."""
    facts: dict[str, str] = {}
    for data in json_ld(scripts):
        for node in _nodes(data):
            for key in ("headline", "datePublished", "description"):
                if isinstance(node.get(key), str):
                    facts.setdefault(key, node[key])
            for key in ("author", "publisher"):
                if name := _name(node.get(key)):
                    facts.setdefault(key, name)
    return facts


def _nodes(data: Any) -> Iterator[dict[str, Any]]:
    """Objects of a document, those around others first."""
    waiting, seen = [data], 0
    while waiting and seen < MOST_NODES:
        node = waiting.pop(0)
        seen += 1
        if isinstance(node, list):
            waiting += node[:MOST_NODES]
        elif isinstance(node, dict):
            yield node
            waiting += (node[key] for key in ("@graph", "mainEntity", "mainEntityOfPage") if key in node)


def _name(value: Any) -> str:
    """The name of a person or an organisation, or of several."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_name, value[:10])))
    if isinstance(value, dict):
        value = value.get("name")
    return value if isinstance(value, str) else ""


LONGEST = 200_000  #: characters of JSON-LD that are read of a page; a script that goes beyond is left out
DEEPEST = 50  #: objects and lists in one another
MOST_PROPERTIES = 200  #: of Open Graph, with all their values
LONGEST_PROPERTY = 2_000  #: characters of a name and its value
_PROPERTY = re.compile(r"[a-z][\w-]*(:[\w-]+)+")  #: of a vocabulary: og:title, article:published_time, twitter:card


def structured_data(found: Blocks) -> str | None:
    """JSON-LD and Open Graph as a JSON object; None where a page has neither.

    ``{"json_ld": [each script], "open_graph": {"og:title": [each value], ...}}``, of which what is empty is left out.
    """
    both = {"json_ld": list(json_ld(found.scripts)), "open_graph": _open_graph(found)}
    told = {name: value for name, value in both.items() if value}
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace").decode() if told else None


def json_ld(scripts: Sequence[str]) -> Iterator[Any]:
    """Yield what scripts hold, as far as it is JSON that any reader of JSON takes; null for NaN and Infinity, which are none."""
    room = LONGEST
    for script in scripts:
        if len(script) > room:
            continue
        room -= len(script)
        try:
            data = json.loads(script, strict=False, parse_constant=lambda _: None, parse_float=_finite)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict | list) and _is_flat(data):
            yield data


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if isfinite(number) else None


def _is_flat(data: Any) -> bool:
    level = [data]
    for _ in range(DEEPEST):
        level = [
            inner
            for node in level
            for inner in (node.values() if isinstance(node, dict) else node)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return True
    return False


def _open_graph(found: Blocks) -> dict[str, list[str]]:
    """Values of each property, in the order of the page."""
    properties: dict[str, list[str]] = {}
    for attributes in found.metas[:MOST_PROPERTIES]:
        name, content = (attributes.get("property") or attributes.get("name") or "").strip(), attributes.get("content")
        if content and len(name) + len(content) <= LONGEST_PROPERTY and _PROPERTY.fullmatch(name):
            properties.setdefault(name, []).append(content.strip())
    return properties


# Directives that carry a value after a colon; any other name before a colon is a crawler's.
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")
_ROBOT = re.compile(r"(?![0-9]+(?:-|$))[\w.-]+")  # but a part of a date
_BETWEEN = re.compile(r"[\s;]+")
_NO_SNIPPET = {"nosnippet", "max-snippet:0"}


def directives(*values: str, robot: str = "") -> frozenset[str]:
    """Lower-case directives that hold for a robot, such as ``max-snippet:20``; ``none`` is ``noindex`` and ``nofollow``.

    Each value is one meta element or one header. Directives behind the name of a robot (``googlebot: noindex``) are for that one
    only, up to the next name or the end of the line. Several headers are one value, a header a line.

    robot : our product token, in lower case; empty: none is for us alone
    """
    found: set[str] = set()
    for line in "\n".join(values).lower().splitlines():
        for_us = True
        for part in line.split(","):
            name, colon, rest = part.partition(":")
            if colon and name.strip() not in _WITH_VALUE:
                if not _ROBOT.fullmatch(name.strip()):
                    continue
                for_us, part = name.strip() == robot, rest
            if for_us:
                found.update(["".join(part.split())] if ":" in part else _BETWEEN.split(part.strip()))
    if "none" in found:
        found |= {"noindex", "nofollow"}
    return frozenset(found)


def bars_snippets(*values: str) -> bool:
    """Whether a page asks that nobody shows a piece of its text. Values as for `directives`."""
    return not _NO_SNIPPET.isdisjoint(directives(*values))
