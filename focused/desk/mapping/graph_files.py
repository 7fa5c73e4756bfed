"""A map as a graph for other programs: nodes with places, colours and attributes, and edges; as GEXF, GraphML and SVG.

All texts are of the Web: they are escaped, and what XML 1.0 does not know is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
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
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
#: What no XML 1.0 document may hold, however it is written.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
WIDTH, MARGIN = 1600.0, 60.0  #: of an SVG picture, in its own units
MOST_DOTS = 20_000  #: nodes of an SVG picture: no program shows more; those that are larger first
MOST_LINES = 6_000


class Dot(NamedTuple):
    """A node: how a picture shows it, and what is known of it, by name; in a graph every node has the same names."""

    label: str
    x: float
    y: float
    size: float
    colour: Colour
    known: Mapping[str, str | float]


@dataclass(frozen=True, slots=True)
class Graph:
    """The id of a node is its position.

    labels : where names stand on the plane, the most important first
    draws_edges : whether a picture shows them; of pages with all their links it would show nothing else
    """

    title: str
    dots: list[Dot] = field(default_factory=list)
    edges: list[tuple[int, int, int]] = field(default_factory=list)  #: from, to, weight
    labels: list[tuple[str, float, float]] = field(default_factory=list)
    draws_edges: bool = True

    def add(self, label: str, place: Sequence[float], size: float, colour: Colour, **known: str | float) -> None:
        """Add a node."""
        x, y = place
        self.dots.append(Dot(label, x, y, size, colour, known))


def graph_of(drawn: PageMap | HostMap | LinkTree, store: Store, title: str, names: Sequence[str]) -> Graph:
    """The graph of any map; ``names`` : of the themes of a map of pages."""
    if isinstance(drawn, PageMap):
        return graph_of_pages(drawn, store, title, names)
    return graph_of_hosts(drawn, title) if isinstance(drawn, HostMap) else graph_of_tree(drawn, title)


def graph_of_pages(drawn: PageMap, store: Store, title: str, names: Sequence[str]) -> Graph:
    """Pages with the links between them; ``names`` : of the themes."""
    graph, pages, colours = Graph(title, draws_edges=False), drawn.pages, _colours(drawn.pages)
    for i, (address, label) in enumerate(addresses_and_titles(store, pages.seq, LONGEST)):
        relevance, relevant, seed = float(pages.relevance[i]), bool(pages.relevant[i]), bool(pages.seed[i])
        size, colour = 6.0 if seed else 4.0 if relevant else 3.0, SEED if seed and not relevant else colours[i]
        graph.add(
            label or address, drawn.places[i].tolist(), size, colour,
            url=address, host=drawn.hosts[int(pages.host[i])], relevance=round(relevance, 4), relevant=relevant,
            depth=int(pages.depth[i]), seed=seed, theme=names[int(drawn.theme[i])],
        )  # fmt: skip
    graph.edges.extend(_links(drawn, store))
    graph.labels.extend((name, theme.x, theme.y) for name, theme in zip(names, drawn.themes, strict=True))
    return graph


def graph_of_hosts(drawn: HostMap, title: str) -> Graph:
    """Hosts with the links between them, each edge with how many there are."""
    graph, most = Graph(title), max(1, int(drawn.pages.max(initial=0)))
    for i, name in enumerate(drawn.names):
        pages, relevant = int(drawn.pages[i]), int(drawn.relevant[i])
        share, size = relevant / max(1, pages), 4 + 26 * float(np.sqrt(pages / most))
        graph.add(
            name, drawn.places[i].tolist(), size, _between(OTHER, GOOD, share),
            pages=pages, relevant=relevant, relevant_share=round(share, 4), hosts=int(drawn.hosts[i]),
        )  # fmt: skip
    graph.edges.extend(drawn.links.tolist())
    graph.labels.extend((dot.label, dot.x, dot.y) for dot in graph.dots[:60])
    return graph


def graph_of_tree(drawn: LinkTree, title: str) -> Graph:
    """Pages, each with an edge from the page whose link led to it."""
    graph, pages, level, places = Graph(title), drawn.pages, drawn.level, round_places(drawn)
    colours = _colours(pages)
    for i, (url, label) in enumerate(zip(drawn.urls, drawn.titles, strict=True)):
        relevance, relevant = float(pages.relevance[i]), bool(pages.relevant[i])
        graph.add(
            label or url, places[i].tolist(), 5.0 if relevant else 3.0, colours[i],
            url=url, relevance=round(relevance, 4), relevant=relevant, depth=int(level[i]), seed=bool(pages.seed[i]),
        )  # fmt: skip
    graph.edges.extend((parent, child, 1) for child, parent in enumerate(drawn.parent.tolist()) if parent >= 0)
    first = sorted(range(len(pages)), key=lambda i: (drawn.parent[i] >= 0, not pages.relevant[i], -pages.relevance[i]))
    named = [graph.dots[i] for i in first if drawn.parent[i] < 0 or pages.relevant[i]]
    graph.labels.extend((_named(dot.label), dot.x, dot.y - BELOW) for dot in named)
    return graph


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
    yield f'{HEAD}<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">\n'
    yield f"<meta><creator>focused</creator><description>{_text(graph.title)}</description></meta>\n"
    yield '<graph defaultedgetype="directed" mode="static">\n<attributes class="node">\n'
    yield from (f'<attribute id="{name}" title="{name}" type="{kind}"/>\n' for name, kind in _kinds(graph))
    yield "</attributes>\n<nodes>\n"
    for i, dot in enumerate(graph.dots):
        red, green, blue = dot.colour
        values = "".join(f'<attvalue for="{name}" value={_value(value)}/>' for name, value in dot.known.items())
        yield (
            f'<node id="{i}" label={_value(dot.label)}><attvalues>{values}</attvalues>'
            f'<viz:color r="{red}" g="{green}" b="{blue}"/><viz:position x="{dot.x:.3f}" y="{dot.y:.3f}" z="0"/>'
            f'<viz:size value="{dot.size:.1f}"/></node>\n'
        )
    yield "</nodes>\n<edges>\n"
    for i, (one, other, weight) in enumerate(graph.edges):
        yield f'<edge id="{i}" source="{one}" target="{other}" weight="{weight}"/>\n'
    yield "</edges>\n</graph>\n</gexf>\n"


def graphml(graph: Graph) -> Iterator[str]:
    """GraphML, as yEd, igraph and networkx read it."""
    yield f'{HEAD}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for name, kind in [("label", "string"), *_kinds(graph), ("x", "double"), ("y", "double"), ("size", "double")]:
        yield f'<key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<key id="weight" for="edge" attr.name="weight" attr.type="long"/>\n<graph id="map" edgedefault="directed">\n'
    for i, dot in enumerate(graph.dots):
        known = {"label": dot.label, **dot.known, "x": round(dot.x, 3), "y": round(dot.y, 3), "size": dot.size}
        data = "".join(f'<data key="{name}">{_text(_written(value))}</data>' for name, value in known.items())
        yield f'<node id="{i}">{data}</node>\n'
    for one, other, weight in graph.edges:
        yield f'<edge source="{one}" target="{other}"><data key="weight">{weight}</data></edge>\n'
    yield "</graph>\n</graphml>\n"


def _kinds(graph: Graph) -> list[tuple[str, str]]:
    """What is known of nodes, with its type as both formats call it."""
    kinds = {str: "string", float: "double", int: "long", bool: "boolean"}
    return [(name, kinds[type(value)]) for dot in graph.dots[:1] for name, value in dot.known.items()]


def svg(graph: Graph) -> Iterator[str]:
    """A picture: dots and names; lines only where an edge has a weight that says something, as between hosts."""
    place, height = _frame(graph)
    yield (
        f'{HEAD}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:.0f} {height:.0f}" '
        f'font-family="system-ui, DejaVu Sans, sans-serif">\n<title>{_text(graph.title)}</title>\n'
        '<rect width="100%" height="100%" fill="#ffffff"/>\n'
    )
    if graph.draws_edges:
        yield '<g stroke="#c9d0d8" stroke-width="1" stroke-opacity="0.7">\n'
        for one, other, _ in sorted(graph.edges, key=lambda edge: -edge[2])[:MOST_LINES]:
            (x1, y1), (x2, y2) = (place(graph.dots[end].x, graph.dots[end].y) for end in (one, other))
            yield f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>\n'
        yield "</g>\n"
    yield "<g>\n"
    for node in sorted(sorted(graph.dots, key=lambda node: -node.size)[:MOST_DOTS], key=_is_grey, reverse=True):
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
    xs, ys = [dot.x for dot in graph.dots] or [0.0], [dot.y for dot in graph.dots] or [0.0]
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


def _is_grey(node: Dot) -> bool:
    red, green, _ = node.colour
    return abs(red - green) < 20


def _text(text: str) -> str:
    return escape(_ILLEGAL.sub("", text))


def _value(value: str | float) -> str:
    """As the value of an attribute, with its quotes."""
    return quoteattr(_ILLEGAL.sub("", _written(value)))


def _written(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
