"""The sites of a collection by registered domain, the best first, each with pages that show why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np

from focused.collection.collection import mark_of, opened
from focused.collection.store import Store
from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.crawl.novelty import COPIES
from focused.crawl.url_forms import domain_of
from focused.desk.mapping.page_reading import CrawledPages, SideFile, TellStage, crawled_pages, of_links
from focused.live.last_run import last_run
from focused.page.plain_text import cell, csv_lines, plain
from focused.page.urls import host_of

#: Words for "contact", then for the page that the law asks for, then for "about us", by language.
WORDS: Mapping[str, tuple[str, ...]] = {
    "en": ("contact", "contact us", "contacts", "get in touch", "legal notice", "imprint", "about", "about us", "company"),
    "de": ("kontakt", "impressum", "über uns", "ueber uns", "unternehmen"),
    "fr": ("contactez nous", "nous contacter", "mentions légales", "mentions legales", "à propos", "a propos", "qui sommes nous"),
    "es": ("contacto", "contáctenos", "contactenos", "aviso legal", "quiénes somos", "quienes somos", "sobre nosotros"),
    "it": ("contatti", "contattaci", "note legali", "chi siamo"),
    "pt": ("contato", "contacto", "fale conosco", "aviso legal", "quem somos", "sobre nós", "sobre nos"),
    "nl": ("contact opnemen", "colofon", "over ons"),
    "pl": ("kontakt", "nota prawna", "o nas"),
    "sv": ("kontakta oss", "om oss"),
    "da": ("kontakt os", "om os"),
    "cs": ("kontakty", "o nás"),
    "ru": ("контакты", "о компании", "о нас"),
    "ja": ("お問い合わせ", "問い合わせ", "会社概要", "会社案内"),
    "zh": ("联系我们", "聯絡我們", "关于我们", "關於我們"),
}  # fmt: skip
_RANKS = {word: rank for words in WORDS.values() for rank, word in enumerate(words)}
LONGEST_URL = 500  #: characters
_ENDING = re.compile(r"\.[a-z]{2,5}$")
_BETWEEN = re.compile(r"[\s_+.-]+")

_KNOWN = "SELECT url, host FROM urls WHERE host IN (SELECT value FROM json_each(?)) AND length(url) <= ?"
_LINKED = """
SELECT DISTINCT t.url, t.host, l.anchor FROM links l JOIN urls t ON t.id = l.target JOIN urls s ON s.id = l.page
WHERE t.host IN (SELECT value FROM json_each(?)) AND s.host = t.host AND length(l.anchor) <= 40 AND length(t.url) <= ?
"""
NAME = "page links"  #: in the side file
BATCH = 200_000  #: links that are read at a time
_NEW = """
SELECT DISTINCT l.page, t.host FROM links l JOIN urls s ON s.id = l.page JOIN urls t ON t.id = l.target
WHERE l.rowid > ? AND l.rowid <= ? AND s.host <> t.host
"""
BEST = 3  #: pages of a site by which its relevance counts
GOOD = 0.5  #: what a site with relevant pages is worth to a hub; a known site is worth 1
EVIDENCE = 3  #: pages of a site that are shown
AT_ONCE = 500  #: sites whose pages are looked up at once
LONGEST_TITLE = 200
COLUMNS = ("site", "rating", "relevance", "linked_from", "pages", "relevant", "seed", "contact")
_E_MAIL = re.compile(r"\S+@\S+\.\S+")


def contact_pages(store: Store, sites: Mapping[int, Sequence[int]]) -> dict[int, str]:
    """The URL of the best contact page of each site, fetched or only linked to; sites without one are left out.

    sites : ids of the hosts of each
    """
    site_of = {host: site for site, hosts in sites.items() for host in hosts}
    asked = (json.dumps(list(site_of)), LONGEST_URL)
    best: dict[int, tuple[int, int, str]] = {}

    def offer(url: str, host: int, rank: int | None) -> None:
        if rank is not None and "@" not in url and url.startswith(("http://", "https://")):
            site, found = site_of[host], (rank, len(url), url)
            best[site] = min(best.get(site, found), found)

    for url, host in store.execute(_KNOWN, asked):
        offer(url, host, rank_of_url(url))
    for url, host, anchor in store.execute(_LINKED, asked):
        offer(url, host, rank_of(anchor))
    return {site: url for site, (*_, url) in best.items()}


def rank_of(text: str) -> int | None:
    """How well a text names a contact page, 0 best; None for one that does not."""
    return _RANKS.get(_BETWEEN.sub(" ", text.casefold()).strip())


def rank_of_url(url: str) -> int | None:
    """The same for the last part of a URL's path; a URL with a query is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.query:
        return None
    last = unquote(parts.path.rstrip("/").rpartition("/")[2]).casefold()
    return rank_of(_ENDING.sub("", last)) if last else None


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


def rated(pages: CrawledPages, site_of_host: IntArray, links: IntArray, known: BoolArray) -> Rated:
    """Rate the sites of a crawl.

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
    share = np.log1p(cited) / max(float(np.log1p(cited).max(initial=0.0)), 1e-9)
    # What a site says comes first: hubs alone find what everybody links to (measured).
    return Rated(fetched, relevant, relevance, linked, cited, relevance * (1 + share) / 2)


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


@dataclass(frozen=True, slots=True)
class SiteEvidence:
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
    evidence: tuple[SiteEvidence, ...]


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
                found = self.rated
                yield Site(
                    name=self.names[one],
                    rating=float(found.rating[one]),
                    relevance=float(found.relevance[one]),
                    linked_from=int(found.linked[one]),
                    pages=int(found.pages[one]),
                    relevant=int(found.relevant[one]),
                    is_seed=self.is_seed[one],
                    contact=contacts.get(one, ""),
                    evidence=tuple(evidence[one]),
                )

    def _evidence(self, store: Store, numbers: Sequence[int]) -> dict[int, list[SiteEvidence]]:
        """The best relevant pages of sites; copies are left out, with others in their place."""
        site, found = self.site_of_host[self.pages.host], {}
        for one in numbers:
            at = np.flatnonzero((site == one) & self.pages.relevant)
            best = at[np.argsort(-self.pages.relevance[at], kind="stable")][: 3 * EVIDENCE].tolist()
            rows = [_page(store, int(self.pages.seq[i])) for i in best]
            found[one] = [row for row in rows if row is not None][:EVIDENCE]
        return found


def sites_of(folder: Path, tell: TellStage) -> Sites:
    """Rate the sites of a collection. Raises StorageError."""
    with opened(folder) as store:
        mark, pages = mark_of(store), crawled_pages(store)
        hosts = [name for name, _ in store.hosts()]
        about = last_run(store).topic["topic"]
        seeds = {domain_of(host_of(url)) for url in about["seeds"] if url not in about.get("hubs", ())}
    with closing(SideFile(folder, mark)) as side:
        links = of_links(folder, side, NAME, _NEW, BATCH, lambda rows: np.unique(rows, axis=0), tell)
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


def _page(store: Store, seq: int) -> SiteEvidence | None:
    query = (
        "SELECT u.url, f.title, f.relevance, f.verdict FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.seq = ?"
    )
    url, title, relevance, verdict = store.execute(query, (seq,)).fetchone()
    if verdict in COPIES:
        return None
    return SiteEvidence(plain(url), _E_MAIL.sub("[e-mail]", plain(title or "", LONGEST_TITLE)), relevance or 0.0)
