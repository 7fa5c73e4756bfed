"""A page model that learns during the crawl: from keywords, then seeds that look like the topic, then the best pages so far.

It tells how relevant a page is, and lends its weights of terms to the link scorers. It needs no labels; examples help.
It keeps two queries, made alike from the same pages: one of terms, and one of what terms mean (`word_vectors`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Judge
from focused.crawl.world import InLanguage, World
from focused.scorers.vectors import HASHED, unit
from focused.scorers.word_vectors import Meanings, Vectors, Vocabulary, of_unit_length


class UnitVectors:
    """n texts, one after another, as vectors over the m terms that any of them has.

    A text without terms is a vector of zeros, and adds term 0 to the m.

    Parameters
    ----------
    ids : of each text, the numbers of its distinct terms
    tf : of each text, the weights of these terms in it
    idf : gives the weights that terms have in any text
    more : numbers of terms that must be among the m, though maybe no text has them

    Attributes
    ----------
    terms : (m,) their numbers, in order
    """

    def __init__(
        self,
        ids: Sequence[NDArray[np.integer[Any]]],
        tf: Sequence[NDArray[np.floating[Any]]],
        idf: Callable[[IntArray], FloatArray],
        more: IntArray,
    ) -> None:
        # An empty text has one term, of no weight.
        self._lengths = np.array([max(1, len(one)) for one in ids], np.int64)
        self._ends = np.cumsum(self._lengths)
        self._starts = self._ends - self._lengths
        numbers = np.concatenate([one if len(one) else np.zeros(1, np.int32) for one in ids])
        place = np.bincount(numbers, minlength=HASHED)
        place[more] = 1
        self.terms: IntArray = place.nonzero()[0]
        place[self.terms] = np.arange(len(self.terms))
        self._places = place.take(numbers)  # of each term of a text among the m
        self._weights = np.concatenate([one if len(one) else np.zeros(1, np.float32) for one in tf])
        self._weights *= idf(self.terms).take(self._places)
        norms = np.sqrt(np.add.reduceat(self._weights * self._weights, self._starts))
        self._norms = np.where(norms > 0, norms, 1.0)  # divide weights by these when adding them up

    def cosines(self, query: FloatArray) -> FloatArray:
        """(n,) products with a query (m,)."""
        products = query.take(self._places)
        products *= self._weights
        return np.asarray(np.add.reduceat(products, self._starts) / self._norms)

    def sum_of(self, texts: IntArray, shares: FloatArray | float = 1.0) -> FloatArray:
        """(m,) the sum of some of the vectors, each times its share."""
        if not len(texts):
            return np.zeros(len(self.terms))
        spans = [slice(start, end) for start, end in zip(self._starts[texts], self._ends[texts], strict=True)]
        places, weights = (np.concatenate([array[span] for span in spans]) for array in (self._places, self._weights))
        weights *= np.repeat(shares / self._norms[texts], self._lengths[texts])
        return np.asarray(np.bincount(places, weights, minlength=len(self.terms)), np.float64)


WARM_UP = 30  #: pages after which their ranks mean something
BEST, SAMPLE = 120, 360  #: pages remembered: the most relevant, and a uniform sample of all
MOST_NEW = 200  #: pages between two fits, at most
TERMS = 200  #: terms taken over from relevant pages
NEGATIVE = 0.5  #: weight of the average page, which is subtracted (Rocchio 1971)
MOST_SEEDS = 100  #: seeds that are remembered as such, the first ones
TRUSTED = 0.7  #: a seed is trusted if it ranks above this share of the pages by the keywords alone
LOW, TOP = 0.25, 0.98  #: quantiles of the raw scores that count as not relevant at all, and as fully relevant
BM25_WEIGHT = 0.5  #: beside the cosine; the more examples, the lower
EXAMPLES_FOR_HALF = 2  #: examples that halve it
SAID_WEIGHT = 2.0  #: of a trained model's probability, beside the cosine
MEANING_WEIGHT = 4.0  #: of the cosine of meanings, beside that of terms
HEAD = 500  #: first terms of a page, which make up its meaning
HALF = 100  #: a term first used after this many counts half
MEANING_FEEDBACK = 0.5  #: weight of the best pages in the query of meanings
K1, B = 1.2, 0.75  #: of BM25 (Robertson & Zaragoza 2009)
DENSE = 0.25  #: a page with this density of the topic's words may be fully relevant
MANY = 10  #: keywords; a topic with fewer needs less dense pages, in proportion
MOST = 15  #: most keywords that a page is expected to say
ANY = "any"  #: the model of pages in an unknown language, or in none of the topic's


@dataclass(slots=True)
class Words:
    """A text of n terms."""

    rows: IntArray  #: (n,) its terms in the vocabulary, in order; until the next text is read
    tokens: IntArray  #: (n,) the same as numbers


@dataclass(slots=True)
class Text(Words):
    """A text of which k terms are distinct."""

    ids: NDArray[np.int32]  #: (k,) the distinct numbers, in the order of the text
    weights: NDArray[np.float32]  #: (k,) 1 + ln tf
    meaning: NDArray[np.float32]  #: (d,) of unit length; d = 0 where meanings do not count
    density: float  #: of the topic's words, in [0, 1]


@dataclass(slots=True)
class ModelDocument:
    """A page as the model keeps it: distinct terms as numbers, with 1 + ln tf."""

    number: int  #: of the page, from 1 on; 0 of an example
    url: int  #: id of the URL that led to it; -1 of an example
    ids: NDArray[np.int32]
    weights: NDArray[np.float32]
    meaning: NDArray[np.float32]  #: of unit length
    bm25: float  #: of the keywords, when it was fetched
    said: float  #: by a trained model, or by what a person taught; 0 without either
    by_model: float  #: its relevance by the page model of the topic
    is_seed: bool
    draw: int  #: decides, as if drawn at random, whether it stays in the sample


class TopicModel:
    """Relevance of pages to a topic, in [0, 1].

        raw = cos(q', page) + 4 · cos(m', meaning) + b · BM25 / its 98 % quantile + 2 · what a trained model says
        b = 0.5 / (1 + examples / 2)
        relative = (raw - low) / (top - low) in [0, 1], low and top its 25 % and 98 % quantiles over all pages
        relevance = relative · min(1, density / d)
        density = Σ tf · share / (√min(15, keywords) · |tf|);  d = 0.25 · keywords / 10, at most 0.25
        q' = keywords + trusted seeds and examples + feedback;  m' = the same of meanings, with feedback of half the weight

    Quantiles alone would make a failing crawl take the best of what it has for relevant; the density prevents that. It is the
    cosine of the keywords and the term frequencies. It uses no idf, which would fade as more and more pages of the crawl say
    the keywords, and no learned word, or a crawl that has lost its way would believe itself. The share of a keyword is 1; among
    the first 500 terms, a term that means nearly the same as a keyword has a share as well. With examples, d is at most their
    median density. A trained model's probability replaces density / d if it is higher.

    The meaning of a text is the sum of the vectors of the distinct terms among its first 500, of unit length. A term first used
    after n others counts 100 / (100 + n), as pages say first what they are about. From meanings of seeds and examples the mean
    of the sample is subtracted, once there is one, since any two texts have much in common.

    All other vectors are (1 + ln tf) · ln((N + 1) / (df + 0.5)) of unit length, df counted over the pages fetched. The trust in
    a seed grows with its rank above 70 % of all pages by the keywords; trusted seeds together weigh as much as the keywords,
    and so does each single example. Feedback is Rocchio's: the mean of the most relevant pages minus half the mean of the
    sample; of terms, its 200 heaviest. The model fits all anew when a fifth more pages have come, or 200.

    Parameters
    ----------
    keywords : stems with counts
    examples : term lists of pages known to be relevant
    top : pages that count as relevant for the feedback, an eighth of all at most
    vectors : what words mean; without them, terms alone count
    foreign : (k, d) what the keywords mean in the topic's other languages, of unit length
    """

    def __init__(
        self,
        keywords: Mapping[str, int],
        examples: Sequence[Sequence[str]] = (),
        *,
        top: int = 30,
        vectors: Meanings | None = None,
        foreign: Vectors | None = None,
    ) -> None:
        self.top = top
        self.vocabulary = Vocabulary(vectors, list(keywords), foreign)
        self._unrelated = np.float32(vectors.unrelated if vectors else 0.0)
        self._related, self._same = (vectors.related, vectors.same) if vectors else (0.0, 1.0)
        rows = self.vocabulary.rows(list(keywords))
        self.keywords = np.unique(self.vocabulary.numbers[rows])
        self.is_keyword = np.zeros(HASHED, bool)
        self.is_keyword[self.keywords] = True
        self.weights: FloatArray = np.zeros(HASHED)  #: q', of unit length
        self._place = np.empty(HASHED, np.int64)  # for counting
        self.pages = 0
        self._next_fit = 1
        self._df = np.zeros(HASHED, np.float32)
        self._length = 0  # terms of all pages
        self._kept: list[ModelDocument] = []
        meaning = self.vocabulary.sum(rows, np.ones(len(rows)))
        self._meaning_of_keywords = unit(meaning if foreign is None else meaning + sums(foreign))
        self.meaning: FloatArray = self._meaning_of_keywords  #: m', of unit length
        texts = [self.read(terms) for terms in examples if terms]
        self._examples = [document_of(text, 0) for text in texts]
        self._dense = self._dense_enough([text.density for text in texts])
        self._bm25_weight = BM25_WEIGHT / (1 + len(self._examples) / EXAMPLES_FOR_HALF)
        self._bm25_top = self._raw_top = 1e-6
        self._raw_low = 0.0

    def idf(self, ids: NDArray[np.integer[Any]]) -> FloatArray:
        """(n,) inverse document frequencies, from the pages fetched so far."""
        return np.asarray(np.log((self.pages + 1) / (self._df[ids].astype(np.float64) + 0.5)))

    def words(self, terms: Sequence[str]) -> Words:
        """Words as numbers; the model learns nothing from them."""
        rows = self.vocabulary.rows(terms)
        return Words(rows, self.vocabulary.numbers.take(rows))

    def read(self, terms: Sequence[str]) -> Text:
        """A page as numbers; the model learns nothing from it yet."""
        rows = self.vocabulary.rows(terms)
        tokens = self.vocabulary.numbers.take(rows)
        first, counts = self._distinct(tokens)
        head = first[: int(np.searchsorted(first, HEAD))]
        beginning = rows.take(head)
        meaning = unit(self.vocabulary.sum(beginning, HALF / (HALF + head))).astype(np.float32)
        ids, weights = tokens.take(first).astype(np.int32), (1.0 + np.log(counts)).astype(np.float32)
        return Text(rows, tokens, ids, weights, meaning, self._density(beginning, ids, counts))

    def closeness(self, rows: IntArray) -> NDArray[np.float32]:
        """(n,) how close each term, a row of the vocabulary, is to the topic: its cosine with m' beyond that of unrelated words."""
        beyond: NDArray[np.float32] = self.vocabulary.cosines(rows, self.meaning) - self._unrelated
        return beyond.clip(min=0.0)

    def learn(self, words: Text, *, is_seed: bool, said: float = 0.0, url: int = -1, by_model: float = 0.0) -> float:
        """Take in a page, and a trained model's probability ``said``; return its relevance: 0 for a page without terms.

        url, by_model : id of the URL that led to it, and its relevance by the page model of the topic, for `judge_again`
        """
        self.pages += 1
        self._length += len(words.tokens)
        is_seed = is_seed and sum(document.is_seed for document in self._kept) < MOST_SEEDS
        document = document_of(words, self.pages, is_seed=is_seed)
        self._df[document.ids] += 1
        document.bm25, document.said = self._bm25(words.tokens), said
        document.url, document.by_model = url, by_model
        self._kept.append(document)
        if self.pages >= self._next_fit:
            self.fit()
        return self._relevance(words, document)

    def judge_again(self, judge: Judge) -> list[tuple[int, float]]:
        """Judge the remembered pages by what a person taught; return the URL and the probability of each, in order."""
        for document in self._kept:
            order = np.argsort(document.ids)
            document.said = judge(document.ids[order], document.weights[order], document.by_model)
        if self._kept:
            self.fit()
        return [(document.url, document.said) for document in self._kept]

    def relevance(self, words: Text, *, said: float = 0.0) -> float:
        """The relevance of a page from which the model learns nothing."""
        document = document_of(words, self.pages)
        document.bm25, document.said = self._bm25(words.tokens), said
        return self._relevance(words, document)

    def _relevance(self, words: Text, document: ModelDocument) -> float:
        if not len(words.tokens):
            return 0.0
        cosines = self._cosine(document) + MEANING_WEIGHT * dots(document.meaning[np.newaxis], self.meaning)
        raw = float(self._raw([document], cosines)[0])
        low = self._raw_low * min(1.0, self.pages / WARM_UP)  # among few pages, hardly any is known to be irrelevant
        relative = min(1.0, max(0.0, (raw - low) / max(1e-6, self._raw_top - low)))
        dense = words.density / self._dense if self._dense else 1.0
        return relative * min(1.0, max(dense, document.said))

    def fit(self) -> None:
        """Make q' and m' anew from the remembered pages, and forget pages that no longer count."""
        self._next_fit = self.pages + min(MOST_NEW, max(1, self.pages // 5))
        documents, some = self._kept, [*self._kept, *self._examples]
        vectors = UnitVectors([one.ids for one in some], [one.weights for one in some], self.idf, self.keywords)
        self._bm25_top = max(1e-6, float(np.quantile([document.bm25 for document in documents], TOP)))
        sample = np.argsort([document.draw for document in documents], kind="stable")[:SAMPLE]  # uniform, of all so far

        meanings = np.stack([one.meaning for one in some])
        average = meanings[sample].mean(axis=0) if self.pages >= WARM_UP else np.float32(0.0)

        def raw_by(query: FloatArray, meaning: FloatArray) -> FloatArray:
            cosines = vectors.cosines(query) + MEANING_WEIGHT * dots(meanings, meaning)
            return self._raw(documents, cosines[: len(documents)])

        query = np.zeros(len(vectors.terms))
        query[np.searchsorted(vectors.terms, self.keywords)] = self.idf(self.keywords)
        query, meaning = unit(query), self._meaning_of_keywords.copy()
        seeds, shares, trust = self._trusted_seeds(raw_by(query, meaning), sample)
        examples = len(documents) + np.arange(len(self._examples))
        query += vectors.sum_of(examples) + trust * unit(vectors.sum_of(seeds, shares))
        meaning += sums(meanings[examples] - average) + trust * unit(sums(meanings[seeds] - average, shares))
        if self.pages >= WARM_UP:
            meaning = unit(meaning)
            raw = raw_by(unit(query), meaning)
            best = ranked(raw)[: min(self.top, max(3, self.pages // 8))]
            rest = sample[~np.isin(sample, best)]
            query += heaviest(away(vectors.sum_of(best), vectors.sum_of(rest)))
            meaning += MEANING_FEEDBACK * unit(away(sums(meanings[best]), sums(meanings[rest])))
        query, self.meaning = unit(query), unit(meaning)
        raw = raw_by(query, self.meaning)
        self.weights[:] = 0.0
        self.weights[vectors.terms] = query
        self._raw_top = max(1e-6, float(np.quantile(raw[sample], TOP)))
        self._raw_low = float(np.quantile(raw[sample], LOW))
        kept = {*ranked(raw)[:BEST].tolist(), *sample.tolist()}
        self._kept = [document for row, document in enumerate(documents) if row in kept or document.is_seed]

    def state(self) -> dict[str, Any]:
        """All that decides later answers; arrays and plain values."""
        ends = np.cumsum([len(document.ids) for document in self._kept])
        used = np.flatnonzero(self._df)
        return {
            "df_ids": used,
            "df": self._df[used],
            "weights_ids": np.flatnonzero(self.weights),
            "weights": self.weights[self.weights != 0],
            "numbers": [self.pages, self._length, self._next_fit],
            "quantiles": [self._bm25_top, self._raw_low, self._raw_top],
            "ends": ends.astype(np.int64),
            "meaning": self.meaning,
            "meanings": np.array([document.meaning for document in self._kept], np.float32),
            "ids": np.concatenate([document.ids for document in self._kept]) if self._kept else np.empty(0, np.int64),
            "tf": np.concatenate([document.weights for document in self._kept]) if self._kept else np.empty(0),
            "kept": np.array([(d.number, d.is_seed, d.draw, d.url) for d in self._kept], np.int64).reshape(-1, 4),
            "bm25": np.array([(d.bm25, d.said, d.by_model) for d in self._kept]).reshape(-1, 3),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""
        self._df[state["df_ids"]] = state["df"]
        self.weights[state["weights_ids"]] = state["weights"]
        self.pages, self._length, self._next_fit = state["numbers"]
        self._bm25_top, self._raw_low, self._raw_top = state["quantiles"]
        self.meaning = np.array(state["meaning"])
        bounds = [0, *state["ends"].tolist()]
        self._kept = [
            ModelDocument(
                number,
                url,
                state["ids"][start:end],
                state["tf"][start:end],
                meaning,
                bm25,
                said,
                by_model,
                bool(is_seed),
                draw,
            )
            for (number, is_seed, draw, url), meaning, (bm25, said, by_model), start, end in zip(
                state["kept"].tolist(), state["meanings"], state["bm25"].tolist(), bounds, bounds[1:], strict=False
            )
        ]

    def _distinct(self, tokens: IntArray) -> tuple[IntArray, IntArray]:
        """(k,) first positions of the distinct among (n,) numbers, in order, and (k,) how often each occurs."""
        places = np.arange(len(tokens))
        self._place[tokens[::-1]] = places[::-1]  # the last to be written stays
        counts = np.bincount(self._place.take(tokens), minlength=len(tokens))
        first = np.flatnonzero(counts)
        return first, counts[first]

    def _density(self, head: IntArray, ids: NDArray[np.int32], counts: IntArray) -> float:
        """The density of the topic's words in a page, in [0, 1]; 0 for a topic without keywords.

        head : (h,) rows of the first of its k distinct terms
        ids, counts : (k,) all of them
        """
        if not len(self.keywords):
            return 0.0
        alike = self.vocabulary.nearest(head)
        related = np.clip((alike - self._related) / (self._same - self._related), 0.0, 1.0)
        shares = self.is_keyword[ids].astype(np.float64)
        shares[: len(head)] = np.maximum(shares[: len(head)], related)
        length = np.sqrt(min(MOST, len(self.keywords)) * max(1, (counts * counts).sum()))
        return min(1.0, float((counts * shares).sum() / length))

    def _dense_enough(self, examples: Sequence[float]) -> float:
        """The density from which on a page may be fully relevant, given the examples' densities; 0 if they lack the keywords."""
        usual = DENSE * min(1.0, len(self.keywords) / MANY)
        return min(usual, float(np.median(examples))) if examples else usual

    def _bm25(self, tokens: IntArray) -> float:
        tf = np.bincount(np.searchsorted(self.keywords, tokens[self.is_keyword[tokens]]), minlength=len(self.keywords))
        relative_length = len(tokens) * self.pages / max(1, self._length)
        saturated = tf * (K1 + 1) / (tf + K1 * (1 - B + B * relative_length))
        return float((np.maximum(0.0, self.idf(self.keywords)) * saturated).sum())

    def _cosine(self, document: ModelDocument) -> FloatArray:
        """(1,) of a page and q'."""
        weights = document.weights * self.idf(document.ids)
        return np.array([(unit(weights) * self.weights[document.ids]).sum()])

    def _raw(self, documents: Sequence[ModelDocument], cosines: FloatArray) -> FloatArray:
        """(n,) raw relevance of documents, given their cosines with a query."""
        bm25 = np.array([document.bm25 for document in documents]) / self._bm25_top
        said = np.array([document.said for document in documents])
        return cosines + self._bm25_weight * bm25 + SAID_WEIGHT * said

    def _trusted_seeds(self, raw: FloatArray, sample: IntArray) -> tuple[IntArray, FloatArray, float]:
        """Rows of the seeds, the trust in each, and in all together, in [0, 1]; ``raw`` is by the keywords alone."""
        ranks = np.searchsorted(np.sort(raw[sample]), raw) / len(sample)
        trust = np.clip((ranks - TRUSTED) / (1 - TRUSTED), 0.0, 1.0)
        rows = np.flatnonzero([document.is_seed for document in self._kept])
        shares = trust[rows]
        return rows, shares, min(1.0, 2 * sum(shares.tolist()) / max(1, len(rows)))


def document_of(text: Text, number: int, *, is_seed: bool = False) -> ModelDocument:
    """The document that the model keeps of a text."""
    draw = (number * 2654435761 + 97) % (1 << 32)  # Knuth's multiplicative hash: spread evenly, and the same each time
    return ModelDocument(number, -1, text.ids, text.weights, text.meaning, 0.0, 0.0, 0.0, is_seed, draw)


def away(best: FloatArray, rest: FloatArray) -> FloatArray:
    """The direction from the average page to the most relevant ones, given the sums of their vectors."""
    return unit(best) - NEGATIVE * unit(rest)


def heaviest(difference: FloatArray) -> FloatArray:
    """The `TERMS` largest of the positive weights of terms, as a vector of unit length."""
    positive = np.maximum(difference, 0.0)
    if len(positive) > TERMS:
        positive[np.argpartition(-positive, TERMS)[TERMS:]] = 0.0
    return unit(positive)


def dots(rows: Vectors, vector: FloatArray) -> FloatArray:
    """(n,) products of rows with a vector; not by BLAS, whose results depend on the number of rows."""
    return np.asarray(np.einsum("nd,d->n", rows, vector.astype(np.float32)), np.float64)


def sums(rows: Vectors, shares: FloatArray | None = None) -> FloatArray:
    """(d,) the sum of rows, each times its share."""
    if shares is None:
        return np.asarray(rows.sum(axis=0, dtype=np.float64))
    return np.asarray(np.einsum("nd,n->d", rows, shares.astype(np.float32)), np.float64)


def ranked(raw: FloatArray) -> IntArray:
    """Rows, the best first; of equal ones the first."""
    return np.argsort(-raw, kind="stable")


class TopicModels:
    """The models of a topic by language; one alone where the topic has one language.

    A model compares pages with those of their own language only: how rare a word is, how many keywords a page says and how
    relevant the best pages are differs between languages, for reasons that have nothing to do with the topic. A model is made
    when the first page of its language comes.

    Parameters
    ----------
    world : for keywords and examples
    top : as in `TopicModel`
    vectors : what words mean, by language
    """

    def __init__(self, world: World, *, top: int, vectors: Mapping[str, Meanings]) -> None:
        self._world, self._top, self._vectors = world, top, vectors
        self._models: dict[str, TopicModel] = {}
        self._foreign = {
            code: of_unit_length(vectors[code].of(list(own.keywords)))
            for code, own in world.languages.items()
            if code in vectors
        }
        if world.examples and not world.languages:
            self.of(ANY)  # reading the examples takes long: before the first page, not while the crawl waits

    @property
    def pages(self) -> int:
        """Number of pages that all models together have learned from."""
        return sum(model.pages for model in self._models.values())

    def of(self, language: str) -> TopicModel:
        """The model for pages in a language."""
        name = language if language in self._world.languages else ANY
        if name not in self._models:
            own = self._world.languages.get(name) or InLanguage(self._world.keywords, self._world.examples)
            vectors = self._vectors.get(self._world.language if name == ANY else name)
            others = [foreign for code, foreign in self._foreign.items() if code != name]
            foreign = np.concatenate(others) if vectors and others else None
            self._models[name] = TopicModel(own.keywords, own.examples, top=self._top, vectors=vectors, foreign=foreign)
        return self._models[name]

    def judge_again(self, judge: Judge) -> list[tuple[int, float]]:
        """As `TopicModel.judge_again`, for all languages."""
        return [judged for model in self._models.values() for judged in model.judge_again(judge)]

    def state(self) -> dict[str, Any]:
        """All that decides later answers, by language."""
        return {name: model.state() for name, model in self._models.items()}

    def restore(self, state: Mapping[str, Mapping[str, Any]]) -> None:
        """Take up what `state` gave."""
        for name, values in state.items():
            self.of(name).restore(values)
