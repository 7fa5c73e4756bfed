"""What a page says about itself: title, author, date, description, site, from its meta elements, JSON-LD and elements of HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from focused.page.block_parts import Blocks
from focused.page.plain_text import LONGEST_TITLE, plain
from focused.page.robots_directives import bars_snippets
from focused.page.structured_data import json_ld
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


def facts_of(found: Blocks, url: str) -> PageFacts:
    """Never raises; a page can say of itself whatever it likes, none of it is checked but for its form."""
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
        date=next(filter(None, map(_date, dates)), ""),
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
