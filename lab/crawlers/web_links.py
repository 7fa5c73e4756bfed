"""All links of a recorded web that a crawl may follow: what an oracle knows. Read once, then kept beside the analysed pages."""

from __future__ import annotations

import hashlib
import logging
import os
import zipfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from focused.collection.repository import storage_errors
from focused.crawl.scope import ScopeRules
from focused.page.page import Page
from focused.page.urls import UrlRules, host_of
from focused.simulation.analysed_web import AnalysedWeb, Fetched, Redirect
from focused.simulation.first_reading import ReadingProgress, read_all
from focused.simulation.simulator import MOST_REDIRECTS
from focused.topic.topic import Scope

Nodes = NDArray[np.int32]
NO_PAGE = -1  #: of a URL that leads to none: unknown, failed, or barred by the scope


@dataclass(frozen=True)
class Adjacency:
    """Neighbours of nodes: those of node i are ``neighbours[start[i]:start[i + 1]]``, each once, in ascending order."""

    start: NDArray[np.int64]
    neighbours: Nodes

    @property
    def counts(self) -> NDArray[np.int64]:
        """(n,) number of neighbours of each node."""
        return np.diff(self.start)

    def of(self, nodes: Nodes) -> Nodes:
        """Neighbours of several nodes, one node after the other; those they share stand several times."""
        starts, counts = self.start[nodes], self.start[nodes + 1] - self.start[nodes]
        ends = np.cumsum(counts)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + counts, counts)
        neighbours: Nodes = self.neighbours[places]
        return neighbours


@dataclass(frozen=True)
class WebLinks:
    """The link graph of a recorded web. Nodes are its n URLs; only those with a page of their own have links.

    Parameters
    ----------
    keys : (n,) keys of the URLs, ascending
    leads_to : (n,) node of the page that a link to the URL arrives at, after redirects; NO_PAGE if at none
    start, targets : links between pages, as in `Adjacency`; a page's links to itself are none
    """

    keys: NDArray[np.int64]
    leads_to: Nodes
    start: NDArray[np.int64]
    targets: Nodes

    def __len__(self) -> int:
        return len(self.keys)

    def pages(self, keys: Sequence[int] | NDArray[np.int64]) -> Nodes:
        """(k,) nodes of the pages that URLs with these keys lead to, or NO_PAGE."""
        wanted = np.asarray(keys, np.int64)
        if not len(self) or not len(wanted):
            return np.full(len(wanted), NO_PAGE, np.int32)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self) - 1)
        return np.where(self.keys[places] == wanted, self.leads_to[places], np.int32(NO_PAGE))

    def node(self, key: int) -> int:
        """The node of a URL itself, wherever it leads to; NO_PAGE if it is not recorded."""
        place = int(np.searchsorted(self.keys, key))
        return place if place < len(self) and self.keys[place] == key else NO_PAGE

    def ends(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(e,) sources and (e,) targets of all links between pages, each link once."""
        return np.repeat(np.arange(len(self)), np.diff(self.start)), self.targets.astype(np.int64)

    def forward(self) -> Adjacency:
        """The pages that each page links to."""
        return Adjacency(self.start, self.targets)

    def backward(self) -> Adjacency:
        """The pages that link to each page."""
        columns = self._matrix().tocsc()
        return Adjacency(columns.indptr.astype(np.int64), columns.indices.astype(np.int32))

    def reachable(self, pages: Nodes, within: Nodes | None = None) -> NDArray[np.bool_]:
        """(n,) whether following links leads from any of these pages to each node; these pages are reachable themselves.

        within : the only pages that a crawl may ask for; None for all
        """
        forward = self.forward()
        found = np.zeros(len(self), np.bool_)
        barred = np.full(len(self), within is not None)
        if within is not None:
            barred[within[within != NO_PAGE]] = False
        wave = np.unique(pages[pages != NO_PAGE])
        while len(wave):
            found[wave] = True
            following = np.unique(forward.of(wave))
            wave = following[~(found | barred)[following]]
        return found

    def _matrix(self) -> csr_array:
        shape = len(self), len(self)
        return csr_array((np.ones(len(self.targets), np.bool_), self.targets, self.start), shape=shape)

    @classmethod
    def joined(cls, keys: NDArray[np.int64], leads_to: Nodes, links: Sequence[Nodes]) -> WebLinks:
        """The graph of pages whose links are given as URLs.

        links : for each of the n URLs, nodes of the URLs that its page links to; these may be repeated
        """
        counts = np.fromiter(map(len, links), np.int64, len(links))
        sources = np.repeat(np.arange(len(keys), dtype=np.int32), counts)
        targets = leads_to[np.concatenate([np.empty(0, np.int32), *links])]
        kept = (targets != NO_PAGE) & (targets != sources)
        ones = np.ones(np.count_nonzero(kept), np.bool_)
        matrix = csr_array((ones, (sources[kept], targets[kept])), shape=(len(keys), len(keys)))
        matrix.sum_duplicates()
        return cls(keys, leads_to, matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32))


logger = logging.getLogger(__name__)

FORMAT = 1  #: raised when what is kept changes


def links_of(web: AnalysedWeb, scope: Scope, progress: ReadingProgress | None = None, processes: int = 0) -> WebLinks:
    """Return the links between all pages of a web, whether or not they can be reached from the seeds of a topic.

    Left out is what a crawl does not follow: what the scope bars by URL, content type, language or nofollow. Its limits on
    depth and on pages per host are no matter of single links, and do not count here. All pages are read (thousands a second
    once they are in the cache), unless this was done before: the result is kept beside the cache of the web.

    processes : that read what is not in the cache; 0: as many as there are cores

    Raises StorageError when it cannot be kept, WebError where a process dies.
    """
    file = _file_of(web, scope)
    if file is not None and (kept := _kept(file)) is not None:
        return kept
    links = _Survey(web, scope).links(progress, processes)
    if file is not None:
        _keep(file, links)
    return links


class _Survey:
    """One walk through a web."""

    def __init__(self, web: AnalysedWeb, scope: Scope) -> None:
        # Another view of the same web: what is read here does not count among the links that a crawl was shown.
        self._web = AnalysedWeb(web.web, web.reader, web.cache, hide_outside=False)
        self._scope, self._rules = scope, ScopeRules(scope)
        self._canonical = web.reader.rules
        by_key = {self._canonical.key(url): url for url in map(self._canonical.canonical, web.web.urls()) if url}
        self._keys = np.array(sorted(by_key), np.int64)
        self._urls = [by_key[key] for key in self._keys.tolist()]
        self._leads_to: Nodes = np.full(len(self._urls), NO_PAGE, np.int32)
        self._redirects: dict[int, int] = {}  # node of a URL -> node of the URL it redirects to

    def links(self, progress: ReadingProgress | None, processes: int) -> WebLinks:
        read_all(self._web, progress, processes)
        found = []
        for node in range(len(self._urls)):
            found.append(self._read(node))
            if progress is not None:
                progress(node + 1, len(self._urls))
        for node in self._redirects:
            self._leads_to[node] = self._end_of(node)
        return WebLinks.joined(self._keys, self._leads_to, found)

    def _read(self, node: int) -> Nodes:
        """Note where a link to a URL leads; return the URLs that its page links to."""
        url, scope = self._urls[node], self._scope
        answer = self._web.ask(url)
        is_barred = bool(self._rules.verdict(url, host_of(url)))
        if isinstance(answer, Redirect) and not is_barred:
            target = self._canonical.canonical(answer.target)
            self._redirects[node] = self._node(self._canonical.key(target)) if target else NO_PAGE
        kind = answer.declared or answer.page.content_type if isinstance(answer, Fetched) else ""
        if not isinstance(answer, Fetched) or (scope.content_types and kind not in scope.content_types):
            return np.empty(0, np.int32)
        if not is_barred:
            self._leads_to[node] = node
        return self._followed(answer.page)

    def _followed(self, page: Page) -> Nodes:
        scope = self._scope
        is_foreign = bool(scope.languages and page.language and page.language not in scope.languages)
        if is_foreign or (page.nofollow and scope.nofollow != "ignore"):
            return np.empty(0, np.int32)
        keys = {link.key for link in page.links if not (link.nofollow and scope.nofollow == "links")}
        return self._nodes(np.fromiter(keys, np.int64, len(keys)))

    def _nodes(self, keys: NDArray[np.int64]) -> Nodes:
        """Nodes of those URLs that are recorded."""
        places = np.searchsorted(self._keys, keys).astype(np.int32)
        places = np.minimum(places, len(self._keys) - 1, dtype=np.int32)
        found: Nodes = places[self._keys[places] == keys]
        return found

    def _node(self, key: int) -> int:
        found = self._nodes(np.array([key], np.int64))
        return int(found[0]) if len(found) else NO_PAGE

    def _end_of(self, node: int) -> int:
        """The page at the end of a chain of redirects."""
        for _ in range(MOST_REDIRECTS):
            if node not in self._redirects:
                break
            node = self._redirects[node]
        return NO_PAGE if node == NO_PAGE or node in self._redirects else int(self._leads_to[node])


def _file_of(web: AnalysedWeb, scope: Scope) -> Path | None:
    """Where the links of a web are kept; None where nothing is."""
    if web.cache is None:
        return None
    rules = hashlib.blake2b(f"{FORMAT} {scope.model_dump_json()}".encode(), digest_size=6).hexdigest()
    return web.cache.path.with_name(f"{web.cache.path.stem}-links-{rules}.npz")


def _kept(file: Path) -> WebLinks | None:
    """The links in a file; None if there is none, or a damaged one."""
    try:
        with file.open("rb") as stream, np.load(stream) as arrays:  # np.load alone leaves a damaged file open
            return WebLinks(**{name: arrays[name] for name in WebLinks.__dataclass_fields__})
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        logger.warning("%s: damaged (%s); the links of the web are read anew", file, error)
        return None


def _keep(file: Path, links: WebLinks) -> None:
    """Write a file at once, for parallel runs may read it."""
    new = file.with_name(f"{file.name}.{os.getpid()}.new")
    with storage_errors(file, "keep the links of the web"):
        with new.open("wb") as stream:
            np.savez(stream, **{name: getattr(links, name) for name in WebLinks.__dataclass_fields__})
        new.replace(file)


def reachable_urls(
    links: WebLinks, rules: UrlRules, seeds: Iterable[str], urls: Collection[str], *, inside: bool = False
) -> frozenset[str]:
    """Those of these canonical URLs that links lead to. A URL that redirects is none: a crawl arrives at another one.

    links : between the pages that a crawl may follow
    rules : by which the web names its pages
    seeds : reachable themselves; these may redirect
    inside : whether the crawl may ask for these URLs only, as one that stays on a site
    """
    nodes = {url: links.node(rules.key(url)) for url in urls}
    within = np.fromiter(nodes.values(), np.int32, len(nodes)) if inside else None
    found = links.reachable(links.pages([rules.key(rules.canonical(seed) or seed) for seed in seeds]), within)
    return frozenset(url for url, node in nodes.items() if node != NO_PAGE and found[node])
