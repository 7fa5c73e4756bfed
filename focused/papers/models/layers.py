"""Context graphs: pages by the number of links that lead from them to a target, and what tells these layers apart.

Source: Diligenti, Coetzee, Lawrence, Giles & Gori 2000, "Focused Crawling Using Context Graphs", sections 3.1 and 3.2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import Any, Self
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from focused.crawl.arrays import FloatArray, IntArray
from focused.scorers.plain_state import PlainState, array_in, whole_in

Parents = Callable[[int], Iterable[int]]  #: the pages that link to a page


class LayeredGraph:
    """One context graph, which grows layer by layer.

    Layer 0 are the targets, layer i the pages from which at least i links lead to one. A page that links to two pages of a
    layer stands twice in the next: each stands there with one link to follow.

    Attributes
    ----------
    layers : pages of each layer, that of the targets first
    nearer : all pages found so far: those of the layers, and those that the draw left out
    """

    def __init__(self, targets: Sequence[int]) -> None:
        self.layers = [list(targets)]
        self.nearer = set(targets)

    @classmethod
    def restored(cls, layers: list[list[int]], nearer: Iterable[int]) -> Self:
        """A graph with these attributes."""
        self = cls(())
        self.layers, self.nearer = layers, set(nearer)
        return self

    def grow(self, parents: Parents, most: int, chance: Random) -> None:
        """Add the next layer: of more than ``most`` pages so many are drawn, and only these are followed further back."""
        found = [page for page in chain.from_iterable(map(parents, self.layers[-1])) if page not in self.nearer]
        self.nearer.update(found)
        self.layers.append(_drawn(found, most, chance))


def context_graph(
    targets: Sequence[int], sources: IntArray, ends: IntArray, *, depth: int, most: int, chance: Random
) -> list[list[int]]:
    """The layers of the context graph of targets, of links that are all known.

    Parameters
    ----------
    sources, ends : (e,) pages of each link, numbers from 0 on
    depth : layers beside that of the targets; ``depth`` + 1 lists are returned, empty ones among them
    most : pages of a layer
    """
    graph, parents = LayeredGraph(_drawn(list(targets), most, chance)), parents_of(sources, ends)
    graph.nearer.update(targets)
    for _ in range(depth):
        graph.grow(parents, most, chance)
    return graph.layers


def parents_of(sources: IntArray, ends: IntArray) -> Parents:
    """The parents of pages by links (e,), in the order of the links."""
    order = np.argsort(ends, kind="stable")
    sources, ends = sources[order], ends[order]

    def parents(page: int) -> list[int]:
        first, last = np.searchsorted(ends, (page, page + 1))
        return list(sources[first:last].tolist())

    return parents


def distances(targets: Sequence[int], sources: IntArray, ends: IntArray, *, pages: int, depth: int) -> IntArray:
    """(pages,) links from each page to the nearest target; ``depth`` + 1 for more."""
    found = np.full(pages, depth + 1)
    found[list(targets)] = 0
    for distance in range(1, depth + 1):
        parents = sources[found[ends] == distance - 1]
        farther = parents[found[parents] > distance]
        if not len(farther):
            break
        found[farther] = distance
    return found


def merged(graphs: Sequence[Sequence[Sequence[int]]]) -> list[list[int]]:
    """The merged context graph: the pages of a layer of all graphs, as often as they stand there."""
    return [[page for layer in layers for page in layer] for layers in zip(*graphs, strict=True)]


def _drawn(pages: list[int], most: int, chance: Random) -> list[int]:
    return pages if len(pages) <= most else [pages[place] for place in sorted(chance.sample(range(len(pages)), most))]


#: Terms, each by its CRC-32: of 10,000 terms one pair in a hundred vocabularies is taken for one.
Keys = NDArray[np.uint32]


@dataclass(slots=True, frozen=True)
class TermCounts:
    """The terms of a page with their counts: keys (n,) and counts (n,), the most frequent first."""

    keys: Keys
    counts: NDArray[np.uint16]

    @classmethod
    def of(cls, terms: Iterable[str], most: int | None = None) -> Self:
        """The document of a page's terms, of which the ``most`` frequent are kept."""
        counts = Counter(terms)
        keys = np.fromiter((crc32(term.encode()) for term in counts), np.uint32, len(counts))
        numbers = np.minimum(np.fromiter(counts.values(), np.int64, len(counts)), np.iinfo(np.uint16).max)
        order = np.lexsort((keys, -numbers))[:most]
        return cls(keys[order], numbers[order].astype(np.uint16))


@dataclass(slots=True, frozen=True)
class Reference:
    """How rare terms are in a reference corpus: keys (r,), ascending, and log N/df (r,)."""

    keys: Keys
    rarity: FloatArray

    @classmethod
    def of(cls, documents: int, frequencies: Mapping[str, int]) -> Self:
        """The reference of a corpus of this many documents, so many of which hold each term."""
        found = sorted({crc32(term.encode(errors="replace")): count for term, count in frequencies.items()}.items())
        keys, counts = np.array(found, np.int64).reshape(-1, 2).T
        return cls(keys.astype(np.uint32), np.log(max(1, documents) / np.clip(counts, 1, max(1, documents))))

    def rarity_of(self, keys: Keys) -> FloatArray:
        """(t,) log N/df of terms; one that the corpus does not know is as rare as its rarest."""
        found = np.full(len(keys), self.rarity.max(initial=0.0))
        known = np.isin(keys, self.keys)
        found[known] = self.rarity[np.searchsorted(self.keys, keys[known])]
        return found


@dataclass(slots=True, frozen=True)
class LayerClassifier:
    """A naive Bayes classifier for each layer; the most likely layer wins, and below its threshold a page is of none.

        P(t | c) = (1 + n_tc) / (|V| + n_c),                               (equation 4)
            n_tc = how often a term stands in the reduced documents of a layer
        likelihood of a layer = 1/n Σ log P(t | c) over the n terms of the reduced document, repeated ones each time;
            as printed, Σ log P(t | c), each term once             (equation 3)
        threshold of a layer = the smallest likelihood among the pages that it was trained on

    A document is reduced to its ``kept`` terms of the vocabulary with the highest weight f/f_max log N/df (equation 1; f_max
    does not matter for their order). All layers have the same prior. The mean per term lets long and short pages be compared.

    Attributes
    ----------
    vocabulary : (v,) keys of the terms, ascending
    rarity : (v,) log N/df
    layers : (c,) numbers of the layers that had pages to learn from, ascending
    log_probabilities : (v, c) log P(t | c)
    thresholds : (c,)
    other : number of the layer of pages that belong to none
    kept : terms of a reduced document
    as_printed : the likelihood is the sum
    """

    vocabulary: Keys
    rarity: FloatArray
    layers: IntArray
    log_probabilities: FloatArray
    thresholds: FloatArray
    other: int
    kept: int
    as_printed: bool = False

    @classmethod
    def fit(
        cls,
        layers: Sequence[Sequence[int]],
        corpus: Sequence[TermCounts],
        *,
        vocabulary_terms: int = 1000,
        kept: int = 40,
        as_printed: bool = False,
        reference: Reference | None = None,
    ) -> LayerClassifier:
        """Learn from the documents of each layer.

        Parameters
        ----------
        layers : positions in the corpus, those of the targets first; a document that stands there twice counts twice. Layers
            may be empty, but the first
        corpus : documents, which tell as well how rare terms are, where no ``reference`` does
        vocabulary_terms : the vocabulary is this many terms of the first layer, together one document, with the highest weight
        as_printed : the likelihood is the sum
        """
        known, frequency = np.unique(np.concatenate([document.keys for document in corpus]), return_counts=True)
        rarity = reference.rarity_of(known) if reference else np.log(len(corpus) / frequency)
        # How often each document, (d,), stands in each layer.
        times = [np.bincount(np.array(layer, np.int64), minlength=len(corpus)) for layer in layers]
        total = np.zeros(len(known))
        for position in np.flatnonzero(times[0]).tolist():
            document, weight = corpus[position], times[0][position]
            np.add.at(total, np.searchsorted(known, document.keys), weight * document.counts.astype(np.int64))
        used = np.flatnonzero(total)
        best = np.sort(used[np.argsort(-(total * rarity)[used], kind="stable")[:vocabulary_terms]])
        vocabulary, rarity = known[best], rarity[best]
        numbers = np.flatnonzero([len(layer) for layer in layers])
        reduced = _reduced(corpus, vocabulary, rarity, kept)
        counts = np.column_stack([times[number] @ reduced for number in numbers])
        log_probabilities = np.log(1 + counts) - np.log(max(1, len(vocabulary)) + counts.sum(axis=0))
        likelihoods = _likelihoods(reduced, log_probabilities, as_printed)
        own = [likelihoods[times[number] > 0, column] for column, number in enumerate(numbers)]
        thresholds = np.array([np.min(some, where=np.isfinite(some), initial=0.0) for some in own])
        return cls(vocabulary, rarity, numbers, log_probabilities, thresholds, len(layers), kept, as_printed)

    def classify(self, documents: Sequence[TermCounts]) -> tuple[IntArray, FloatArray]:
        """Layers (d,) of documents, `other` for those of none, and the likelihood (d,) of the most likely layer.

        The likelihood is at most 0; minus infinity for a document without a term of the vocabulary.
        """
        return self._classified(_reduced(documents, self.vocabulary, self.rarity, self.kept))

    def _classified(self, reduced: csr_array) -> tuple[IntArray, FloatArray]:
        likelihoods = _likelihoods(reduced, self.log_probabilities, self.as_printed)
        winner = likelihoods.argmax(axis=1)
        best = likelihoods[np.arange(len(winner)), winner]
        belongs = np.isfinite(best) & (best >= self.thresholds[winner])
        return np.where(belongs, self.layers[winner], self.other), best

    def on_topic(self, terms: Sequence[str]) -> float:
        """P(first layer | page) by naive Bayes over the layers, all with the same prior; 0 for a page of no layer."""
        reduced = _reduced([TermCounts.of(terms)], self.vocabulary, self.rarity, self.kept)
        layer, _ = self._classified(reduced)
        if layer[0] == self.other or 0 not in self.layers:
            return 0.0
        sums = ((reduced.sign() if self.as_printed else reduced) @ self.log_probabilities)[0]
        shares = np.exp(sums - sums.max())
        return float(shares[self.layers == 0].sum() / shares.sum())

    def state(self) -> dict[str, Any]:
        """As plain values and arrays."""
        return {name: getattr(self, name) for name in self.__slots__} | {"as_printed": int(self.as_printed)}

    @classmethod
    def restored(cls, state: PlainState) -> LayerClassifier:
        """The classifier of a `state`; ValueError where it is none."""
        vocabulary, layers = array_in(state, "vocabulary", np.uint32, None), array_in(state, "layers", np.int64, None)
        return cls(
            vocabulary,
            array_in(state, "rarity", np.float64, len(vocabulary)),
            layers,
            array_in(state, "log_probabilities", np.float64, len(vocabulary), len(layers)),
            array_in(state, "thresholds", np.float64, len(layers)),
            whole_in(state, "other"),
            whole_in(state, "kept"),
            bool(whole_in({"as_printed": 0, **state}, "as_printed")),
        )


def _reduced(documents: Sequence[TermCounts], vocabulary: Keys, rarity: FloatArray, kept: int) -> csr_array:
    """(d, v) counts of the terms that the reduced documents have."""
    shape = len(documents), len(vocabulary)
    lengths = [len(document.keys) for document in documents]
    if not sum(lengths) or not len(vocabulary):
        return csr_array(shape)
    of, keys = np.repeat(np.arange(len(documents)), lengths), np.concatenate([doc.keys for doc in documents])
    counts = np.concatenate([document.counts for document in documents]).astype(np.float64)
    terms = np.minimum(np.searchsorted(vocabulary, keys), len(vocabulary) - 1)
    inside = vocabulary[terms] == keys
    of, terms, counts = of[inside], terms[inside], counts[inside]
    order = np.lexsort((terms, -counts * rarity[terms], of))
    of, terms, counts = of[order], terms[order], counts[order]
    rank = np.arange(len(of)) - np.searchsorted(of, of)
    best = rank < kept
    return csr_array((counts[best], (of[best], terms[best])), shape=shape)


def _likelihoods(reduced: csr_array, log_probabilities: FloatArray, as_printed: bool) -> FloatArray:
    """(d, c) mean of log P(t | c) over the terms of each reduced document, or their sum; minus infinity for one without terms."""
    counted = reduced.sign() if as_printed else reduced
    lengths = np.asarray(counted.sum(axis=1)).reshape(-1, 1)
    found = np.full((reduced.shape[0], log_probabilities.shape[1]), -np.inf)
    np.divide(counted @ log_probabilities, 1 if as_printed else lengths, out=found, where=lengths > 0)
    return found
