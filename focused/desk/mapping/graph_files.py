"""A map as a graph for other programs: nodes with places, colours and attributes, and edges; as GEXF, GraphML and SVG.

All texts are of the Web: they are escaped, and what XML 1.0 does not know is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from focused.collection.store import Store
from focused.desk.mapping.link_maps import HostMap, LinkTree, round_places
from focused.desk.mapping.page_map import PageMap
from focused.desk.mapping.page_reading import CrawledPages, addresses_and_titles

MOST_EDGES = 200_000  #: links between pages that are written: those of the pages that came first
LONGEST = 300  #: characters of a title or name
NAMED = 50  #: characters of a title that a picture shows
BELOW = 0.16  #: of the distance between two circles of a tree: its names stand below their pages
BATCH = 100_000  #: links that are in memory at a time

GOOD, OTHER, SEED = (10, 127, 90), (169, 179, 191), (200, 70, 11)  #: colours, as in the dashboard
Colour = tuple[int, int, int]
AttributeKind = Literal["string", "double", "long", "boolean"]
AttributeValue = str | float | int | bool
#: What no XML 1.0 document may hold, however it is written.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WIDTH, MARGIN = 1600.0, 60.0  #: of an SVG picture, in its own units
MOST_DOTS = 20_000  #: nodes of an SVG picture: no program shows more; those that are larger first
MOST_LINES = 6_000


@dataclass(frozen=True, slots=True)
class GraphNode:
    """values : of `Graph.attributes`, in their order"""

    label: str
    x: float
    y: float
    size: float
    colour: Colour
    values: Sequence[AttributeValue]


@dataclass(frozen=True, slots=True)
class Graph:
    """The id of a node is its position.

    labels : where names stand on the plane, the most important first
    draws_edges : whether a picture shows them; of pages with all their links it would show nothing else
    """

    title: str
    attributes: Sequence[tuple[str, AttributeKind]]
    nodes: Sequence[GraphNode]
    edges: Sequence[tuple[int, int, int]]  #: from, to, weight
    labels: Sequence[tuple[str, float, float]]
    draws_edges: bool = True


def graph_of(drawn: PageMap | HostMap | LinkTree, store: Store, title: str, names: Sequence[str]) -> Graph:
    """The graph of any map; ``names`` : of the themes of a map of pages."""
    if isinstance(drawn, PageMap):
        return graph_of_pages(drawn, store, title, names)
    return graph_of_hosts(drawn, title) if isinstance(drawn, HostMap) else graph_of_tree(drawn, title)


def graph_of_pages(drawn: PageMap, store: Store, title: str, names: Sequence[str]) -> Graph:
    """Pages with the links between them; ``names`` : of the themes."""
    pages, nodes, colours = drawn.pages, [], _colours(drawn.pages)
    for i, (address, label) in enumerate(addresses_and_titles(store, pages.seq, LONGEST)):
        relevance, relevant, seed = float(pages.relevance[i]), bool(pages.relevant[i]), bool(pages.seed[i])
        host, theme = drawn.hosts[int(pages.host[i])], names[int(drawn.theme[i])]
        values = (address, host, round(relevance, 4), relevant, int(pages.depth[i]), seed, theme)
        size, colour = 6.0 if seed else 4.0 if relevant else 3.0, SEED if seed and not relevant else colours[i]
        x, y = drawn.places[i].tolist()
        nodes.append(GraphNode(label or address, x, y, size, colour, values))
    attributes: list[tuple[str, AttributeKind]] = [
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
        share, size = relevant / max(1, pages), 4 + 26 * float(np.sqrt(pages / most))
        values = (pages, relevant, round(share, 4), int(drawn.hosts[i]))
        x, y = drawn.places[i].tolist()
        nodes.append(GraphNode(name, x, y, size, _between(OTHER, GOOD, share), values))
    attributes: list[tuple[str, AttributeKind]] = [
        ("pages", "long"), ("relevant", "long"), ("relevant_share", "double"), ("hosts", "long"),
    ]  # fmt: skip
    edges = [(one, other, count) for one, other, count in drawn.links.tolist()]
    labels = [(node.label, node.x, node.y) for node in nodes[:60]]
    return Graph(title, attributes, nodes, edges, labels)


def graph_of_tree(drawn: LinkTree, title: str) -> Graph:
    """Pages, each with an edge from the page whose link led to it."""
    pages, level, places = drawn.pages, drawn.level, round_places(drawn)
    nodes, colours = [], _colours(pages)
    for i, (url, label) in enumerate(zip(drawn.urls, drawn.titles, strict=True)):
        relevance, relevant = float(pages.relevance[i]), bool(pages.relevant[i])
        values = (url, round(relevance, 4), relevant, int(level[i]), bool(pages.seed[i]))
        x, y = places[i].tolist()
        nodes.append(GraphNode(label or url, x, y, 5.0 if relevant else 3.0, colours[i], values))
    attributes: list[tuple[str, AttributeKind]] = [
        ("url", "string"), ("relevance", "double"), ("relevant", "boolean"), ("depth", "long"), ("seed", "boolean"),
    ]  # fmt: skip
    edges = [(parent, child, 1) for child, parent in enumerate(drawn.parent.tolist()) if parent >= 0]
    first = sorted(range(len(nodes)), key=lambda i: (drawn.parent[i] >= 0, not pages.relevant[i], -pages.relevance[i]))
    named = [nodes[i] for i in first if drawn.parent[i] < 0 or pages.relevant[i]]
    labels = [(_named(node.label), node.x, node.y - BELOW) for node in named]
    return Graph(title, attributes, nodes, edges, labels)


def _colours(pages: CrawledPages) -> list[Colour]:
    """Of relevant pages green, the more so the more relevant they are."""
    best = max(float(pages.relevance[pages.relevant].max(initial=0)), 1e-6)
    shares = np.where(pages.relevant, 0.4 + 0.6 * pages.relevance / best, 0.0)
    return [_between(OTHER, GOOD, share) for share in shares.tolist()]


def _links(drawn: PageMap, store: Store) -> list[tuple[int, int, int]]:
    """Links between pages of the map, each pair once, with how many there are."""
    found: dict[tuple[int, int], int] = {}
    cursor = store.execute("SELECT page, target FROM links ORDER BY rowid")  # no index: one look at all of them
    while rows := cursor.fetchmany(BATCH):
        ends = drawn.pages.at(np.array(rows, np.int64).ravel()).reshape(-1, 2)
        ends = ends[(ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])]
        for one, other in ends.tolist():
            if (one, other) in found or len(found) < MOST_EDGES:
                found[one, other] = found.get((one, other), 0) + 1
    return [(one, other, count) for (one, other), count in found.items()]


def _named(label: str) -> str:
    return f"{label[:NAMED]}…" if len(label) > NAMED else label


def _between(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def gexf(graph: Graph) -> Iterator[str]:
    """GEXF 1.3, as Gephi reads it."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield f"<meta><creator>focused</creator><description>{_text(graph.title)}</description></meta>\n"
    yield '<graph defaultedgetype="directed" mode="static">\n<attributes class="node">\n'
    for i, (name, kind) in enumerate(graph.attributes):
        yield f'<attribute id="{i}" title={_value(name)} type="{kind}"/>\n'
    yield "</attributes>\n<nodes>\n"
    for i, node in enumerate(graph.nodes):
        red, green, blue = node.colour
        values = "".join(f'<attvalue for="{j}" value={_value(value)}/>' for j, value in enumerate(node.values))
        yield (
            f'<node id="{i}" label={_value(node.label)}><attvalues>{values}</attvalues>'
            f'<viz:color r="{red}" g="{green}" b="{blue}"/><viz:position x="{node.x:.3f}" y="{node.y:.3f}" z="0"/>'
            f'<viz:size value="{node.size:.1f}"/></node>\n'
        )
    yield "</nodes>\n<edges>\n"
    for i, (one, other, weight) in enumerate(graph.edges):
        yield f'<edge id="{i}" source="{one}" target="{other}" weight="{weight}"/>\n'
    yield "</edges>\n</graph>\n</gexf>\n"


def graphml(graph: Graph) -> Iterator[str]:
    """GraphML, as yEd, igraph and networkx read it."""
    keys = [("label", "string"), *graph.attributes, ("x", "double"), ("y", "double"), ("size", "double")]
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for i, (name, kind) in enumerate(keys):
        yield f'<key id="n{i}" for="node" attr.name={_value(name)} attr.type="{kind}"/>\n'
    yield '<key id="weight" for="edge" attr.name="weight" attr.type="long"/>\n'
    yield '<graph id="map" edgedefault="directed">\n'
    for number, node in enumerate(graph.nodes):
        values = (node.label, *node.values, round(node.x, 3), round(node.y, 3), node.size)
        data = "".join(f'<data key="n{i}">{_text(_written(value))}</data>' for i, value in enumerate(values))
        yield f'<node id="{number}">{data}</node>\n'
    for one, other, weight in graph.edges:
        yield f'<edge source="{one}" target="{other}"><data key="weight">{weight}</data></edge>\n'
    yield "</graph>\n</graphml>\n"


def svg(graph: Graph) -> Iterator[str]:
    """A picture: dots and names; lines only where an edge has a weight that says something, as between hosts."""
    place, height = _frame(graph)
    yield (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" '
        f'font-family="system-ui, DejaVu Sans, sans-serif">\n<title>{_text(graph.title)}</title>\n'
        '<rect width="100%" height="100%" fill="#ffffff"/>\n'
    )
    if graph.draws_edges:
        yield '<g stroke="#c9d0d8" stroke-width="1" stroke-opacity="0.7">\n'
        for one, other, _ in sorted(graph.edges, key=lambda edge: -edge[2])[:MOST_LINES]:
            (x1, y1), (x2, y2) = (place(graph.nodes[end].x, graph.nodes[end].y) for end in (one, other))
            yield f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>\n'
        yield "</g>\n"
    yield "<g>\n"
    for node in sorted(sorted(graph.nodes, key=lambda node: -node.size)[:MOST_DOTS], key=_is_grey, reverse=True):
        x, y = place(node.x, node.y)
        red, green, blue = node.colour
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{node.size:.1f}" fill="#{red:02x}{green:02x}{blue:02x}" fill-opacity="0.85">'
            f"<title>{_text(node.label)}</title></circle>\n"
        )
    yield '</g>\n<g text-anchor="middle" font-size="18" font-weight="600" fill="#16202c" '
    yield 'stroke="#ffffff" stroke-width="4" paint-order="stroke">\n'
    for name, x, y in _apart(graph, place):
        yield f'<text x="{x:.1f}" y="{y:.1f}">{_text(name)}</text>\n'
    yield "</g>\n</svg>\n"


#: By the ending of a file.
FORMATS: Mapping[str, Callable[[Graph], Iterator[str]]] = {"gexf": gexf, "graphml": graphml, "svg": svg}


def _frame(graph: Graph) -> tuple[Callable[[float, float], tuple[float, float]], float]:
    """Where a place lies in a picture, and how high the picture is."""
    xs, ys = [node.x for node in graph.nodes] or [0.0], [node.y for node in graph.nodes] or [0.0]
    left, top = min(xs), max(ys)
    scale = (WIDTH - 2 * MARGIN) / max(max(xs) - left, max(ys) - min(ys), 1e-6)
    height = (top - min(ys)) * scale + 2 * MARGIN
    return lambda x, y: ((x - left) * scale + MARGIN, (top - y) * scale + MARGIN), height


def _apart(graph: Graph, place: Callable[[float, float], tuple[float, float]]) -> Iterator[tuple[str, float, float]]:
    """Names that do not touch each other, the most important first."""
    taken: list[tuple[float, float, float]] = []
    for name, x, y in graph.labels:
        x, y = place(x, y)
        half = 5.2 * len(name) + 6
        if all(abs(x - other) > half + width or abs(y - row) > 24 for other, row, width in taken):
            taken.append((x, y, half))
            yield name, x, y


def _is_grey(node: GraphNode) -> bool:
    red, green, _ = node.colour
    return abs(red - green) < 20


def _written(value: AttributeValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _text(text: str) -> str:
    return escape(_ILLEGAL.sub("", text))


def _value(value: AttributeValue) -> str:
    """As the value of an attribute, with its quotes."""
    return quoteattr(_ILLEGAL.sub("", _written(value)))
