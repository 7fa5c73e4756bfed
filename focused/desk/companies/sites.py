"""The sites of a collection by registered domain, the best first, each with pages that show why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from focused.collection.collection import mark_of, opened
from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.crawl.domains import domain_of
from focused.crawl.novelty import COPIES
from focused.desk.companies.contact_pages import contact_pages
from focused.desk.companies.page_links import page_links
from focused.desk.companies.rating import Rated, rated
from focused.desk.mapping.crawled_pages import CrawledPages, crawled_pages
from focused.desk.mapping.page_reading import Tell
from focused.desk.mapping.side_file import SideFile
from focused.live.last_run import last_run
from focused.page.plain_text import cell, csv_lines, plain
from focused.page.urls import host_of

EVIDENCE = 3  #: pages of a site that are shown
AT_ONCE = 500  #: sites whose pages are looked up at once
LONGEST_TITLE = 200
COLUMNS = ("site", "rating", "relevance", "linked_from", "pages", "relevant", "seed", "contact")
_E_MAIL = re.compile(r"\S+@\S+\.\S+")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A page of a site that shows what it is about."""

    url: str
    title: str
    relevance: float


@dataclass(frozen=True, slots=True)
class Site:
    """What is known of one site."""

    name: str  #: its registered domain
    rating: float  #: in [0, 1]
    relevance: float  #: mean of its best three pages, in [0, 1]
    linked_from: int  #: sites with a hub that links to it
    pages: int
    relevant: int
    is_seed: bool
    contact: str  #: URL; empty: none was met
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Sites:
    """All n sites of a collection; arrays are (n,)."""

    folder: Path
    names: list[str]
    is_seed: list[bool]
    site_of_host: IntArray
    rated: Rated
    pages: CrawledPages

    def ordered(self, *, seeds: bool = False, q: str = "") -> list[int]:
        """Numbers of sites that have a page or a hub, the best first.

        seeds : those of the seeds too
        q : part of the name
        """
        found = self.rated
        some = [
            one
            for one, name in enumerate(self.names)
            if (found.pages[one] or found.linked[one]) and (seeds or not self.is_seed[one]) and q in name
        ]
        return sorted(some, key=lambda i: (-found.rating[i], -found.cited[i], -found.pages[i], self.names[i]))

    def shown(self, numbers: Sequence[int]) -> Iterator[Site]:
        """What is known of some sites, in their order."""
        for start in range(0, len(numbers), AT_ONCE):
            part = numbers[start : start + AT_ONCE]
            hosts = {one: np.flatnonzero(self.site_of_host == one).tolist() for one in part}
            with opened(self.folder) as store:
                contacts, evidence = contact_pages(store, hosts), self._evidence(store, part)
            for one in part:
                yield self._site(one, contacts.get(one, ""), evidence.get(one, ()))

    def _site(self, one: int, contact: str, evidence: Sequence[Evidence]) -> Site:
        found = self.rated
        return Site(
            self.names[one],
            float(found.rating[one]),
            float(found.relevance[one]),
            int(found.linked[one]),
            int(found.pages[one]),
            int(found.relevant[one]),
            self.is_seed[one],
            contact,
            tuple(evidence),
        )

    def _evidence(self, store: Store, numbers: Sequence[int]) -> dict[int, list[Evidence]]:
        """The best relevant pages of sites; copies are left out, with others in their place."""
        site, found = self.site_of_host[self.pages.host], {}
        for one in numbers:
            at = np.flatnonzero((site == one) & self.pages.relevant)
            best = at[np.argsort(-self.pages.relevance[at], kind="stable")][: 3 * EVIDENCE].tolist()
            rows = [_page(store, int(self.pages.seq[i])) for i in best]
            found[one] = [row for row in rows if row is not None][:EVIDENCE]
        return found


def sites_of(folder: Path, tell: Tell) -> Sites:
    """Rate the sites of a collection. Raises StorageError."""
    with opened(folder) as store:
        mark, pages = mark_of(store), crawled_pages(store)
        hosts = [name for name, _ in store.hosts()]
        seeds = {domain_of(host_of(url)) for url in last_run(store).topic["topic"]["seeds"]}
    with closing(SideFile(folder, mark)) as side:
        links = page_links(folder, side, tell)
    numbers: dict[str, int] = {}
    site_of_host = np.array([numbers.setdefault(domain_of(host), len(numbers)) for host in hosts], np.int64)
    names = list(numbers)
    known = np.array([name in seeds for name in names], np.bool_)
    return Sites(folder, names, known.tolist(), site_of_host, rated(pages, site_of_host, links, known), pages)


def table_lines(sites: Sites, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a table of sites, which no spreadsheet takes for formulas."""
    evidence = [f"{what}_{number}" for number in range(1, EVIDENCE + 1) for what in ("page", "title")]
    yield csv_lines([[*COLUMNS, *evidence]])
    for site in sites.shown(numbers):
        texts = [part for one in site.evidence for part in (one.url, one.title)]
        figures = (f"{site.rating:.4f}", f"{site.relevance:.4f}", site.linked_from, site.pages, site.relevant)
        row = (site.name, *figures, "yes" if site.is_seed else "no", site.contact, *texts)
        yield csv_lines([[cell(one) if isinstance(one, str) else one for one in row]])


def _page(store: Store, seq: int) -> Evidence | None:
    query = (
        "SELECT u.url, f.title, f.relevance, f.verdict FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.seq = ?"
    )
    url, title, relevance, verdict = store.execute(query, (seq,)).fetchone()
    if verdict in COPIES:
        return None
    return Evidence(plain(url), _E_MAIL.sub("[e-mail]", plain(title or "", LONGEST_TITLE)), relevance or 0.0)
