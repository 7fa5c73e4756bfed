"""Puts URLs into the frontier and takes them out."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence

import numpy as np

from focused.crawl.admission import DENIED, Drop
from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.state import CrawlState
from focused.crawl.strategy import Changes, Rescoring
from focused.crawl.url_table import NO_SOURCE, State
from focused.crawl.yields import why_closed

FULL = "the frontier is full"  #: why a URL was evicted, or not taken

MANY = 100  #: URLs from which on new scores are set at once: as one after the other each may ask for a new best of its host


class FrontierRules:
    """Changes the frontier of one crawl, and the table of the URLs in it."""

    def __init__(self, state: CrawlState) -> None:
        self._state = state
        self._frontier, self._urls, self._steering = state.frontier, state.urls, state.steering

    def enough(self, scores: FloatArray) -> FloatArray:
        """Scores of URLs that a person named, raised to the floor: the crawl fetches these, whatever the strategy says."""
        return np.maximum(scores, self._frontier.floor)

    def bring(
        self,
        changes: Changes,
        found: IntArray | None = None,
        source: int = NO_SOURCE,
        depth: int = 0,
        barred: Container[int] = (),
    ) -> list[Drop]:
        """Bring scores to the frontier. Of several scores for one URL the best counts, and the URL arrives at the first's place.

        ``found`` are ids of URLs that ``source`` links to at this ``depth``; any other URL keeps its source and depth.
        ``barred`` URLs keep their scores: a page that brings nothing new raises none.
        Return the drops: URLs that a full frontier does not take, and those found on a host that a person has denied.
        """
        state, admission = self._state, self._state.admission
        if state.world.answers:
            state.asking.update(dict.fromkeys(changes.ask))
        best: dict[int, int] = {}
        refused: dict[int, str] = {}
        scores, found_here = changes.scores.tolist(), set() if found is None else set(found.tolist())
        earlier = changes.ids if found is None else changes.ids[~np.isin(changes.ids, found)]
        allowed = found_here.union(earlier[admission.may_come_back(earlier)].tolist())
        for position, url in enumerate(changes.ids.tolist()):
            if url in barred or url not in allowed:
                continue
            if admission.is_denied(int(self._urls.host[url])):
                refused[url] = DENIED
                continue
            if math.isnan(scores[position]) and not changes.replace:
                continue
            if url not in best or not scores[position] <= scores[best[url]]:
                best[url] = position
        urls, frontier = self._urls, self._frontier
        # Plain integers: an enum's members are slow to look up, and slower to compare with numbers of numpy.
        free, waiting = int(State.FREE), int(State.WAITING)
        states = urls.state[list(best)].tolist()
        gone = [url for url, was in zip(best, states, strict=True) if was == waiting and math.isnan(scores[best[url]])]
        self._take_out([url for url in gone if url not in self._steering.raised])
        again: list[int] = []
        many = changes.replace and len(best) > MANY
        for (url, position), was in zip(best.items(), states, strict=True):
            waits, score = was == waiting, scores[position]
            if math.isnan(score):
                continue
            if not waits and (was != free or (frontier.full and not state.strategy.evicts)):
                if was == free:
                    refused[url] = FULL
                continue
            if changed := waits and many:
                again.append(position)
            else:
                host, parts = int(urls.host[url]), changes.parts[position]
                changed = frontier.offer(url, host, score, parts, replace=changes.replace)
            if url in found_here:
                if changed:
                    urls.source[url] = source
                urls.depth[url] = min(int(urls.depth[url]), depth) if waits else depth
            urls.state[url] = waiting
        if again:
            frontier.rescore(changes.ids[again], changes.scores[again], changes.parts[again])
        return list(refused.items())

    def cut(self, host: int | None = None) -> list[Drop]:
        """Drop URLs beyond the frontier's cap, and those of this host if it is denied, spent, poor or silent."""
        drops = [(url, FULL) for url in self._frontier.evict() if not self._steering.keeps(url)]
        if host is not None and (why := self._state.admission.against_host(host)):
            drops += [(url, why) for url in self._frontier.drop_host(host)]
            self._state.lists.give_up(lambda other: other == host)
        for dropped, _ in drops:
            self._urls.state[dropped] = State.FREE
            self._steering.forget(dropped)
        return drops

    def close(self, places: Sequence[tuple[int, int]]) -> list[Drop]:
        """Drop the URLs that wait in closed places, each given as kind and id."""
        whys: dict[int, str] = {}
        ids = self._frontier.ids() if places else np.empty(0, np.int64)
        for kind, place in places:
            inside = ids[self._state.traps.yields.places(ids, kind) == place].tolist()
            whys |= {url: why_closed(kind) for url in inside if url not in self._steering.raised and url not in whys}
        self._take_out(list(whys))
        return list(whys.items())

    def _take_out(self, urls: list[int]) -> None:
        """Let waiting URLs wait no more; they may come back."""
        if urls:
            self._frontier.drop(urls)
            self._urls.state[urls] = State.FREE

    def settle(self) -> None:
        """At the end of an event: begin a rescoring, if it is time, once the last one has taken effect.

        A rescoring takes effect after a fixed number of picks, or when no waiting URL may be taken any more. Before a crawl ends
        because all scores are too low, the strategy rescores once more.
        """
        rescorings, spent = self._state.rescorings, self._frontier.spent
        at_an_end = spent and len(self._frontier) and self._state.in_flight.keys() <= self._state.revisiting
        if rescorings.is_time() or (at_an_end and rescorings.has_more_to_say()):
            self._take_effect(rescorings.finish())
            rescorings.begin(self._frontier.view())
        if rescorings.is_due() or spent:
            self._take_effect(rescorings.finish())

    def _take_effect(self, rescoring: Rescoring | None) -> None:
        if rescoring is None:
            return
        self._state.strategy.adopt(rescoring.learned)
        changes = rescoring.changes
        waits = self._urls.state[changes.ids] == State.WAITING
        scored = waits & ~np.isnan(changes.scores)
        self._frontier.rescore(changes.ids[scored], changes.scores[scored], changes.parts[scored])
        if not scored.all():
            others = changes.ids[~scored], changes.scores[~scored], changes.parts[~scored]
            self.bring(Changes(*others, replace=True))
