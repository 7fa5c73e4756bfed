"""Hub score: a page that points to many of the seed hosts is a good hub, because seeds are known to be relevant.

Source: Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.5 and figure 3.
"""

from __future__ import annotations

from collections.abc import Set

from focused.page.page import Page


def hub_score(seed_hosts_linked: int) -> float:
    """n(n-1) / (1 + n²) in [0, 1) for a page that points to n distinct seed hosts: 0, 0, 0.4, 0.6, 0.71, ..."""
    n = seed_hosts_linked
    return n * (n - 1) / (1 + n * n)


def count_seed_hosts(page: Page, seed_hosts: Set[str], *, own_host: bool = True) -> int:
    """Count the distinct seed hosts that a page points to; without ``own_host``, links within its host do not count."""
    linked = seed_hosts & {link.host for link in page.links}
    return len(linked if own_host else linked - {page.host})
