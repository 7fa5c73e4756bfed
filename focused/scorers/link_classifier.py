"""Link classifier: predicts a page from the outcomes of links with the same words, of the same form, or nearby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.sparse_array import SparseArray
from focused.crawl.world import World
from focused.scorers.link_scorer import CONTEXT, LinkHistory, LinkScorer, PageLinks, lengths
from focused.scorers.word_regression import WordRegression
from focused.scorers.word_weights import Outcomes

GROUPS = 1 << 18  #: range of the numbers of hosts, directories and patterns; siblings have four times as many
HOST_PRIOR, GROUP_PRIOR = 3.0, 2.0  #: pages that the prior of a mean counts as


class ShrunkMeans:
    """Means of a value by group, groups being numbers of a fixed range (hashes).

        mean of a group = (sum of its values + prior · strength) / (their count + strength)

    Parameters
    ----------
    groups : range of the numbers
    strength : values that the prior counts as
    """

    def __init__(self, groups: int, strength: float) -> None:
        self.groups, self.strength = groups, strength
        self._known = SparseArray(2 * groups, np.float32)  # by group: the sum of its values, then their count

    def add(self, group: int, value: float) -> None:
        (place,) = self._known.held(np.array([2 * group]))
        self._known.values[place] += value
        self._known.values[place + 1] += 1

    def forget(self) -> None:
        self._known = SparseArray(2 * self.groups, np.float32)

    def of(self, groups: NDArray[np.integer[Any]], prior: float | FloatArray) -> FloatArray:
        """Means of groups, in an array of any form. ``prior`` is the mean without any values: one number, or one for each."""
        sums, counts = self._of(groups)
        return np.asarray((sums + prior * self.strength) / (counts.astype(np.float64) + self.strength))

    def state(self) -> dict[str, Any]:
        used = self._known.nonzero()
        groups = used[used % 2 == 1] // 2  # those that have a count
        sums, counts = self._of(groups)
        return {"groups": groups, "sums": sums, "counts": counts}

    def restore(self, state: Mapping[str, Any]) -> None:
        places = self._known.held(2 * state["groups"])
        self._known.values[places] = state["sums"]
        self._known.values[places + 1] = state["counts"]

    def _of(self, groups: NDArray[np.integer[Any]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Sums and counts of groups, in arrays of the same form."""
        places = self._known.places(2 * groups.astype(np.int64))
        return self._known.values.take(places), self._known.values.take(places + 1)


class LinkClassifier(LinkScorer):
    """How relevant pages behind similar links were: a regression over the words of links, means of neighbours, the link's form.

    A neighbour is a page of the same host, of the same directory, of a URL of the same form, or behind a link with the same path
    of tags on the page where the URL was first found. Means of few neighbours are drawn to the mean of all pages (`ShrunkMeans`).
    About 150 bytes a URL.
    """

    title = "link classifier"
    prior: ClassVar[Mapping[str, float]] = {
        "host": 0.0,  # mean relevance of the pages of its host
        "directory": 0.0,  # of its directory
        "siblings": 0.0,  # of links with the same path of tags on the page where it was first found
        "pattern": 0.0,  # of URLs of the same form: names of users and digits left out
        "words": 0.0,  # what a regression over the words of its links expects beyond the mean
        "promise": 0.0,  # of the best of its links, by a regression trained on labelled sites; 0 without one
        "same_host": 0.0,  # as the page where it was first found; from here on, the form of URL and link
        "url_depth": 0.0,  # slashes / 4
        "user_page": 0.0,  # has a tilde
        "is_folder": 0.0,  # ends with a slash
        "has_query": 0.0,
        "links_beside": 0.0,  # links on the page where it was first found / 100, at most 1
        "anchor_length": 0.0,  # terms / 5, at most 1
        "context_length": 0.0,  # terms / 40, at most 1
    }
    parts: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "host": ("host",),
        "neighbours": ("directory", "siblings", "pattern"),
        "words": ("words",),
        "promise": ("promise",),
        "form": tuple(prior)[tuple(prior).index("same_host") :],
    }
    meanings: ClassVar[Mapping[str, str]] = {
        "host": "how relevant the pages of its host were",
        "neighbours": "how relevant its neighbours were: pages of its directory, of similar URLs, of links beside it",
        "words": "how relevant the pages behind links with its words were",
        "promise": "how often links with its words led to relevant pages on the sites that the trained model knows",
        "form": "how relevant the pages behind links of its form were",
    }

    def __init__(self, world: World, history: LinkHistory) -> None:
        super().__init__(world, history)
        self._trained = world.model.links if world.model else None
        self._kept = world.column("forms", np.float32, shape=(1 + len(self.parts["form"]),))  # behind its promise
        self._directory = world.column("directory", np.int32)
        self._pattern = world.column("pattern", np.int32)
        self._siblings = world.column("siblings", np.int32)
        self._of_words = WordRegression(world, world.knowledge)
        self._of_host = ShrunkMeans(GROUPS, HOST_PRIOR)
        self._of_directory = ShrunkMeans(GROUPS, GROUP_PRIOR)
        self._of_pattern = ShrunkMeans(GROUPS, GROUP_PRIOR)
        self._of_siblings = ShrunkMeans(4 * GROUPS, GROUP_PRIOR)

    def outcomes(self) -> Outcomes:
        """The outcomes of links, with their words, for later crawls to learn from."""
        return self._of_words.outcomes()

    def add_links(self, links: PageLinks) -> None:
        page, urls, first, new = links.visit.page, links.urls, links.first, links.first[links.is_new]
        new_urls, forms = urls[links.is_new], links.forms
        self._directory[new_urls] = [form.directory % GROUPS for form in forms]
        self._pattern[new_urls] = [form.pattern % GROUPS for form in forms]
        self._siblings[new_urls] = [
            crc32(f"{links.visit.id} {link.tag_path}".encode()) % (4 * GROUPS) for link in links.new
        ]
        self._kept[new_urls, 1:] = np.array(
            [
                [link.host == page.host for link in links.new],
                [form.slashes / 4 for form in forms],
                [form.has_user for form in forms],
                [form.is_folder for form in forms],
                [form.has_query for form in forms],
                [min(1.0, len(page.links) / 100)] * len(forms),
                np.minimum(1.0, lengths(links.anchors[new]) / 5),
                np.minimum(1.0, lengths(links.contexts[new]) / (2 * CONTEXT)),
            ]
        ).T
        if self._trained is not None:
            promise = links.best(self._trained.promise(page)[np.newaxis])[:, 0]
            self._kept[urls, 0] = np.maximum(self._kept[urls, 0], promise)
        terms = len(links.words.tokens)
        self._of_words.add_links(
            urls, links.tokens, links.anchors[first], links.contexts[first], links.url_words, terms
        )

    def add_outcome(self, url: int, relevance: float, *, is_seed: bool) -> None:
        self._of_words.add_outcome(url, relevance, self.history.mean)
        self._of_host.add(int(self.world.urls.host[url]) % GROUPS, relevance)
        if self.history.sources[url]:
            self._of_directory.add(int(self._directory[url]), relevance)
            self._of_pattern.add(int(self._pattern[url]), relevance)
            self._of_siblings.add(int(self._siblings[url]), relevance)

    def columns(self, ids: IntArray) -> FloatArray:
        mean = self.history.mean
        learned = (
            self._of_host.of(self.world.urls.host.take(ids) % GROUPS, mean),
            self._of_directory.of(self._directory.take(ids), mean),
            self._of_siblings.of(self._siblings.take(ids), self.history.mean_source(ids)),
            self._of_pattern.of(self._pattern.take(ids), mean),
            self._of_words.of(ids),
        )
        return np.concatenate((learned, self._kept.take(ids).T))

    def forget(self) -> None:
        for name in _LEARNED:
            getattr(self, name).forget()

    def learn(self) -> None:
        self._of_words.fit()

    def state(self) -> dict[str, Any]:
        return {name: getattr(self, name).state() for name in _LEARNED}

    def restore(self, state: Mapping[str, Any]) -> None:
        for name in _LEARNED:
            getattr(self, name).restore(state[name])


_LEARNED = ("_of_words", "_of_host", "_of_directory", "_of_pattern", "_of_siblings")
