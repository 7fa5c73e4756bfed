"""Link scorers: a scorer looks at the links of each page, learns what they led to, and gives numbers for waiting URLs.

A scorer is one class in one file. The setting ``LINK_SCORERS`` names those of a crawl with their places, as ``ITEM_PIPELINES``
names item pipelines. A `ScoringPipeline` reads the links of a page once for all scorers, and weighs the columns that they give.
A scorer of your own has `title`, `prior`, `parts` and `meanings`, and writes `add_links` and `columns`; it keeps what it learns in
columns of the world, or in `state`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.crawl.strategy import Visit
from focused.crawl.world import World
from focused.page.page import Link
from focused.scorers.topic_model import TopicModel, Words

WORDS = 6  #: last words of a URL that are read

_WORD, _DIGIT = re.compile(r"[a-z]{2,}|0+|~"), re.compile(r"\d")
_USER, _DIGITS = re.compile(r"~[^/]*"), re.compile(r"\d+")


class UrlForm(NamedTuple):
    """The text of a URL, without its host except where a field says so."""

    directory: int  #: hash of the host and of all before the last slash
    pattern: int  #: hash of the host and of the form: names of users and digits left out, any name of a file the same
    words: str  #: see `words_of`, with spaces between them
    slashes: int
    has_user: bool  #: a tilde
    is_folder: bool  #: it ends with a slash
    has_query: bool

    @classmethod
    def of(cls, url: str, host: str) -> UrlForm:
        path = url.split("/", 3)[-1]
        directory, slash, file = path.rpartition("/")
        folder = _DIGITS.sub("0", _USER.sub("~", directory))
        return cls(
            crc32(f"{host}/{directory}".encode()),
            crc32(f"{host}/{folder}{slash}{'file' if file else ''}".encode()),
            " ".join(words_of(url)),
            path.count("/"),
            "~" in path,
            not file,
            "?" in path,
        )


def words_of(url: str) -> list[str]:
    """The last words of an absolute URL behind its host, in lower case; digits become zeros, and a tilde is a word."""
    return _WORD.findall(_DIGIT.sub("0", url.split("/", 3)[-1].lower()))[-WORDS:]


CONTEXT = 20  #: terms on either side of the anchor that count as its context


@dataclass(slots=True, frozen=True)
class PageLinks:
    """The n links of a page, to u distinct URLs, read once for all scorers.

    Attributes
    ----------
    visit : the page, or list
    model : of the topic, in its language
    words : its terms as numbers of the model
    relevance : of the page, in [0, 1]
    urls : (u,) ids of the URLs that it links to, ascending
    first : (u,) positions of the first link to each
    is_new : (u,) no page linked to it before
    new : the first links to the new ones, in order
    forms : of their URLs
    tokens : numbers of the terms of the page, and behind these of the words of the new URLs
    closeness : how close the meaning of each of these is to the topic, in [0, 1]; 0 for terms in no anchor
    anchors, contexts : (n, 2) spans in the terms of the page
    url_words : (u, 2) spans of the words of URLs in the tokens; empty for URLs that are not new
    """

    visit: Visit
    model: TopicModel
    words: Words
    relevance: float
    urls: IntArray
    first: IntArray
    is_new: BoolArray
    new: Sequence[Link]
    forms: Sequence[UrlForm]
    tokens: IntArray
    closeness: NDArray[np.float32]
    anchors: IntArray
    contexts: IntArray
    url_words: IntArray
    _order: IntArray
    _starts: IntArray

    def best(self, values: FloatArray) -> FloatArray:
        """(u, c) the best of the links to each URL, of (c, n) values of links."""
        return np.asarray(np.maximum.reduceat(values[:, self._order], self._starts, axis=1).T)


class LinkHistory:
    """Counts the pages that link to each URL, keeps their relevance and the mean of all pages, and reads the links of a page."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.mean = 0.05  #: relevance of a page, a slowly moving mean: the prior of all predictions
        self.sources = world.column("sources", np.int32)  #: pages that link to it
        self._source_sum = world.column("source_sum", np.float32)  # of their relevance
        self._slashes = world.column("slashes", np.uint8)

    def knows(self, ids: IntArray) -> BoolArray:
        """(n,) whether any page was seen to link to these URLs."""
        return np.asarray(self.sources[ids] > 0)

    def mean_source(self, ids: IntArray) -> FloatArray:
        """(n,) mean relevance of the pages that link to each URL, and of one more page of mean relevance."""
        return np.asarray((self._source_sum.take(ids) + self.mean) / (self.sources.take(ids) + 1.0))

    def most_linked(self, ids: IntArray) -> int:
        """The URL among these that most pages link to; of equal ones the one with the fewest slashes, then the first."""
        return int(ids[np.lexsort((self._slashes[ids], -self.sources[ids]))[0]])

    def read(self, visit: Visit, model: TopicModel, words: Words, relevance: float) -> PageLinks:
        """Read the links of a page, which must have some."""
        # Brings links to the same URL together, in page order.
        order = np.argsort(visit.targets, kind="stable")
        starts = np.flatnonzero(np.diff(visit.targets[order], prepend=-1))
        first = order[starts]
        urls = visit.targets[first]
        is_new = self.sources[urls] == 0
        anchor_start, anchor_end, start, end = spans(visit.links, CONTEXT)
        anchors, contexts = np.stack((anchor_start, anchor_end), axis=1), np.stack((start, end), axis=1)
        closeness = _closeness(model, words, anchors)  # before the model reads another text
        new = [visit.links[position] for position in first[is_new].tolist()]
        forms = [UrlForm.of(link.url, link.host) for link in new]
        texts = [self._world.terms(form.words) for form in forms]
        of_new = model.words(list(chain.from_iterable(texts)))
        bounds = len(words.tokens) + np.cumsum([0, *map(len, texts)])
        url_words = np.zeros((len(urls), 2), np.int64)
        url_words[is_new] = np.stack((bounds[:-1], bounds[1:]), axis=1)
        self._slashes[urls[is_new]] = [min(255, form.slashes) for form in forms]
        return PageLinks(
            visit,
            model,
            words,
            relevance,
            urls,
            first,
            is_new,
            new,
            forms,
            np.concatenate((words.tokens, of_new.tokens)),
            np.concatenate((closeness, model.closeness(of_new.rows))),
            anchors,
            contexts,
            url_words,
            order,
            starts,
        )

    def add(self, links: PageLinks) -> None:
        """Note the links of a page, when all scorers have seen them."""
        self.sources[links.urls] += 1
        self._source_sum[links.urls] += links.relevance


class LinkScorer(ABC):
    """Rates links in one respect, by columns of numbers by id of URL.

    Parameters
    ----------
    world : keeps its columns, and has what was learned before the crawl
    history : which pages link to URLs
    """

    title: ClassVar[str]  #: what a person calls it
    #: The columns that it gives, and the weight of each at first, where the weights of the crawl do not name it.
    prior: ClassVar[Mapping[str, float]]
    parts: ClassVar[Mapping[str, tuple[str, ...]]]  #: name of a part of the score -> its columns
    meanings: ClassVar[Mapping[str, str]]  #: part -> what it says of a link, in words for a person

    def __init__(self, world: World, history: LinkHistory) -> None:
        self.world, self.history = world, history

    @abstractmethod
    def add_links(self, links: PageLinks) -> None:
        """Take in the links of a page."""

    @abstractmethod
    def columns(self, ids: IntArray) -> FloatArray:
        """(c, n) its columns for n URLs that some page links to, in the order of `prior`."""

    def add_outcome(self, url: int, relevance: float, *, is_seed: bool) -> None:
        """Note the relevance of a fetched URL, in [0, 1]; maybe no page links to it, such as to a seed."""

    def forget(self) -> None:
        """Forget the relevance of URLs, but not the links to them and their words: `add_outcome` is called anew."""

    def learn(self) -> None:
        """Learn from all outcomes, after `forget` and new calls of `add_outcome`."""

    def state(self) -> dict[str, Any]:
        """All that decides later columns, except the world's own, as plain values and arrays."""
        return {}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `state` gave."""


def spans(links: Sequence[Link], window: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Starts and ends, (n,) each, of the anchors and of the contexts of n links in the terms of their page.

    A context has at most ``window`` terms before the anchor and as many after it: the text under a link's parent may be the
    whole page.
    """
    rows = [(link.anchor_start, link.anchor_end, link.context_start, link.context_end) for link in links]
    anchor_start, anchor_end, start, end = np.array(rows, np.int64).reshape(-1, 4).T
    return anchor_start, anchor_end, np.maximum(start, anchor_start - window), np.minimum(end, anchor_end + window)


def lengths(spans: IntArray) -> IntArray:
    """(n,) how many terms each of (n, 2) spans has."""
    return spans[:, 1] - spans[:, 0]


def _closeness(model: TopicModel, words: Words, anchors: IntArray) -> NDArray[np.float32]:
    """(n,) closeness of the terms of a page that lie in any of (m, 2) anchors; 0 for the others, which no scorer reads."""
    size = len(words.rows) + 1
    starts, ends = (np.bincount(places, minlength=size) for places in anchors.T)
    in_anchor = (starts - ends).cumsum()[:-1] > 0
    closeness = np.zeros(size - 1, np.float32)
    closeness[in_anchor] = model.closeness(words.rows[in_anchor])
    return closeness
