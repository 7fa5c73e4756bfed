"""The good sites of the third set: other kinds of sites, other shares, other templates; those about the topic form a ring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lab.webs.traps_html import Layout
from lab.webs.traps_sites import Manner, Style

SUFFIXES = ("com", "org", "org", "eu", "fr", "at", "ca", "io", "co.uk", "site")
LAYOUTS: Sequence[Layout] = (
    (("ul", "nav-links"), ("div", "entry"), ("dl", "related"), ("div", "discussion"), ("div", "foot")),
    (("div", "sidebar"), ("section", "body"), ("ul", "index"), ("ol", "commentlist"), ("footer", "page-end")),
    (("nav", "breadcrumbs"), ("article", "story"), ("div", "teasers"), ("div", "thread"), ("div", "legal")),
    (("p", "top"), ("div", "page"), ("ul", "toc"), ("div", "notes"), ("address", "signature")),
    (("header", "banner"), ("main", "main"), ("div", "grid"), ("section", "feedback"), ("footer", "footer")),
)
STYLES: Mapping[str, Style] = {
    "wiki": Style("/index.php/{slug}", "/index.php?list={section}&from={page}"),
    "magazine": Style("/{section}/{year}-{month:02}/{slug}.htm", "/{section}/issues-{page}.htm", boilerplate=3),
    "journal": Style("/vol{section}/no{day}/article/view/{id}/{id}", "/vol{section}/archive/{page}"),
    "handbook": Style(
        "/guide/latest/guide/chapter{day}/sub{section}/{slug}/index.html", "/guide/latest/index{section}-{page}.html"
    ),
    "club": Style(
        "/index.php?option=com_content&view=article&id={id}", "/index.php?option=list&cat={section}&p={page}"
    ),
    "questions": Style("/questions/{id}/{slug}", "/questions/tagged/{section}?sort=newest&start={page}"),
    "diary": Style("/{year}/{month}/{day}/{slug}", "/category/{section}/{page}/", years=True),
    "note": Style("/p/{slug}.html", "/p/label{section}-{page}.html"),
    "museum": Style(
        "/collection/object?inv={id}&year={year}", "/collection?room={section}&sheet={page}", boilerplate=6
    ),
    "press": Style("/{long}_{id}.html", "/dossier/{section}_{page}.html", boilerplate=2),
}
FRESH_MANNER = Manner(
    styles=STYLES,
    mixed=(
        *(("magazine", 0.18, 2.0), ("wiki", 0.16, 0.5), ("club", 0.12, 0.5), ("questions", 0.10, 4.0)),
        *(("museum", 0.08, 2.0), ("journal", 0.06, 3.0), ("handbook", 0.06, 0.3), ("press", 0.03, 12.0)),
    ),
    small=("diary", "club", "note", "diary", "handbook", "museum", "note", "diary", "magazine") * 2,
    other_sites=("press", "diary", "questions", "magazine", "museum", "note", "wiki", "club", "journal") * 2,
    platform=0.08,
    blogs=10,
    blog_style="note",
    www=0.4,
    suffixes=SUFFIXES,
    layouts=LAYOUTS,
    on_topic=0.6,
    own_site=0.3,
    listed_only=0.25,
    per_list=15,
    hub="/weblinks-{number}.html",
    hubs=14,
    hub_links=9,
    partners=6,
    rings=True,
)
