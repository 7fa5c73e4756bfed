"""A taxonomy of topics with a naive Bayes classifier at each of its inner nodes, and the nodes that are good.

    Pr(root | p) = 1,  Pr(c | p) = Pr(parent | p) · Pr(c | parent, p),  R(p) = Σ over good c of Pr(c | p)

Source: Chakrabarti, van den Berg & Dom 1999, "Focused crawling", as described in Pant, Srinivasan & Menczer 2004, "Crawling
the Web", section 3.3 and equation 6.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.scorers.plain_state import PlainState, array_in, state_in, texts_in, whole_in

TermTally = tuple[IntArray, FloatArray]  #: rows of a text's known terms, each once, and how often each occurs


@dataclass(slots=True, frozen=True)
class NaiveBayes:
    """A trained classifier.

    Attributes
    ----------
    vocabulary : term -> row; terms outside say nothing
    log_priors : (c,) log P(c)
    log_likelihoods : (t + 1, c) log P(t | c); the last row, of zeros, is that of all other terms
    """

    vocabulary: dict[str, int]
    log_priors: FloatArray
    log_likelihoods: NDArray[np.float32]

    @classmethod
    def fit(cls, texts: Sequence[Sequence[str]], classes: Sequence[int], count: int, *, least: int = 1) -> NaiveBayes:
        """Learn from n texts (lists of terms) of the classes 0 to ``count`` - 1; priors are the shares of texts.

        least : a term must occur in so many texts to be in the vocabulary
        """
        vocabulary = vocabulary_of(texts, least)
        return cls.of_tallies(vocabulary, [tally(vocabulary, text) for text in texts], classes, count)

    @classmethod
    def of_tallies(
        cls, vocabulary: dict[str, int], tallies: Sequence[TermTally], classes: Sequence[int], count: int
    ) -> NaiveBayes:
        """Learn from texts whose terms are counted already.

        Several classifiers may share a vocabulary: terms that no text of this one has do not count in |V| and say nothing.
        """
        counts = np.zeros((len(vocabulary), count))
        for (places, numbers), column in zip(tallies, classes, strict=True):
            counts[places, column] += numbers
        likelihoods = np.zeros((len(vocabulary) + 1, count), np.float32)
        met = counts.any(axis=1)
        likelihoods[:-1][met] = np.log(1.0 + counts[met]) - np.log(max(1, met.sum()) + counts.sum(axis=0))
        texts_of = np.bincount(np.asarray(classes, np.int64), minlength=count)
        with np.errstate(divide="ignore"):  # a class without texts is impossible
            return cls(vocabulary, np.log(texts_of / max(1, len(tallies))), likelihoods)

    def state(self) -> dict[str, Any]:
        return {"terms": sorted(self.vocabulary, key=self.vocabulary.__getitem__), **self.state_beside_terms()}

    def state_beside_terms(self) -> dict[str, Any]:
        return {"log_priors": self.log_priors, "log_likelihoods": self.log_likelihoods}

    @classmethod
    def restored(cls, state: PlainState) -> NaiveBayes:
        """The classifier of a `state`; ValueError where it is none."""
        return cls.restored_over(rows_of(texts_in(state, "terms")), state)

    @classmethod
    def restored_over(cls, vocabulary: dict[str, int], state: PlainState) -> NaiveBayes:
        """The classifier of a `state_beside_terms`."""
        priors = array_in(state, "log_priors", np.float64, None)
        likelihoods = array_in(state, "log_likelihoods", np.float32, len(vocabulary) + 1, len(priors))
        return cls(vocabulary, priors, likelihoods)

    def probabilities(self, terms: Sequence[str], length: int = 0) -> FloatArray:
        """(c,) P(c | text); priors for a text that says nothing. ``length``: see `posterior`."""
        return self.judge(tally(self.vocabulary, terms), length)

    def judge(self, text: TermTally, length: int = 0) -> FloatArray:
        """The same for a text whose terms are counted already."""
        places, numbers = text
        return posterior(self.log_priors, numbers @ self.log_likelihoods[places], float(numbers.sum()), length)


def vocabulary_of(texts: Sequence[Sequence[str]], least: int = 1) -> dict[str, int]:
    """Rows of the terms that occur in at least so many texts, in the order in which they were met."""
    occurrences = Counter(term for text in texts for term in dict.fromkeys(text))
    terms = (term for term, texts_with_it in occurrences.items() if texts_with_it >= least)
    return rows_of(terms)


def rows_of(terms: Iterable[str]) -> dict[str, int]:
    """Rows of different terms, in their order."""
    return {term: row for row, term in enumerate(dict.fromkeys(terms))}


def tally(vocabulary: Mapping[str, int], terms: Iterable[str]) -> TermTally:
    """Count the terms of a text that a vocabulary knows."""
    counts = Counter(map(vocabulary.get, terms))
    counts.pop(None, None)
    places = np.fromiter((row for row in counts if row is not None), np.int64, len(counts))
    return places, np.fromiter(counts.values(), np.float64, len(counts))


def rows(vocabulary: Mapping[str, int], terms: Iterable[str]) -> list[int]:
    """The row of each term in `NaiveBayes.log_likelihoods`."""
    other = len(vocabulary)
    return [vocabulary.get(term, other) for term in terms]


def posterior(
    log_priors: FloatArray,
    evidence: FloatArray,
    known: float | FloatArray = 0.0,
    length: int = 0,
) -> FloatArray:
    """(..., c) P(c | text) of texts whose terms' log-likelihoods sum up to ``evidence`` (..., c).

    known : (...) number of terms summed up; of account only with a length
    length : if above 0, a longer text counts as one of so many terms with the same distribution: naive Bayes takes each
        term for a new proof, so that long texts come out as certain, and no two of them can be told apart
    """
    if length:
        evidence = evidence * np.asarray(np.minimum(1.0, length / np.maximum(known, 1)))[..., np.newaxis]
    joint = log_priors + evidence
    weights = np.exp(joint - joint.max(axis=-1, keepdims=True))
    result: FloatArray = weights / weights.sum(axis=-1, keepdims=True)
    return result


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
    length: int = 0  #: see `posterior`

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

        least : texts that a term must occur in; length : see `posterior`
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

    def on_topic(self, terms: Sequence[str]) -> float:
        """R(p) of a page; 0 where no term is known, of which priors would tell nothing."""
        known = self.classifiers[()].vocabulary
        return self.relevance(self.probabilities(terms)) if any(term in known for term in terms) else 0.0

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
