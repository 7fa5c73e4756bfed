"""What speaks for a link: all its contexts on all pages that were fetched, and what became of its like. Numbers per URL.

Every page adds to what is known of the URLs it links to; of a link, only where it comes from (`hub_evidence`) and some words of
the first two (`word_regression`) are kept. A URL takes about 250 bytes, all arrays together, if four pages link to it.

To add a feature: name it in `PRIOR`, and in a part of the score of `adaptive`. If it is seen on pages, name it in `OF_LINKS` or
`OF_URLS` too and add it at the same place in `add_links`, or behind `same_host` for one of the form of a link, and in
`_first_seen`; if it follows from what is known, compute it in `features`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.strategy import Visit
from focused.crawl.world import World
from focused.scoring.hashed_terms import HASHED, hashed
from focused.strategies.adaptive.hub_evidence import HubEvidence
from focused.strategies.adaptive.link_knowledge import Knowledge
from focused.strategies.adaptive.link_regression import LinkRegression
from focused.strategies.adaptive.shrunk_means import ShrunkMeans
from focused.strategies.adaptive.topic_model import TopicModel, Words
from focused.strategies.adaptive.url_form import UrlForm
from focused.strategies.adaptive.word_regression import WordRegression
from focused.strategies.adaptive.word_weights import Outcomes
from focused.strategies.rl_spider.path_values import spans

#: Features of a URL, in the order of the arrays; the number is the weight that is believed in before anything is learned.
PRIOR: Mapping[str, float] = {
    "always": -0.14,  # 1
    "anchor_keywords": 0.09,  # cosine of the best anchor text and the keywords
    "anchor_topic": 0.21,  # and the learned words of the topic
    "anchor_meaning": 0.22,  # what its words have to do with the topic by their meaning: sum of closeness / sqrt(words)
    "context_keywords": 0.01,  # these three of the text around the link, at most 20 terms to either side
    "context_topic": 0.15,
    "context_meaning": 0.08,
    "contexts_topic": 0.04,  # mean of context_topic over all pages that link to it
    "url_keywords": 0.1,  # the three of the last words of the URL
    "url_topic": 0.11,
    "url_meaning": 0.11,
    "host": 0.1,  # mean relevance of the pages of its host
    "directory": 0.06,  # of its directory
    "siblings": 0.23,  # of links that stand alike on the page where it was first found
    "pattern": 0.16,  # of URLs of the same form: names of users and digits left out
    "words": 0.52,  # what a regression over the words of its links expects beyond the mean
    "best_hub": -0.05,  # of pages that the best of its sources links to
    "mean_hub": 0.12,  # of pages that its sources link to
    "promise": 0.6,  # of the best of its links, by a regression trained on labelled sites; 0 without one
    "same_host": 0.04,  # as the page where it was first found; from here on, the form of URL and link
    "url_depth": 0.02,  # slashes / 4
    "user_page": 0.03,  # has a tilde
    "is_folder": 0.06,  # ends with a slash
    "has_query": 0.0,
    "links_beside": 0.02,  # links on the page where it was first found / 100, at most 1
    "anchor_length": 0.03,  # terms / 5, at most 1
    "context_length": 0.01,  # terms / 40, at most 1
}
NAMES = tuple(PRIOR)
AT = {name: column for column, name in enumerate(NAMES)}
#: Features that are kept per URL as they were seen, the best of all its links; all others are computed when they are asked for.
OF_LINKS = (
    "anchor_keywords",
    "anchor_topic",
    "anchor_meaning",
    "context_keywords",
    "context_topic",
    "context_meaning",
    "promise",  # the last one: without a trained model it is left out
)
#: The same of its URL, and of the form of URL and link when it was first found.
OF_URLS, OF_FORMS = ("url_keywords", "url_topic", "url_meaning"), NAMES[NAMES.index("same_host") :]
KEPT = (*OF_LINKS, *OF_URLS, *OF_FORMS)
_KEPT_AMONG_ALL = [AT[name] for name in KEPT]
_OF_URLS = slice(len(OF_LINKS), len(OF_LINKS) + len(OF_URLS))
_OF_TOPIC = 1  # among the three
_OF_FORMS = slice(_OF_URLS.stop, len(KEPT))

LONGEST_NUMBER = 20  #: digits
CONTEXT = 20  #: terms on either side of the anchor that count as its context
GROUPS = 1 << 18  #: range of the numbers of hosts, directories and patterns; siblings have four times as many
HOST_PRIOR, GROUP_PRIOR = 3.0, 2.0  #: pages that the prior of a mean counts as


class LinkEvidence:
    """Features of URLs by id.

    Parameters
    ----------
    world : for the hosts of URLs and the reading of words
    links : what labelled sites taught of links
    knowledge : what earlier crawls taught of the words of links
    """

    def __init__(self, world: World, links: LinkRegression | None = None, knowledge: Knowledge | None = None) -> None:
        self.world, self.links = world, links
        self.mean = 0.05  #: relevance of a page, a slowly moving mean: what is expected where nothing is known
        self._kept = world.column("features", np.float32, shape=(len(KEPT),))
        self._sources = world.column("sources", np.int32)  # pages that link to it
        self._source_sum = world.column("source_sum", np.float32)  # of their relevance
        self._context_sum = world.column("context_sum", np.float32)
        self._directory = world.column("directory", np.int32)
        self._pattern = world.column("pattern", np.int32)
        self._siblings = world.column("siblings", np.int32)
        self._of_words = WordRegression(world, knowledge)
        self._of_hubs = HubEvidence(world)
        self._of_host = ShrunkMeans(GROUPS, HOST_PRIOR)
        self._of_directory = ShrunkMeans(GROUPS, GROUP_PRIOR)
        self._of_pattern = ShrunkMeans(GROUPS, GROUP_PRIOR)
        self._of_siblings = ShrunkMeans(4 * GROUPS, GROUP_PRIOR)

    def knows(self, ids: IntArray) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """(n,) whether any page was seen to link to these URLs."""
        return np.asarray(self._sources[ids] > 0)

    def outcomes(self) -> Outcomes:
        """What became of links, by their words, for crawls to come."""
        return self._of_words.outcomes()

    def add_outcome(self, url: int, relevance: float, *, is_seed: bool = False) -> None:
        """Note what a URL turned out to be, for its like; a page that links to a seed is a hub, whatever the seed's text says."""
        self._of_hubs.add_outcome(url, 1.0 if is_seed else relevance)
        self._of_words.add_outcome(url, relevance, self.mean)
        self._of_host.add(int(self.world.urls.host[url]) % GROUPS, relevance)
        if self.knows(np.array([url]))[0]:
            self._of_directory.add(int(self._directory[url]), relevance)
            self._of_pattern.add(int(self._pattern[url]), relevance)
            self._of_siblings.add(int(self._siblings[url]), relevance)

    def learn_again(self, outcomes: Iterable[tuple[int, float]], learn: Callable[[int, float], None]) -> None:
        """Forget what URLs turned out to be, and learn it anew; which pages link to them, with which words, is still known.

        learn : is told each of the outcomes in turn, and calls `add_outcome`
        """
        for name in _MEANS:
            getattr(self, name).forget()
        for url, relevance in outcomes:
            learn(url, relevance)
        self._of_words.fit()

    def add_links(self, visit: Visit, model: TopicModel, words: Words, relevance: float) -> None:
        """Take in the links of a page, of which there are some: its words as numbers of its model, and its relevance."""
        targets, count = visit.targets, len(visit.links)
        order = np.argsort(targets, kind="stable")  # links to the same URL stand together, in the order of the page
        starts = np.flatnonzero(np.diff(targets[order], prepend=-1))
        first = order[starts]
        urls = targets[first]
        is_new = self._sources[urls] == 0
        anchor_start, anchor_end, start, end = spans(visit.links, CONTEXT)
        anchors, contexts = np.stack((anchor_start, anchor_end), axis=1), np.stack((start, end), axis=1)
        closeness = _closeness(model, words, np.concatenate((anchors, contexts)))
        of_new, words_of_urls = self._first_seen(visit, model, first[is_new], anchors, contexts)
        terms = len(words.tokens)
        words_of_urls += terms  # the words of new URLs stand behind those of the page
        tokens = np.concatenate((words.tokens, of_new.tokens))
        url_spans = np.zeros((len(urls), 2), np.int64)
        url_spans[is_new] = words_of_urls
        self._of_words.add_links(urls, tokens, anchors[first], contexts[first], url_spans, terms)
        similarities = _similarities(
            model,
            tokens,
            np.concatenate((closeness, model.closeness(of_new.rows))),
            np.concatenate((anchors, contexts, words_of_urls)),
        )
        of_contexts = similarities[:, count : 2 * count]
        of_links = [similarities[:, :count], of_contexts]
        if self.links is not None:
            of_links.append(self.links.promise(visit.page)[np.newaxis])
        best = np.maximum.reduceat(np.concatenate(of_links)[:, order], starts, axis=1).T
        seen = slice(best.shape[1])
        self._kept[urls, seen] = np.maximum(self._kept[urls, seen], best)
        self._kept[urls[is_new], _OF_URLS] = similarities[:, 2 * count :].T
        self._of_hubs.add_page(visit.id, urls)
        self._sources[urls] += 1
        self._source_sum[urls] += relevance
        self._context_sum[urls] += of_contexts[_OF_TOPIC, first]

    def features(self, ids: IntArray) -> FloatArray:
        """(n, f) features of URLs that some page links to, in the order of `NAMES`."""
        sources = self._sources.take(ids) + 1.0
        mean_source = (self._source_sum.take(ids) + self.mean) / sources
        best_hub, mean_hub = self._of_hubs.of(ids, self.mean)
        computed: Mapping[str, FloatArray | float] = {
            "always": 1.0,
            "contexts_topic": self._context_sum.take(ids) / sources,
            "host": self._of_host.of(self.world.urls.host.take(ids) % GROUPS, self.mean),
            "directory": self._of_directory.of(self._directory.take(ids), self.mean),
            "siblings": self._of_siblings.of(self._siblings.take(ids), mean_source),
            "pattern": self._of_pattern.of(self._pattern.take(ids), self.mean),
            "words": self._of_words.of(ids),
            "best_hub": best_hub,
            "mean_hub": mean_hub,
        }
        features = np.empty((len(NAMES), len(ids)))  # each feature in a row of memory: quicker to write and to weigh
        features[_KEPT_AMONG_ALL] = self._kept.take(ids).T
        for name, values in computed.items():
            features[AT[name]] = values
        return features.T

    def most_linked(self, ids: IntArray) -> int:
        """The URL, of some, that most pages link to; of equal ones that with the fewest slashes, and of these the first."""
        slashes = self._kept[ids, KEPT.index("url_depth")]
        return int(ids[np.lexsort((slashes, -self._sources[ids]))[0]])

    def state(self) -> dict[str, Any]:
        return {"mean": self.mean} | {name: getattr(self, name).state() for name in _MEANS}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.mean = state["mean"]
        for name in _MEANS:
            getattr(self, name).restore(state[name])

    def _first_seen(
        self, visit: Visit, model: TopicModel, new: IntArray, anchors: IntArray, contexts: IntArray
    ) -> tuple[Words, IntArray]:
        """Note the form in which URLs were first found, by the positions of their links; return the words of all of them, and
        (n, 2) the span of each among them.
        """
        urls, links = visit.targets[new], [visit.links[position] for position in new.tolist()]
        forms = [UrlForm.of(link.url, link.host) for link in links]
        self._directory[urls] = [form.directory % GROUPS for form in forms]
        self._pattern[urls] = [form.pattern % GROUPS for form in forms]
        self._siblings[urls] = [crc32(f"{visit.id} {link.tag_path}".encode()) % (4 * GROUPS) for link in links]
        self._kept[urls, _OF_FORMS] = np.array(
            [
                [link.host == visit.page.host for link in links],
                [form.slashes / 4 for form in forms],
                [form.has_user for form in forms],
                [form.is_folder for form in forms],
                [form.has_query for form in forms],
                [min(1.0, len(visit.links) / 100)] * len(links),
                np.minimum(1.0, lengths(anchors[new]) / 5),
                np.minimum(1.0, lengths(contexts[new]) / (2 * CONTEXT)),
            ]
        ).T
        words = [self.world.terms(form.words) for form in forms]
        bounds = np.cumsum([0, *map(len, words)])
        return model.words(list(chain.from_iterable(words))), np.stack((bounds[:-1], bounds[1:]), axis=1)


def _closeness(model: TopicModel, words: Words, spans: IntArray) -> NDArray[np.float32]:
    """(n,) closeness of the terms of a page that lie in any of (m, 2) spans; 0 of the others, of which nobody asks."""
    size = len(words.rows) + 1
    near = (np.bincount(spans[:, 0], minlength=size) - np.bincount(spans[:, 1], minlength=size)).cumsum()[:-1] > 0
    closeness = np.zeros(size - 1, np.float32)
    closeness[near] = model.closeness(words.rows[near])
    return closeness


def _similarities(model: TopicModel, tokens: IntArray, closeness: NDArray[np.float32], spans: IntArray) -> FloatArray:
    """(3, n) cosines of n spans of a text with the keywords, and with the words of the topic, and how close their meaning
    is to it; repeated terms count once more in the length than they should, which spares counting them.
    """
    idf = np.where(_IS_NUMBER.take(tokens), 0.0, model.idf(tokens))  # else they would be the rarest words of all
    keywords = float(np.linalg.norm(model.idf(model.keywords))) or 1.0
    sums = np.zeros((4, len(tokens) + 1))
    squares = idf * idf
    np.cumsum(squares, out=sums[0, 1:])
    np.cumsum(np.where(model.is_keyword[tokens], squares, 0.0), out=sums[1, 1:])
    np.cumsum(idf * model.weights[tokens], out=sums[2, 1:])
    np.cumsum(closeness, out=sums[3, 1:])
    squared, of_keywords, of_topic, of_meaning = sums[:, spans[:, 1]] - sums[:, spans[:, 0]]
    norms = np.sqrt(np.maximum(squared, 1e-9))
    of_keywords /= norms * keywords
    of_topic /= norms
    of_meaning /= np.sqrt(np.maximum(1, lengths(spans)))
    return np.asarray(np.clip((of_keywords, of_topic, of_meaning), 0.0, 1.0))


def lengths(spans: IntArray) -> IntArray:
    """(n,) how many terms each of (n, 2) spans has."""
    return spans[:, 1] - spans[:, 0]


_MEANS = ("_of_hubs", "_of_words", "_of_host", "_of_directory", "_of_pattern", "_of_siblings")
_IS_NUMBER = np.zeros(HASHED, bool)  #: of a URL, see `url_form.words_of`
_IS_NUMBER[hashed(["0" * digits for digits in range(1, LONGEST_NUMBER + 1)])] = True
