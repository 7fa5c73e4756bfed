"""Chooses seeds among the pages that were judged: the most relevant, and not all on one site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from focused.crawl.domains import domain_of
from focused.seeds.searching.judged_pages import Judged
from focused.seeds.searching.search_options import Wish


def chosen(judged: Iterable[Judged], wish: Wish) -> list[Judged]:
    """The good pages, the most relevant first, within the limits of a wish."""
    of_domain: Counter[str] = Counter()
    seeds: list[Judged] = []
    for page in sorted(judged, key=lambda page: (-page.relevance, page.url)):
        domain = domain_of(page.host)
        if page.good and len(seeds) < wish.seeds and of_domain[domain] < wish.per_site:
            of_domain[domain] += 1
            seeds.append(page)
    return seeds
