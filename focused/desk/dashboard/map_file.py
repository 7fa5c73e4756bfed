"""A map as values for the script that draws it, and as a file: one HTML page that needs nothing else, or a graph."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.collection.desk import Desk
from focused.collection.store import Store
from focused.crawl.arrays import IntArray
from focused.desk.html_output import script_json
from focused.desk.mapping.graph_files import FORMATS, graph_of
from focused.desk.mapping.link_maps import HostMap, LinkTree
from focused.desk.mapping.making import DrawnMap
from focused.desk.mapping.page_map import NamedTheme, PageMap, named_themes
from focused.desk.mapping.page_places import Floats, drawn
from focused.desk.mapping.page_reading import addresses_and_titles
from focused.inspection.search import Hit, SearchFilter, hits_of

EXTENT = 65_535  #: places are whole numbers from 0 to this
LISTED = 200  #: pages of a theme, or neighbours of a host, that are listed
MOST_PAGES = 20_000  #: of a file; relevant ones first
LONGEST_TITLE = 120
SCRIPTS = tuple(f"map_{name}.js" for name in ("raster", "labels", "pages", "hosts", "tree", "input", "view", "alone"))
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


def theme_pages(drawn: PageMap, store: Store, number: int) -> list[Hit]:
    """Pages of a theme, the most relevant first."""
    members, pages = np.flatnonzero(drawn.theme == number), drawn.pages
    order = members[np.lexsort((members, -pages.relevance[members], ~pages.relevant[members]))][:LISTED]
    return list(hits_of(store, pages.seq[order].tolist(), SearchFilter(copies=True)))


def neighbours(drawn: HostMap, at: int) -> list[tuple[str, int, int]]:
    """Names of hosts that a host has links with, and how many link to it and from it; those with most links first."""
    links = drawn.links
    into, out = np.zeros(len(drawn), np.int64), np.zeros(len(drawn), np.int64)
    of, to = links[links[:, 1] == at], links[links[:, 0] == at]
    into[of[:, 0]], out[to[:, 1]] = of[:, 2], to[:, 2]
    order = np.argsort(-(into + out), kind="stable")[:LISTED]
    return [(drawn.names[i], int(into[i]), int(out[i])) for i in order.tolist() if into[i] + out[i]]


def themes_in(drawn: DrawnMap, store: Store, desk: Desk) -> list[NamedTheme]:
    """The themes of a map of pages, as people named them; none of another."""
    return named_themes(drawn, store, desk.names()) if isinstance(drawn, PageMap) else []


def values_of(drawn: DrawnMap, themes: Sequence[NamedTheme]) -> dict[str, Any]:
    """A map as the script draws it, a list for each column; ``links`` of hosts has three numbers for each."""
    if isinstance(drawn, HostMap):
        x, y, _ = _whole(drawn.places, np.empty((0, 2)))
        columns = {"pages": drawn.pages, "relevant": drawn.relevant, "count": drawn.hosts, "links": drawn.links.ravel()}
        named = {"kind": "hosts", "x": x, "y": y, "name": drawn.names}
        return named | {name: column.tolist() for name, column in columns.items()}
    pages = drawn.pages
    values = {
        "relevance": np.rint(pages.relevance * 100).astype(np.int64).tolist(),
        "relevant": pages.relevant.astype(np.int64).tolist(),
        "seed": pages.seed.astype(np.int64).tolist(),
    }
    if isinstance(drawn, LinkTree):  # the script places it, as a person folds parts of it up
        nowhere, parent, level = [0] * len(drawn), drawn.parent.tolist(), drawn.level.tolist()
        tree = {"kind": "tree", "x": nowhere, "y": nowhere, "parent": parent, "level": level}
        return tree | values | {"title": drawn.titles, "url": drawn.urls}
    used, host = np.unique(pages.host, return_inverse=True)
    x, y, middles = _whole(drawn.places, np.array([(theme.x, theme.y) for theme in drawn.themes]).reshape(-1, 2))
    return values | {
        "kind": "pages",
        "x": x,
        "y": y,
        "id": pages.url.tolist(),
        "depth": pages.depth.tolist(),
        "source": pages.source.tolist(),
        "theme": drawn.theme.tolist(),
        "host": host.tolist(),
        "hosts": [drawn.hosts[one] for one in used.tolist()],
        "themes": [
            {"name": theme.name, "pages": theme.pages, "relevant": theme.relevant, "x": at[0], "y": at[1]}
            for theme, at in zip(themes, middles, strict=True)
        ],
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


def map_in_a_file(values: dict[str, object], title: str, about: str) -> Iterator[str]:
    """The parts of a file that draws a map.

    values : as of `values_of`, of pages with the lists ``url`` and ``title``
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


def saved(drawn: DrawnMap, themes: Sequence[NamedTheme], store: Store, ending: str, title: str) -> Iterator[str]:
    """The parts of a file.

    themes : of `themes_in`
    ending : one of `ENDINGS`
    """
    if ending != HTML:
        return FORMATS[ending](graph_of(drawn, store, title, [theme.name for theme in themes]))
    count = f"{len(drawn):,}"
    if isinstance(drawn, HostMap):
        about = f"{count} hosts by links: larger with more pages, greener with more relevant ones"
        return map_in_a_file(values_of(drawn, ()), title, about)
    if isinstance(drawn, LinkTree):
        about = f"{count} pages, each on the page whose link led to it: larger and greener where relevant"
        return map_in_a_file(values_of(drawn, ()), title, about)
    part = _part(drawn)
    some = f"{len(part):,} of " if len(part) < len(drawn) else ""
    texts = addresses_and_titles(store, part.pages.seq, LONGEST_TITLE)
    said = {"url": [url for url, _ in texts], "title": [title for _, title in texts]}
    return map_in_a_file(
        values_of(part, themes) | said, title, f"{some}{count} pages by topic: near means alike in words"
    )
