"""A map as a file for other programs or people, by the ending of its name."""

from __future__ import annotations

from collections.abc import Iterator

from focused.collection.store import Store
from focused.desk.dashboard.map_file import html_of_hosts, html_of_pages, html_of_tree
from focused.desk.mapping.graph import graph_of_hosts, graph_of_pages, graph_of_tree
from focused.desk.mapping.graph_files import FORMATS
from focused.desk.mapping.host_map import HostMap
from focused.desk.mapping.link_tree import LinkTree
from focused.desk.mapping.named_themes import NamedTheme
from focused.desk.mapping.page_map import PageMap

HTML = "html"
MEDIA_TYPES = {
    "gexf": "application/gexf+xml",
    "graphml": "application/graphml+xml",
    "svg": "image/svg+xml",
    HTML: "text/html",
}
ENDINGS = tuple(MEDIA_TYPES)


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
