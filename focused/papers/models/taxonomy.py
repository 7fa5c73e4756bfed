"""A taxonomy of topics with a naive Bayes classifier at each of its inner nodes, and the nodes that are good.

    Pr(root | p) = 1,  Pr(c | p) = Pr(parent | p) · Pr(c | parent, p),  R(p) = Σ over good c of Pr(c | p)

Source: Chakrabarti, van den Berg & Dom 1999, "Focused crawling", as described in Pant, Srinivasan & Menczer 2004, "Crawling
the Web", section 3.3 and equation 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from focused.papers.models.naive_bayes import NaiveBayes, rows_of, tally, vocabulary_of
from focused.relevance.plain_state import PlainState, state_in, texts_in, whole_in

Node = tuple[str, ...]  #: names from the top down, such as ("science", "physics"); () is the root

SEPARATOR = "/"


@dataclass(slots=True, frozen=True)
class Taxonomy:
    """A trained taxonomy.

    Attributes
    ----------
    children : names of each inner node's children, in alphabetical order
    classifiers : of each inner node, over its children; all share one vocabulary
    good : nodes on topic, with all below them
    """

    children: dict[Node, tuple[str, ...]]
    classifiers: dict[Node, NaiveBayes]
    good: frozenset[Node]
    length: int = 0  #: see `naive_bayes.posterior`

    @classmethod
    def fit(
        cls,
        texts: Sequence[Sequence[str]],
        nodes: Sequence[Node],
        good: Iterable[Node],
        *,
        least: int = 1,
        length: int = 0,
    ) -> Taxonomy:
        """Learn from n texts and the node of each; a text of an inner node says nothing of what is below.

        least : texts that a term must occur in; length : see `naive_bayes.posterior`
        """
        inner: dict[Node, set[str]] = {(): set()}
        for node in nodes:
            for depth, name in enumerate(node):
                inner.setdefault(node[:depth], set()).add(name)
        children = {node: tuple(sorted(names)) for node, names in sorted(inner.items())}
        vocabulary = vocabulary_of(texts, least)
        tallies = [tally(vocabulary, text) for text in texts]
        classifiers = {}
        for parent, names in children.items():
            below = [i for i, node in enumerate(nodes) if len(node) > len(parent) and node[: len(parent)] == parent]
            chosen = [names.index(nodes[i][len(parent)]) for i in below]
            classifiers[parent] = NaiveBayes.of_tallies(vocabulary, [tallies[i] for i in below], chosen, len(names))
        return cls(children, classifiers, frozenset(good), length)

    def state(self) -> dict[str, Any]:
        shared = self.classifiers[()].vocabulary
        return {
            "terms": sorted(shared, key=shared.__getitem__),
            "inner": {
                str(number): {
                    "node": list(node),
                    "children": list(names),
                    **self.classifiers[node].state_beside_terms(),
                }
                for number, (node, names) in enumerate(self.children.items())
            },
            "good": [name_of(node) for node in sorted(self.good)],
            "length": self.length,
        }

    @classmethod
    def restored(cls, state: PlainState) -> Taxonomy:
        """The taxonomy of a `state`; ValueError where it is none."""
        vocabulary = rows_of(texts_in(state, "terms"))
        inner = state_in(state, "inner")
        tables = {tuple(texts_in(state_in(inner, number), "node")): state_in(inner, number) for number in inner}
        children = {node: tuple(texts_in(table, "children")) for node, table in tables.items()}
        classifiers = {node: NaiveBayes.restored_over(vocabulary, table) for node, table in tables.items()}
        known: set[Node] = {()}
        for node, names in children.items():  # a parent comes before its children
            if node not in known or len(classifiers[node].log_priors) != len(names):
                raise ValueError(f"inner: {name_of(node)!r} has no parent before it, or other children than classes")
            known |= {(*node, name) for name in names}
        if () not in children:
            raise ValueError("inner: there is no root")
        return cls(children, classifiers, frozenset(map(node_of, texts_in(state, "good"))), whole_in(state, "length"))

    @property
    def nodes(self) -> list[Node]:
        """All nodes but the root, from the top down."""
        return [(*parent, name) for parent, names in self.children.items() for name in names]

    def probabilities(self, terms: Sequence[str]) -> dict[Node, float]:
        """Pr(c | text) of every node, the root included."""
        found: dict[Node, float] = {(): 1.0}
        text = tally(self.classifiers[()].vocabulary, terms)
        for parent, names in self.children.items():  # a parent comes before its children
            shares = self.classifiers[parent].judge(text, self.length).tolist()
            for name, share in zip(names, shares, strict=True):
                found[*parent, name] = found[parent] * share
        return found

    def relevance(self, probabilities: dict[Node, float]) -> float:
        """R(p) in [0, 1], from what `probabilities` gave."""
        return min(1.0, sum(probabilities.get(node, 0.0) for node in sorted(self.good)))

    def best_leaf(self, probabilities: dict[Node, float]) -> Node:
        """The most probable node without children; of several the first in alphabetical order."""
        leaves = sorted(node for node in probabilities if node not in self.children)
        return max(leaves, key=probabilities.__getitem__, default=())

    def is_good(self, node: Node) -> bool:
        """Whether a node is good or lies below a good one."""
        return any(node[:depth] in self.good for depth in range(1, len(node) + 1))


def node_of(text: str) -> Node:
    """The node that a person calls ``science/physics``."""
    return tuple(name for name in text.split(SEPARATOR) if name)


def name_of(node: Node) -> str:
    return SEPARATOR.join(node)


def nested(good: Iterable[Node]) -> tuple[Node, Node] | None:
    """A good node and another one below it, or None: good nodes must not be nested, or pages would count twice."""
    nodes = sorted(good)
    return next(((one, other) for one in nodes for other in nodes if one != other and other[: len(one)] == one), None)
