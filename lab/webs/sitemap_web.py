"""A recorded web whose hosts have sitemaps: made from the URLs that are recorded there, and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from focused.reading.page import Unreadable
from focused.reading.urls import host_of
from focused.simulation.analysed_web import AnalysedWeb, Failure, Fetched, Redirect

SHARE = 0.75  #: of the hosts have sitemaps
MOST = 50_000  #: URLs in a sitemap, as many as there may be
PART = 1_000  #: in each part of an index
NAMED, USUAL, INDEX = "named", "usual", "index"  #: where a host has them


class SitemapWeb(AnalysedWeb):
    """An analysed web, three quarters of whose hosts have sitemaps that list all their URLs in no order.

    A third of those name one sitemap in their robots.txt, a third have one at the usual place, a third have an index of parts.
    Which host has what, and the order of its URLs, follow from its name. No label has a part in it.
    """

    def __init__(self, pages: AnalysedWeb) -> None:
        super().__init__(pages.web, pages.reader)
        self._pages = pages
        of_hosts: dict[str, list[str]] = {}
        for url in pages.web.urls():
            of_hosts.setdefault(host_of(url), []).append(url)
        self.kinds: dict[str, str] = {}  #: of each host that has sitemaps
        self._lists: dict[str, tuple[str, bytes]] = {}
        for host, urls in of_hosts.items():
            chance = Random(f"sitemap {host}")
            if chance.random() < SHARE:
                chance.shuffle(urls)
                self.kinds[host] = chance.choice((NAMED, USUAL, INDEX))
                self._lists |= _lists_of(self.kinds[host], urls)

    def ask(self, url: str) -> Fetched | Redirect | Failure:
        if url not in self._lists:
            return self._pages.ask(url)
        kind, body = self._lists[url]
        page = self.reader.read(url, body, kind)
        assert not isinstance(page, Unreadable)  # it is ours
        return Fetched(page, 200, len(body), kind)


def _lists_of(kind: str, urls: Sequence[str]) -> Mapping[str, tuple[str, bytes]]:
    """The robots.txt and the sitemaps of a host, by URL: media type and body."""
    origin = "/".join(urls[0].split("/", 3)[:3])
    match kind:
        case "named":
            robots = f"User-agent: *\nDisallow:\nSitemap: {origin}/map.xml\n".encode()
            return {f"{origin}/robots.txt": ("text/plain", robots), f"{origin}/map.xml": _sitemap(urls)}
        case "usual":
            return {f"{origin}/sitemap.xml": _sitemap(urls)}
    parts = [urls[start : start + PART] for start in range(0, len(urls), PART)]
    names = [f"{origin}/sitemap-{number}.xml" for number in range(len(parts))]
    index = "".join(f"<sitemap><loc>{name}</loc></sitemap>" for name in names)
    lists = {f"{origin}/sitemap_index.xml": ("text/xml", f"<sitemapindex>{index}</sitemapindex>".encode())}
    return lists | {name: _sitemap(part) for name, part in zip(names, parts, strict=True)}


def _sitemap(urls: Sequence[str]) -> tuple[str, bytes]:
    entries = "".join(f"<url><loc>{url.replace('&', '&amp;')}</loc></url>" for url in urls[:MOST])
    return "text/xml", f"<urlset>{entries}</urlset>".encode()
