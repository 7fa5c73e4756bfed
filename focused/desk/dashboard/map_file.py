"""A map as one HTML file that needs nothing: no server, no network, no other file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files

import numpy as np

from focused.collection.store import Store
from focused.desk.dashboard.map_data import drawn_hosts, drawn_pages, drawn_tree
from focused.desk.html_output import script_json
from focused.desk.mapping.host_map import HostMap
from focused.desk.mapping.link_tree import LinkTree
from focused.desk.mapping.named_themes import NamedTheme
from focused.desk.mapping.page_map import PageMap
from focused.desk.mapping.page_places import drawn
from focused.page.plain_text import plain

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


def html_of_pages(drawn: PageMap, themes: Sequence[NamedTheme], store: Store, title: str) -> Iterator[str]:
    """The map of pages, with their titles and URLs."""
    part = _part(drawn)
    rows = store.execute(
        "SELECT f.final_url, u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' "
        "ORDER BY f.seq DESC"
    )
    said = {url: (address, plain(of or "", LONGEST_TITLE)) for url, address, of in rows}
    values = drawn_pages(part, list(themes))
    values["url"] = [said[url][0] for url in part.pages.url.tolist()]
    values["title"] = [said[url][1] for url in part.pages.url.tolist()]
    about = (
        f"{len(part):,} of {len(drawn):,} pages by topic: near means alike in words"
        if len(part) < len(drawn)
        else (f"{len(drawn):,} pages by topic: near means alike in words")
    )
    yield from map_in_a_file(values, title, about)


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
