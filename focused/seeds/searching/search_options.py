"""What a search for seeds is given: who is asked, how much is wanted, what it may cost; and which hubs
`scrapy topics augment` looks for. It imports nothing that is slow.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from focused.exceptions import SearchError


@dataclass(frozen=True)
class HubOptions:
    """The numbers of Pant & Menczer 2003, section 6, by default."""

    least: int = 2  #: seeds that a hub links to
    most: int = 10  #: hubs
    similarity: float = 0.9  #: with the topic's description, above which a page is a copy of it


def add_augment_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("Options of `augment`").add_argument
    least, most = "seeds that a hub links to (default: %(default)s)", "hubs (default: %(default)s)"
    copies = "pages more like the topic's description are copies of it, no hubs (default: %(default)s)"
    add("--least", metavar="N", type=int, default=HubOptions.least, help=least)
    add("--most", metavar="N", type=int, default=HubOptions.most, help=most)
    add("--similarity", metavar="X", type=float, default=HubOptions.similarity, help=copies)
    add("--web", metavar="WEB", action="append", help="ask this recorded web (may be repeated)")


#: The kinds of providers, and how each is written.
KINDS = {
    "searxng": "searxng:https://HOST/",
    "ddgs": "ddgs, or ddgs:ENGINE,ENGINE",
    "collections": "collections, or collections:NAME,NAME",
    "hubs": "hubs, or hubs:NAME,NAME",
}
HOW = "-s FOCUSED_SEARCH=searxng:http://127.0.0.1:8888 (see docs/how-to/find-better-seeds.md)"


@dataclass(frozen=True)
class SearchBudget:
    """What is wanted, and what it may cost.

    seeds : wanted; the search ends when there are as many
    least : with fewer good pages there is no topic
    per_site : seeds of one registered domain
    questions : that providers are asked in all
    results : that are taken from an answer
    pages : that are fetched and judged
    seconds : that all this may take
    """

    seeds: int = 20
    least: int = 3
    per_site: int = 2
    questions: int = 12
    results: int = 20
    pages: int = 80
    seconds: float = 600.0


#: Fields of a `SearchBudget` that a person may set: the option, and what it means.
NUMBERS = {
    "seeds": ("--most-seeds", "stop at this many seeds"),
    "least": ("--least-seeds", "write nothing with fewer seeds than this"),
    "per_site": ("--per-site", "take at most this many seeds of one site"),
    "questions": ("--questions", "ask at most this many questions, all providers together"),
    "pages": ("--judge", "fetch and judge at most this many pages"),
}


def provider_specs(value: object) -> list[str]:
    """The providers in a setting: a list, or text with blanks between them."""
    if isinstance(value, str):
        return value.split()
    return [str(item) for item in value] if isinstance(value, list | tuple) else []


def add_search_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("Options of `new` that find seeds").add_argument
    kinds = f"ask this one instead (may be repeated): {'; '.join(KINDS.values())}"
    sources = (
        "take URLs from here too (may be repeated): a file or URL with bookmarks, OPML, CSV, a sitemap, a feed or a list; "
        "a collection; a Wikipedia article or category"
    )
    add("--search", action="store_true", help="ask the providers of FOCUSED_SEARCH for pages with the keywords")
    add("--provider", metavar="SPEC", action="append", help=kinds)
    add("--from", metavar="SOURCE", action="append", dest="sources", help=sources)
    for name, (option, meaning) in NUMBERS.items():
        default = getattr(SearchBudget, name)
        help_text = f"{meaning} (default: {default})"
        add(option, metavar="N", type=int, default=default, dest=f"wish_{name}", help=help_text)


def wish_of(opts: argparse.Namespace) -> SearchBudget:
    """Raises SearchError for a number below 1."""
    given = {name: getattr(opts, f"wish_{name}") for name in NUMBERS}
    for name, value in given.items():
        if value < 1:
            raise SearchError(f"{NUMBERS[name][0]} {value}: give a whole number from 1 on")
    return SearchBudget(**given)
