"""A map as a graph for other programs: nodes with places, colours and attributes, and directed edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from focused.collection.store import Store
from focused.desk.mapping.host_map import HostMap
from focused.desk.mapping.link_tree import LinkTree, round_places
from focused.desk.mapping.page_map import PageMap
from focused.page.plain_text import plain

MOST_EDGES = 200_000  #: links between pages that are written: those of the pages that came first
LONGEST = 300  #: characters of a title or name
NAMED = 50  #: characters of a title that a picture shows
BELOW = 0.16  #: of the distance between two circles of a tree: its names stand below their pages
BATCH = 100_000  #: links that are in memory at a time

GOOD, OTHER, SEED = (10, 127, 90), (169, 179, 191), (200, 70, 11)  #: colours, as in the dashboard
Kind = Literal["string", "double", "long", "boolean"]
Value = str | float | int | bool


@dataclass(frozen=True, slots=True)
class Node:
    """values : of `Graph.attributes`, in their order"""

    label: str
    x: float
    y: float
    size: float
    colour: tuple[int, int, int]
    values: Sequence[Value]


@dataclass(frozen=True, slots=True)
class Graph:
    """The id of a node is its position.

    labels : where names stand on the plane, the most important first
    draws_edges : whether a picture shows them; of pages with all their links it would show nothing else
    """

    title: str
    attributes: Sequence[tuple[str, Kind]]
    nodes: Sequence[Node]
    edges: Sequence[tuple[int, int, int]]  #: from, to, weight
    labels: Sequence[tuple[str, float, float]]
    draws_edges: bool = True


def graph_of_pages(drawn: PageMap, store: Store, title: str, names: Sequence[str]) -> Graph:
    """Pages with the links between them.

    names : of the themes
    """
    pages = drawn.pages
    rows = store.execute(
        "SELECT f.final_url, u.url, f.title FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.outcome = 'page' "
        "ORDER BY f.seq DESC"
    )
    said = {url: (address, plain(of or "", LONGEST)) for url, address, of in rows}
    best = max(float(pages.relevance[pages.relevant].max(initial=0)), 1e-6)
    nodes = []
    for i, url in enumerate(pages.url.tolist()):
        address, label = said[url]
        relevance, relevant = float(pages.relevance[i]), bool(pages.relevant[i])
        values = (
            address,
            drawn.hosts[int(pages.host[i])],
            round(relevance, 4),
            relevant,
            int(pages.depth[i]),
            bool(pages.seed[i]),
            names[int(drawn.theme[i])],
        )
        colour = _between(OTHER, GOOD, 0.4 + 0.6 * relevance / best) if relevant else OTHER
        size = 6.0 if pages.seed[i] else 4.0 if relevant else 3.0
        x, y = drawn.places[i].tolist()
        nodes.append(Node(label or address, x, y, size, SEED if pages.seed[i] and not relevant else colour, values))
    attributes: list[tuple[str, Kind]] = [
        ("url", "string"), ("host", "string"), ("relevance", "double"), ("relevant", "boolean"), ("depth", "long"),
        ("seed", "boolean"), ("theme", "string"),
    ]  # fmt: skip
    labels = [(name, theme.x, theme.y) for name, theme in zip(names, drawn.themes, strict=True)]
    return Graph(title, attributes, nodes, _links(drawn, store), labels, draws_edges=False)


def graph_of_hosts(drawn: HostMap, title: str) -> Graph:
    """Hosts with the links between them, each edge with how many there are."""
    most = max(1, int(drawn.pages.max(initial=0)))
    nodes = []
    for i, name in enumerate(drawn.names):
        pages, relevant = int(drawn.pages[i]), int(drawn.relevant[i])
        share = relevant / max(1, pages)
        x, y = drawn.places[i].tolist()
        size = 4 + 26 * float(np.sqrt(pages / most))
        nodes.append(
            Node(
                name, x, y, size, _between(OTHER, GOOD, share), (pages, relevant, round(share, 4), int(drawn.hosts[i]))
            )
        )
    attributes: list[tuple[str, Kind]] = [
        ("pages", "long"), ("relevant", "long"), ("relevant_share", "double"), ("hosts", "long"),
    ]  # fmt: skip
    edges = [(one, other, count) for one, other, count in drawn.links.tolist()]
    labels = [(node.label, node.x, node.y) for node in nodes[:60]]
    return Graph(title, attributes, nodes, edges, labels)


def graph_of_tree(drawn: LinkTree, title: str) -> Graph:
    """Pages, each with an edge from the page whose link led to it."""
    pages, level, places = drawn.pages, drawn.level, round_places(drawn)
    best = max(float(pages.relevance[pages.relevant].max(initial=0)), 1e-6)
    nodes = []
    for i, (url, label) in enumerate(zip(drawn.urls, drawn.titles, strict=True)):
        relevance, relevant = float(pages.relevance[i]), bool(pages.relevant[i])
        colour = _between(OTHER, GOOD, 0.4 + 0.6 * relevance / best) if relevant else OTHER
        x, y = places[i].tolist()
        values = (url, round(relevance, 4), relevant, int(level[i]), bool(pages.seed[i]))
        nodes.append(Node(label or url, x, y, 5.0 if relevant else 3.0, colour, values))
    attributes: list[tuple[str, Kind]] = [
        ("url", "string"), ("relevance", "double"), ("relevant", "boolean"), ("depth", "long"), ("seed", "boolean"),
    ]  # fmt: skip
    edges = [(parent, child, 1) for child, parent in enumerate(drawn.parent.tolist()) if parent >= 0]
    first = sorted(range(len(nodes)), key=lambda i: (drawn.parent[i] >= 0, not pages.relevant[i], -pages.relevance[i]))
    labels = [
        (_named(nodes[i].label), nodes[i].x, nodes[i].y - BELOW)
        for i in first
        if drawn.parent[i] < 0 or pages.relevant[i]
    ]
    return Graph(title, attributes, nodes, edges, labels)


def _links(drawn: PageMap, store: Store) -> list[tuple[int, int, int]]:
    """Links between pages of the map, each pair once, with how many there are."""
    found: dict[tuple[int, int], int] = {}
    cursor = store.execute(
        "SELECT page, target FROM links ORDER BY rowid"
    )  # there is no index: one look at all of them
    while rows := cursor.fetchmany(BATCH):
        ends = drawn.pages.at(np.array(rows, np.int64).ravel()).reshape(-1, 2)
        ends = ends[(ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])]
        for one, other in ends.tolist():
            if (one, other) in found or len(found) < MOST_EDGES:
                found[one, other] = found.get((one, other), 0) + 1
    return [(one, other, count) for (one, other), count in found.items()]


def _named(label: str) -> str:
    return f"{label[:NAMED]}…" if len(label) > NAMED else label


def _between(one: tuple[int, int, int], other: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue
