"""How likely each site is one of those that a list of known sites asks for: by who links to it, and by what its pages say.

Co-citation: a page that links to several known sites is a hub, and what else a hub links to is likely of the same kind. The idea
is that of Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.5, applied to sites after the crawl.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focused.crawl.arrays import FloatArray, IntArray
from focused.desk.mapping.crawled_pages import CrawledPages, Flags

BEST = 3  #: pages of a site by which its relevance counts
GOOD = 0.5  #: what a site with relevant pages is worth to a hub; a known site is worth 1


@dataclass(frozen=True, slots=True)
class Rated:
    """n sites; all arrays are (n,).

    relevance : mean of the `BEST` pages, in [0, 1]; missing pages count 0
    linked : sites with a hub that links to it
    cited : what these hubs are worth, at least 0
    rating : of `relevance` and `cited`, in [0, 1]
    """

    pages: IntArray
    relevant: IntArray
    relevance: FloatArray
    linked: IntArray
    cited: FloatArray
    rating: FloatArray


def rated(pages: CrawledPages, site_of_host: IntArray, links: IntArray, known: Flags) -> Rated:
    """Rate the sites of a crawl.

    Parameters
    ----------
    site_of_host : (hosts,) number of the site of each host
    links : (m, 2) id of a page's URL, and id of another host that it links to
    known : (n,) whether a site is one that the person named
    """
    count = len(known)
    site = site_of_host[pages.host]
    fetched = np.bincount(site, minlength=count)
    relevant = np.bincount(site[pages.relevant], minlength=count)
    relevance = _best_mean(site, pages.relevance, count)
    linked, cited = _cited(pages, site, site_of_host, links, np.where(known, 1.0, GOOD * (relevant > 0)))
    return Rated(fetched, relevant, relevance, linked, cited, _together(relevance, cited))


def _together(relevance: FloatArray, cited: FloatArray) -> FloatArray:
    """relevance · (1 + hubs) / 2. What a site says comes first: hubs alone find what everybody links to (measured)."""
    both: FloatArray = relevance * (1 + _share(np.log1p(cited))) / 2
    return both


def _share(values: FloatArray) -> FloatArray:
    """Of the highest, in [0, 1]."""
    share: FloatArray = values / max(float(values.max(initial=0.0)), 1e-9)
    return share


def _best_mean(site: IntArray, relevance: FloatArray, count: int) -> FloatArray:
    order = np.lexsort((-relevance, site))
    first = np.searchsorted(site[order], np.arange(count))
    place = np.arange(len(site)) - first[site[order]]
    best = order[place < BEST]
    total: FloatArray = np.bincount(site[best], relevance[best], count) / BEST
    return total


def _cited(
    pages: CrawledPages, site: IntArray, site_of_host: IntArray, links: IntArray, worth: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Of each site: how many other sites have a hub that links to it, and what the best hub of each of these is worth.

    worth : (n,) of the sites, in [0, 1]
    A hub is worth the sum of the other sites that it links to, by the root of their number: a list of everything says little.
    """
    count = len(worth)
    met = links[links[:, 1] < len(site_of_host)]  # a crawl may have met more hosts meanwhile
    at = pages.at(met[:, 0])
    page, target = at[at >= 0], site_of_host[met[at >= 0, 1]]
    other = site[page] != target
    pairs = np.unique(page[other] * count + target[other])
    page, target = pairs // max(count, 1), pairs % max(count, 1)
    size = np.bincount(page, minlength=len(pages))
    total = np.bincount(page, worth[target], len(pages))
    rest = total[page] - worth[target]
    is_hub = rest >= 1.0
    page, target = page[is_hub], target[is_hub]
    value = rest[is_hub] / np.sqrt(size[page])
    # Of the pages of one site, the best hub counts: nobody is cited more by linking to himself from a thousand pages.
    both = target * count + site[page]
    order = np.lexsort((-value, both))
    both = both[order]
    first = order[np.flatnonzero(np.diff(both, prepend=-1))]
    cited: FloatArray = np.bincount(target[first], value[first], count).astype(np.float64)
    return np.bincount(target[first], minlength=count), cited
