"""A map as values for the script that draws it, and as a file: one HTML page that needs nothing else, or a graph."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.html_output import script_json
from focused.desk.mapping.graph_files import FORMATS, graph_of_hosts, graph_of_pages, graph_of_tree
from focused.desk.mapping.link_maps import HostMap, LinkTree
from focused.desk.mapping.page_map import NamedTheme, PageMap
from focused.desk.mapping.page_places import Floats, drawn
from focused.desk.mapping.page_reading import addresses_and_titles

EXTENT = 65_535  #: places are whole numbers from 0 to this
LISTED = 200  #: pages of a theme, or neighbours of a host, that are listed
MOST_PAGES = 20_000  #: of a file; relevant ones first
LONGEST_TITLE = 120
SCRIPTS = (
    "map_raster.js",
    "map_labels.js",
    "map_pages.js",
    "map_hosts.js",
    "map_tree.js",
    "map_input.js",
    "map_view.js",
    "map_alone.js",
)
STYLES = ("dashboard.css", "map.css")
_BODY = """<main id="main">
<div class="headline"><h1>{title}</h1><p class="quiet">{about}</p></div>
<div class="map" id="map">
<div class="map-left">
<form class="row filters" id="map-filters">
<label>relevance at least <input type="range" name="relevance" min="0" max="100" value="0"><output>0.00</output></label>
<label><input type="checkbox" name="relevant"> relevant only</label>
<label id="depth" hidden>depth at most <input type="number" name="depth" min="0" max="999" placeholder="any"></label>
</form>
<div class="stage" id="stage" tabindex="0" role="application"
aria-label="Map: arrow keys move it, plus and minus zoom, 0 shows all.">
<canvas class="ground"></canvas><canvas class="above"></canvas>
<div class="zoom"><button type="button" data-do="in" aria-label="Zoom in">+</button><button type="button" data-do="out"
aria-label="Zoom out">−</button><button type="button" data-do="fit" aria-label="Show all">⤢</button></div>
<p class="tip" id="tip" hidden></p>
</div>
<p class="legend"><span class="dot good"></span>relevant <span class="dot"></span>other <span id="map-count"></span></p>
</div>
<section class="card beside" id="beside" aria-label="The map in words"></section>
</div>
</main>
"""
HTML = "html"
MEDIA_TYPES = {
    "gexf": "application/gexf+xml",
    "graphml": "application/graphml+xml",
    "svg": "image/svg+xml",
    HTML: "text/html",
}
ENDINGS = tuple(MEDIA_TYPES)


@dataclass(frozen=True, slots=True)
class ListedPage:
    url: str
    title: str
    relevance: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A host that another has links with."""

    name: str
    links_in: int  #: from this one to the other
    links_out: int  #: to this one
    pages: int
    relevant: int


def theme_pages(drawn: PageMap, store: Store, number: int, most: int = LISTED) -> list[ListedPage]:
    """Pages of a theme, the most relevant first."""
    members = np.flatnonzero(drawn.theme == number)
    pages = drawn.pages
    order = members[np.lexsort((members, -pages.relevance[members], ~pages.relevant[members]))][:most]
    listed = []
    for at in order.tolist():
        url, title = page_of(store, int(pages.seq[at]))
        listed.append(ListedPage(url, title, float(pages.relevance[at]), bool(pages.relevant[at])))
    return listed


def page_of(store: Store, seq: int) -> tuple[str, str]:
    """URL and title of a page, by the number of its fetch."""
    url, title = store.execute(
        "SELECT u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.seq = ?", (seq,)
    ).fetchone()
    return url, title or ""


def neighbours(drawn: HostMap, at: int, most: int = LISTED) -> list[Neighbour]:
    """Hosts that a host has links with, those with most links first."""
    links = drawn.links
    into, out = np.zeros(len(drawn), np.int64), np.zeros(len(drawn), np.int64)
    of, to = links[links[:, 1] == at], links[links[:, 0] == at]
    into[of[:, 0]], out[to[:, 1]] = of[:, 2], to[:, 2]
    order = np.argsort(-(into + out), kind="stable")[:most]
    return [
        Neighbour(drawn.names[i], int(into[i]), int(out[i]), int(drawn.pages[i]), int(drawn.relevant[i]))
        for i in order.tolist()
        if into[i] + out[i]
    ]


def drawn_pages(drawn: PageMap, themes: list[NamedTheme]) -> dict[str, Any]:
    """A map of pages, a list for each column."""
    pages = drawn.pages
    used, host = np.unique(pages.host, return_inverse=True)
    x, y, middles = _whole(drawn.places, np.array([(theme.x, theme.y) for theme in drawn.themes]).reshape(-1, 2))
    return {
        "kind": "pages",
        "x": x,
        "y": y,
        "id": pages.url.tolist(),
        "relevance": np.rint(pages.relevance * 100).astype(np.int64).tolist(),
        "relevant": pages.relevant.astype(np.int64).tolist(),
        "depth": pages.depth.tolist(),
        "source": pages.source.tolist(),
        "seed": pages.seed.astype(np.int64).tolist(),
        "theme": drawn.theme.tolist(),
        "host": host.tolist(),
        "hosts": [drawn.hosts[one] for one in used.tolist()],
        "themes": [
            {"name": theme.name, "pages": theme.pages, "relevant": theme.relevant, "x": at[0], "y": at[1]}
            for theme, at in zip(themes, middles, strict=True)
        ],
    }


def drawn_hosts(drawn: HostMap) -> dict[str, Any]:
    """A map of hosts, a list for each column; ``links`` has three numbers for each."""
    x, y, _ = _whole(drawn.places, np.empty((0, 2)))
    return {
        "kind": "hosts",
        "x": x,
        "y": y,
        "name": drawn.names,
        "pages": drawn.pages.tolist(),
        "relevant": drawn.relevant.tolist(),
        "count": drawn.hosts.tolist(),
        "links": drawn.links.ravel().tolist(),
    }


def drawn_tree(drawn: LinkTree) -> dict[str, Any]:
    """The tree of a crawl, a list for each column; the script places it, as a person folds parts of it up."""
    pages, nowhere = drawn.pages, [0] * len(drawn)
    return {
        "kind": "tree",
        "x": nowhere,
        "y": nowhere,
        "parent": drawn.parent.tolist(),
        "level": drawn.level.tolist(),
        "relevance": np.rint(pages.relevance * 100).astype(np.int64).tolist(),
        "relevant": pages.relevant.astype(np.int64).tolist(),
        "seed": pages.seed.astype(np.int64).tolist(),
        "title": drawn.titles,
        "url": drawn.urls,
    }


def _whole(places: Floats, others: NDArray[np.float64]) -> tuple[list[int], list[int], list[list[int]]]:
    """Places, and others on the same plane, as whole numbers from 0 to `EXTENT`; up is up."""
    if not len(places):
        return [], [], []
    low, high = places.min(axis=0), places.max(axis=0)
    width = max(float((high - low).max()), 1e-6)

    def whole(points: NDArray[Any]) -> IntArray:
        at = (points - (low + high) / 2) / width * [1, -1] + 0.5
        found: IntArray = np.rint(at * EXTENT).astype(np.int64).clip(0, EXTENT)
        return found

    at = whole(places)
    return at[:, 0].tolist(), at[:, 1].tolist(), whole(others).tolist()


def html_of_pages(drawn: PageMap, themes: Sequence[NamedTheme], store: Store, title: str) -> Iterator[str]:
    """The map of pages, with their titles and URLs."""
    part = _part(drawn)
    said = addresses_and_titles(store, LONGEST_TITLE)
    values = drawn_pages(part, list(themes))
    values["url"] = [said[url][0] for url in part.pages.url.tolist()]
    values["title"] = [said[url][1] for url in part.pages.url.tolist()]
    some = f"{len(part):,} of " if len(part) < len(drawn) else ""
    yield from map_in_a_file(values, title, f"{some}{len(drawn):,} pages by topic: near means alike in words")


def html_of_hosts(drawn: HostMap, title: str) -> Iterator[str]:
    yield from map_in_a_file(
        drawn_hosts(drawn),
        title,
        f"{len(drawn):,} hosts by links: larger with more pages, greener with more relevant ones",
    )


def html_of_tree(drawn: LinkTree, title: str) -> Iterator[str]:
    about = f"{len(drawn):,} pages, each on the page whose link led to it: larger and greener where relevant"
    yield from map_in_a_file(drawn_tree(drawn), title, about)


def map_in_a_file(values: dict[str, object], title: str, about: str) -> Iterator[str]:
    """The parts of a file that draws a map.

    values : as of `drawn_pages`, with the lists ``url`` and ``title``, or of `drawn_hosts` or `drawn_tree`
    """
    static = files("focused.desk.dashboard").joinpath("static")
    script = "\n".join(static.joinpath(name).read_text(encoding="utf-8") for name in SCRIPTS)
    style = "\n".join(static.joinpath(name).read_text(encoding="utf-8") for name in STYLES)
    allowed = f"script-src '{_digest(script)}'; style-src '{_digest(style)}'"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    yield f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
{_BODY.format(title=escape(title), about=escape(about))}<script type="application/json" id="data">"""
    yield script_json(values)
    yield f"</script>\n<script>{script}</script>\n</body>\n</html>\n"


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _part(whole: PageMap) -> PageMap:
    """The map with no more pages than a file should have: all relevant ones, where there are not too many, and some others."""
    pages = whole.pages
    if len(pages) <= MOST_PAGES:
        return whole
    order = drawn(pages.url, pages.relevant)
    order = np.concatenate([order[pages.relevant[order]], order[~pages.relevant[order]]])
    kept = np.sort(order[:MOST_PAGES])
    return replace(whole, pages=pages.taken(kept), places=whole.places[kept], theme=whole.theme[kept])


def saved(
    drawn: PageMap | HostMap | LinkTree, themes: list[NamedTheme], store: Store, ending: str, title: str
) -> Iterator[str]:
    """The parts of a file.

    themes : of a map of pages
    ending : one of `ENDINGS`
    """
    if isinstance(drawn, PageMap):
        if ending == HTML:
            return html_of_pages(drawn, themes, store, title)
        return FORMATS[ending](graph_of_pages(drawn, store, title, [theme.name for theme in themes]))
    if isinstance(drawn, LinkTree):
        return html_of_tree(drawn, title) if ending == HTML else FORMATS[ending](graph_of_tree(drawn, title))
    return html_of_hosts(drawn, title) if ending == HTML else FORMATS[ending](graph_of_hosts(drawn, title))
