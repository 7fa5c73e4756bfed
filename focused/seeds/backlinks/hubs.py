"""Hubs: pages that link to several seeds, found by asking who links to each. They make a crawl start better.

Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 6 (augmented seeds).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from focused.page.page import Page
from focused.relevance.similarity import query_length
from focused.seeds.backlinks.contents import Contents


@dataclass(frozen=True, slots=True)
class Hub:
    """A page that links to several seeds; ``hub_score`` counts them."""

    url: str
    hub_score: int


def find_hubs(backlinks: Mapping[str, Sequence[str]], least: int, left_out: Collection[str] = ()) -> list[Hub]:
    """Pages that link to at least ``least`` different seeds, the best first; among equals, the first named.

    Parameters
    ----------
    backlinks : seed -> URLs of pages that link to it, each once
    left_out : URLs that are no hubs, such as the seeds themselves
    """
    counts = Counter(page for pages in backlinks.values() for page in pages)
    return [Hub(url, count) for url, count in counts.most_common() if count >= least and url not in left_out]


def without_mirrors(
    hubs: Sequence[Hub], contents: Contents, description: Sequence[str], similarity: float
) -> tuple[list[Hub], list[Hub]]:
    """Part hubs from mirrors of the page that the topic was taken from, which would make its crawl trivial.

    Parameters
    ----------
    description : terms of the topic's description
    similarity : a page whose `likeness` is higher is a mirror

    Return the hubs and the mirrors. A page that cannot be had is no mirror; without a description there is none.
    """
    if not description or not hubs:
        return list(hubs), []
    query = Counter(description)
    pages = contents.pages([hub.url for hub in hubs])
    mirrors = {url for url, page in pages.items() if likeness(query, page) > similarity}
    return [hub for hub in hubs if hub.url not in mirrors], [hub for hub in hubs if hub.url in mirrors]


def likeness(description: Mapping[str, int], page: Page) -> float:
    """cos(description, page) in [0, 1] by term frequencies, of the page's terms only those that the description has.

    Other text on the page cannot hide that it is a copy. 0 where they have no term in common.
    """
    projected = Counter(term for term in page.terms if term in description)
    lengths = query_length(description) * query_length(projected)
    product = sum(count * description[term] for term, count in projected.items())
    return min(1.0, product / lengths) if lengths else 0.0
