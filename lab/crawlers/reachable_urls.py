"""Which URLs a crawl can arrive at by following links from its seeds."""

from __future__ import annotations

from collections.abc import Iterable

from focused.reading.urls import UrlRules
from lab.crawlers.web_links import NO_PAGE, WebLinks


def reachable_urls(links: WebLinks, rules: UrlRules, seeds: Iterable[str], urls: Iterable[str]) -> frozenset[str]:
    """Those of these canonical URLs that links lead to. A URL that redirects is none: a crawl arrives at another one.

    links : between the pages that a crawl may follow
    rules : by which the web names its pages
    seeds : reachable themselves; these may redirect
    """
    found = links.reachable(links.pages([rules.key(rules.canonical(seed) or seed) for seed in seeds]))
    nodes = {url: links.node(rules.key(url)) for url in urls}
    return frozenset(url for url, node in nodes.items() if node != NO_PAGE and found[node])
