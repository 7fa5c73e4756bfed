"""The honest part of a hostile Web: hosts whose pages must all be collected, whatever the others do."""

from __future__ import annotations

from collections.abc import Sequence

from lab.chaos.replies import page
from lab.chaos.server import Web

GOOD = "good"


def honest_host(web: Web, count: int, links: Sequence[str] = (), name: str = GOOD) -> tuple[str, frozenset[str]]:
    """Add a host of so many pages, the first of which leads to the others; its first URL, and all of them.

    links : to the hostile part, all on one page of their own: whoever thinks little of that page need not lose the others
    """
    host = f"{name}.example"
    paths = ["/", *(f"/{number}" for number in range(1, count))] + ["/links"] * bool(links)
    urls = [f"http://{host}{path}" for path in paths]
    pages = {path: page(f"{host} page {path}") for path in paths}
    pages["/"] = page(f"{host} first", *urls[1:])
    if links:
        pages["/links"] = page(f"{host} links", *links)
    web.add(host, pages)
    return urls[0], frozenset(urls)
