"""The tree of a crawl in words: what hangs on what, for the list beside the map."""

from __future__ import annotations

from dataclasses import dataclass, field

from focused.desk.mapping.link_tree import LinkTree

MOST, DEEPEST = 400, 40  #: pages of an outline, and links from the start


@dataclass(slots=True)
class Branch:
    """A page with what hangs on it.

    pages, relevant : of the whole branch, this one included
    """

    url: str
    title: str
    relevance: float
    is_relevant: bool
    level: int
    pages: int = 1
    relevant: int = 0
    branches: list[Branch] = field(default_factory=list)


def branches(tree: LinkTree) -> list[Branch]:
    """The outline from each start: pages with relevant ones below first, `MOST` pages at most."""
    pages, level = tree.pages, tree.level.tolist()
    every = [
        Branch(url, title, float(pages.relevance[i]), bool(pages.relevant[i]), level[i], 1, int(pages.relevant[i]))
        for i, (url, title) in enumerate(zip(tree.urls, tree.titles, strict=True))
    ]
    parents = tree.parent.tolist()
    for child in range(len(every) - 1, -1, -1):  # whatever hangs on a page comes after it
        if parents[child] >= 0:
            every[parents[child]].pages += every[child].pages
            every[parents[child]].relevant += every[child].relevant
    order = sorted(range(len(every)), key=lambda i: (level[i], -every[i].relevant, i))[:MOST]
    roots: list[Branch] = []
    shown = set(order)
    for i in order:
        if parents[i] < 0:
            roots.append(every[i])
        elif parents[i] in shown and level[i] <= DEEPEST:
            every[parents[i]].branches.append(every[i])
    return roots
