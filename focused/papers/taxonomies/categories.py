"""Categories of a taxonomy as a person and a file name them, and what lies below each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from focused.exceptions import TaxonomyError
from focused.page.plain_text import plain
from focused.papers.strategies.focused.taxonomy import Node, name_of, nested, node_of
from focused.papers.taxonomies.taxonomy_store import ExampleUrl
from focused.topic.mistakes import unknown

ROOT = "Top"  #: how the Open Directory Project calls the root, with which all its categories begin
LONGEST_NAME = 500  #: characters of a category


def category_of(text: str) -> str:
    """The name of a category as we keep it: ``Top/Science/ Physics/`` is ``Science/Physics``; empty for what is none."""
    names = tuple(name for part in node_of(plain(text)) if (name := part.strip()))
    name = name_of(names[1:] if names[:1] == (ROOT,) else names)
    return name if len(name) <= LONGEST_NAME else ""


def nodes_of(examples: Iterable[ExampleUrl]) -> set[Node]:
    """All categories that examples belong to, with those above them."""
    names = {example.category for example in examples if example.category}
    return {node[:depth] for node in map(node_of, names) for depth in range(1, len(node) + 1)}


def known_category(text: str, nodes: Collection[Node]) -> str:
    """A category that a person names; TaxonomyError, naming the nearest, for one that no example belongs to."""
    name = category_of(text)
    if node_of(name) not in nodes:
        raise TaxonomyError(f"{text!r} is {unknown(name, sorted(map(name_of, nodes)), plural='categories')}")
    return name


def checked_good(good: Iterable[str]) -> list[str]:
    """Categories that may be marked good together: none lies below another, or its pages would count twice (eq. 6)."""
    names = sorted(set(good))
    if pair := nested(map(node_of, names)):
        one, other = map(name_of, pair)
        raise TaxonomyError(
            f"{other!r} lies below {one!r}: only one of them can be good; --not {other!r} takes a mark away"
        )
    return names


@dataclass(frozen=True)
class Count:
    """Examples of a category and all below it."""

    examples: int = 0
    judged: int = 0
    pages: int = 0
    failed: int = 0


def tree(examples: Iterable[ExampleUrl], below: Node = ()) -> Mapping[Node, Count]:
    """Counts of each category below a node, itself first, from the top down. The root counts examples without a category, too."""
    counts: dict[str, Counter[Node]] = {name: Counter() for name in Count.__dataclass_fields__}
    for example in examples:
        node = node_of(example.category or "")
        if node[: len(below)] == below:
            for name in _kinds(example):
                counts[name].update(node[:depth] for depth in range(len(below), len(node) + 1))
    return {node: Count(**{name: found[node] for name, found in counts.items()}) for node in sorted(counts["examples"])}


def _kinds(example: ExampleUrl) -> Iterator[str]:
    """Which numbers of `Count` an example raises."""
    yield "examples"
    if example.judged:
        yield "judged"
    if example.place:
        yield "pages"
    if example.reason:
        yield "failed"
