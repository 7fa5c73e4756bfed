"""The frontier: URLs that wait, the best of which comes next, over all hosts that are ready.

Each host has a queue in order of arrival, held in flat arrays: the best of a host is one vectorised argmax, and ties go
to the first in. One array holds the best score of every host, so that a pick looks at hosts, not at URLs, and holding a
host (a request in flight, its delay) costs nothing.
"""

from __future__ import annotations

import math
import sys
from array import array
from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from focused.crawl.arrays import FloatArray, IntArray
from focused.crawl.columns import Columns
from focused.crawl.strategy import Waiting

GONE = -math.inf  #: score of an entry that no longer waits, until its queue is compacted; of a host without any
SLACK = 64  #: a capped frontier may exceed its cap by 1/64 before it is cut back, so that a cut costs little per URL
LOWEST = -sys.float_info.max  #: as a floor: every URL that waits may be taken
GAPS = 64  #: a queue is compacted when it has this many gaps more than entries


class HostQueue:
    """URLs of one host in order of arrival; removed ones leave a gap until the queue is compacted."""

    __slots__ = ("best", "ids", "live", "scores")

    def __init__(self, ids: bytes = b"", scores: bytes = b"") -> None:
        self.ids = array("i", ids)
        self.scores = array("d", scores)
        self.live = len(self.ids)  #: entries without the gaps
        self.best = self._argmax() if self.live else -1  #: position of the best entry

    def append(self, url: int, score: float) -> int:
        """Add an entry at the end and return its position."""
        position = len(self.ids)
        self.ids.append(url)
        self.scores.append(score)
        self.live += 1
        if self.best < 0 or score > self.scores[self.best]:
            self.best = position
        return position

    def set_score(self, position: int, score: float) -> None:
        if position == self.best and score < self.scores[position]:
            self.scores[position] = score
            self.best = self._argmax()
            return
        self.scores[position] = score
        best = self.scores[self.best]
        if score > best or (score == best and position < self.best):
            self.best = position

    def set_scores(self, positions: NDArray[np.int32], scores: FloatArray) -> None:
        """Set many scores at once."""
        values, before = np.frombuffer(self.scores), self.scores[self.best]
        values[positions] = scores
        if self.scores[self.best] < before:
            self.best = self._argmax()
            return
        first = int(positions[scores == scores.max()].min())
        self.set_score(first, self.scores[first])

    def remove(self, positions: NDArray[np.int32]) -> None:
        """Leave gaps; the caller must drop a queue without entries."""
        np.frombuffer(self.scores)[positions] = GONE
        self.live -= len(positions)
        if self.live and self.scores[self.best] == GONE:
            self.best = self._argmax()

    def _argmax(self) -> int:
        return int(np.frombuffer(self.scores).argmax())  # the first of equals: first in, first out


class Frontier:
    """Best first over all ready hosts; of equal scores first in, first out. A URL whose score is raised keeps its turn.

    Parameters
    ----------
    columns : by id of URL, where the frontier keeps what it must know of each
    parts : number of parts kept with each score
    cap : most URLs that wait; 0 means no limit. `evict` cuts back to it, the newest of the worst first
    floor : a URL whose score is below waits, and is not taken
    batch : this many best URLs are taken, whatever arrives meanwhile, before others get their turn (best-N-first)
    distinct_hosts : k consecutive picks come from k hosts, if k hosts have URLs waiting; 0 or 1 means no such rule

    Attributes
    ----------
    arrivals : URLs that have entered it so far; one that came back counts again
    passed : (h,) by host, whether the frontier passes over its URLs for now; None: over none. Batches ignore it
    """

    def __init__(
        self,
        columns: Columns,
        parts: int,
        *,
        cap: int = 0,
        floor: float = LOWEST,
        batch: int = 1,
        distinct_hosts: int = 0,
    ) -> None:
        self.cap, self.floor, self.batch, self.distinct_hosts = cap, floor, batch, distinct_hosts
        self.passed: NDArray[np.bool_] | None = None
        self._queues: list[HostQueue | None] = []  # by host; None if nothing waits
        self._hosts = Columns()
        self._top = self._hosts.add("top", np.float64, GONE)  # its best score, GONE if nothing waits
        self._top_order = self._hosts.add("order", np.int64)  # and when the URL that has it arrived
        self._ready = self._hosts.add("ready", np.float64, GONE)  # as top, but GONE also where the host is held
        self._held: set[int] = set()
        self._away: set[int] = set()  # of these, those that are held for long
        self._columns = columns
        self._host = columns.add("frontier.host", np.int32, -1, saved=False)
        self._position = columns.add("frontier.position", np.int32, -1, saved=False)  # in the queue; -1: does not wait
        self._order = columns.add("frontier.order", np.int64, saved=False)  # number of arrivals before it
        self._parts = columns.add("frontier.parts", np.float32, shape=(parts,), saved=False)
        self._size = 0
        self.arrivals = 0
        self._batch: dict[int, None] = {}  # ids still to be taken, best first
        self._recent: deque[int] = deque(maxlen=max(0, distinct_hosts - 1))  # hosts of the last picks

    def __len__(self) -> int:
        return self._size

    def __contains__(self, url: int) -> bool:
        position = self._position.values
        return 0 <= url < len(position) and bool(position[url] >= 0)

    @property
    def full(self) -> bool:
        return bool(self.cap) and self._size >= self.cap

    @property
    def hosts_waiting(self) -> int:
        return int(np.count_nonzero(self._top.values != GONE))

    @property
    def next_score(self) -> float | None:
        """The best score that waits, its host ready or not; None when nothing waits."""
        return float(self._top.values.max()) if self._size else None

    @property
    def spent(self) -> bool:
        """Whether no URL may be taken, now or once its host is ready: no score reaches the floor."""
        return not self._size or (self.floor > LOWEST and bool(self._top.values.max() < self.floor))

    @property
    def held_score(self) -> float | None:
        """The best score on hosts that are held, but not for long; None if nothing waits on one."""
        best = float(self._held_scores().max(initial=GONE))
        return None if best == GONE else best

    @property
    def hosts_held(self) -> int:
        """Number of held hosts from which a URL can be taken soon."""
        return len(self._held_scores())

    def _held_scores(self) -> FloatArray:
        """The best scores of hosts that are held, but not for long, and not passed over; without scores below the floor."""
        held = self._ready.values == GONE
        held[list(self._away)] = False
        if self.passed is not None:
            held[: len(self.passed)] &= ~self.passed[: len(held)]
        scores = self._top[held]
        return np.asarray(scores[scores >= self.floor])

    def score(self, url: int) -> float:
        """The score of a URL that waits; raises KeyError for any other."""
        return self._queue_of(url).scores[int(self._position[url])]

    def parts(self, url: int) -> list[float]:
        """The parts of a URL's score, as `offer` got them."""
        return [float(part) for part in self._parts[url]]

    def waiting(self) -> tuple[IntArray, FloatArray]:
        """Return ids and scores of all URLs that wait, best first; of equal scores, first in first."""
        ids, scores = self._gather()
        rank = ranked(scores, self._order[ids], len(ids))
        return ids[rank].astype(np.int64), scores[rank]

    def ids(self) -> IntArray:
        """Ids (n,) of all URLs that wait, host after host, first in first."""
        return self._gather()[0].astype(np.int64)

    def view(self) -> Waiting:
        """All URLs that wait, host after host, first in first; copies."""
        return self._waiting(*self._gather())

    def _waiting(self, ids: NDArray[np.int32], scores: FloatArray) -> Waiting:
        return Waiting(ids.astype(np.int64), scores, self._parts[ids].astype(np.float64))

    def ready_hosts(self) -> IntArray:
        """(h,) hosts from which a URL may be taken now, in order of id."""
        return np.flatnonzero(self._open_hosts() >= self.floor)

    def best_of(self, host: int) -> int:
        """The best URL of a host; raises KeyError if nothing waits."""
        queue = self._queues[host] if host < len(self._queues) else None
        if queue is None:
            raise KeyError(f"nothing waits for host {host}")
        return queue.ids[queue.best]

    def ready_of(self, host: int) -> IntArray:
        """(n,) the URLs of a ready host that may be taken now, first in first."""
        queue = self._queues[host]
        ids, scores = gather([queue] if queue else [])
        return ids[scores >= self.floor].astype(np.int64)

    def best_scores(self, hosts: IntArray) -> FloatArray:
        """(h,) the score of the best URL of each of h hosts, -inf where nothing waits."""
        return np.asarray(self._top[hosts])

    def ready(self) -> Waiting:
        """All URLs that may be taken now, host after host, first in first; copies."""
        ids, scores = gather([queue for host in self.ready_hosts().tolist() if (queue := self._queues[host])])
        enough = scores >= self.floor
        return self._waiting(ids[enough], scores[enough])

    def offer(self, url: int, host: int, score: float, parts: FloatArray, *, replace: bool = False) -> bool:
        """Add a URL, or raise the score of one that waits (``replace``: set it); return whether anything changed.

        The host of a URL never changes. Raises ValueError for a score that is not finite: it would break the order of
        everything that waits.
        """
        if not math.isfinite(score):
            raise ValueError(f"score of URL {url} is {score}, not a finite number")
        if url not in self:
            self._make_room(url, host)
            self._parts[url] = parts
            queue = self._queues[host] = self._queues[host] or HostQueue()
            self._position[url] = queue.append(url, score)
            self._host[url], self._order[url] = host, self.arrivals
            self.arrivals += 1
            self._size += 1
        elif replace or score > self.score(url):
            self._parts[url] = parts
            self._queue_of(url).set_score(int(self._position[url]), score)
        else:
            return False
        self._refresh(host)
        return True

    def rescore(self, ids: IntArray, scores: FloatArray, parts: FloatArray) -> None:
        """Set the scores of URLs that wait, each named once; they keep their turn among equals.

        Raises ValueError for a score that is not finite.
        """
        if not np.isfinite(scores).all():
            raise ValueError("a rescoring holds a score that is not a finite number")
        if not len(ids):
            return
        self._parts[ids] = parts
        order, starts, changed = grouped(self._host[ids])
        scores, positions = scores[order], self._position[ids[order]]
        queues = [queue for host in changed.tolist() if (queue := self._queues[host])]
        groups = pairwise([*starts, len(ids)])
        for queue, (start, end), first in zip(queues, groups, scores[starts].tolist(), strict=True):
            if queue.live == 1:
                queue.scores[queue.best] = first  # many hosts have but one: quicker than arrays
            else:
                queue.set_scores(positions[start:end], scores[start:end])
        self._top[changed] = self._ready[changed] = [queue.scores[queue.best] for queue in queues]
        self._top_order[changed] = self._order[[queue.ids[queue.best] for queue in queues]]
        self._ready[list(self._held)] = GONE

    def remove(self, url: int) -> None:
        """Take a waiting URL out; raises KeyError for one that does not wait."""
        self._queue_of(url)
        self.drop([url])

    def drop(self, urls: Sequence[int]) -> None:
        """Take waiting URLs out, each named once; at once, as one after the other each may ask for a new best of its host."""
        ids = np.array(urls, np.int64)
        order, starts, hosts = grouped(self._host[ids])
        positions = self._position[ids[order]]
        for host, (start, end) in zip(hosts.tolist(), pairwise([*starts, len(ids)]), strict=True):
            queue = self._queue_of(int(ids[order[start]]))
            queue.remove(positions[start:end])
            if not queue.live:
                self._queues[host] = None
            elif len(queue.ids) > 2 * queue.live + GAPS:
                self._fill(host, *gather([queue]))
            self._refresh(host)
        self._position[ids] = -1
        self._size -= len(ids)
        for url in urls:
            self._batch.pop(url, None)

    def best(self) -> int | None:
        """Return the URL that comes next, without taking it; None if nothing may be taken now."""
        if self.batch > 1:
            return self._best_of_batch()
        ready = self._open_hosts()
        if not len(ready) or (best := ready.max()) < self.floor:
            return None
        equal = np.flatnonzero(ready == best)
        first = self._queues[equal[self._top_order[equal].argmin()]]
        return first.ids[first.best] if first else None

    def take(self, url: int) -> None:
        """Take a URL as the next pick: it no longer waits, and the rules on batches and hosts take note.

        Raises KeyError for a URL that does not wait.
        """
        if self.batch > 1 and not self._left_of_batch():
            # A batch begins with a pick, not with a call of `best`: the journal records picks only.
            self._batch = dict.fromkeys(self._next_batch())
        self.remove(url)
        self._recent.append(int(self._host[url]))

    def hold(self, host: int, *, away: bool = False) -> None:
        """Take nothing from a host until it is released; ``away``: for long."""
        self._grow_hosts(host)
        self._held.add(host)
        if away:
            self._away.add(host)
        self._ready[host] = GONE

    def release(self, host: int) -> None:
        self._grow_hosts(host)
        self._held.discard(host)
        self._away.discard(host)
        self._ready[host] = self._top[host]

    def is_held(self, host: int) -> bool:
        """Whether nothing may be taken from a host now."""
        return host in self._held

    def evict(self) -> list[int]:
        """Cut the frontier back to its cap; return the URLs evicted, worst first.

        Of equal scores the newest goes first. Nothing is evicted until the frontier exceeds its cap by more than 1/64.
        """
        if not self.cap or self._size <= self.cap + self.cap // SLACK:
            return []
        ids, scores = self._gather()
        evicted: list[int] = ids[ranked(-scores, -self._order[ids], self._size - self.cap)].tolist()
        self.drop(evicted)
        return evicted

    def drop_host(self, host: int) -> list[int]:
        """Take out all that waits for a host; return the URLs, first in first."""
        queue = self._queues[host] if host < len(self._queues) else None
        if queue is None:
            return []
        ids, _ = gather([queue])
        self._position[ids] = -1
        self._size -= len(ids)
        self._queues[host] = None
        self._refresh(host)
        dropped: list[int] = ids.tolist()
        for url in dropped:
            self._batch.pop(url, None)
        return dropped

    def snapshot(self) -> dict[str, Any]:
        """Everything that decides later picks, as arrays and plain values. Held hosts are left out: the driver knows them.

        Rows come host after host, first in first.
        """
        ids, scores = self._gather()
        return {
            "ids": ids,
            "scores": scores,
            "orders": self._order[ids],
            "parts": self._parts[ids],
            "hosts": self._host[ids],
            "arrivals": self.arrivals,
            "batch": list(self._batch),
            "recent": list(self._recent),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take up what `snapshot` gave; the frontier must be empty."""
        ids, hosts, scores = state["ids"], state["hosts"], state["scores"]
        if len(ids):
            self._make_room(int(ids.max()), int(hosts[-1]))
        self._host[ids], self._order[ids], self._parts[ids] = hosts, state["orders"], state["parts"]
        bounds = [*np.flatnonzero(np.diff(hosts, prepend=-1)).tolist(), len(ids)]
        for start, end in pairwise(bounds):
            self._fill(int(hosts[start]), ids[start:end], scores[start:end])
        self._size, self.arrivals = len(ids), state["arrivals"]
        self._batch = dict.fromkeys(state["batch"])
        for host in state["recent"]:
            self._grow_hosts(host)
            self._recent.append(host)

    def _open_hosts(self) -> FloatArray:
        """(h,) by host, the best score that may be taken now; do not write to it."""
        if self.distinct_hosts <= 1 and self.passed is None:
            return self._ready.values
        ready = self._ready.values.copy()
        if self.distinct_hosts > 1:
            ready[self._barred_hosts(self._top.values >= self.floor)] = GONE
        if self.passed is not None:
            ready[: len(self.passed)][self.passed[: len(ready)]] = GONE
        return ready

    def _gather(self) -> tuple[NDArray[np.int32], FloatArray]:
        return gather([queue for queue in self._queues if queue])

    def _queue_of(self, url: int) -> HostQueue:
        """The queue in which a URL waits; raises KeyError for one that does not wait."""
        queue = self._queues[int(self._host[url])] if url in self else None
        if queue is None:
            raise KeyError(f"URL {url} does not wait")
        return queue

    def _fill(self, host: int, ids: NDArray[np.int32], scores: FloatArray) -> None:
        """Give a host a queue of these URLs, in order of arrival."""
        self._queues[host] = HostQueue(ids.tobytes(), scores.tobytes())
        self._position[ids] = np.arange(len(ids))
        self._refresh(host)

    def _next_batch(self) -> list[int]:
        """The best N of all URLs, held or not. They lie on N hosts at most: those with the N best top scores."""
        hosts = np.flatnonzero(self._top.values >= self.floor)
        hosts = hosts[ranked(self._top[hosts], self._top_order[hosts], self.batch)]
        ids, scores = gather([queue for host in hosts.tolist() if (queue := self._queues[host])])
        enough = scores >= self.floor
        ids, scores = ids[enough], scores[enough]
        best: list[int] = ids[ranked(scores, self._order[ids], self.batch)].tolist()
        return best

    def _left_of_batch(self) -> list[int]:
        """The rest of the batch; a URL that has fallen below the floor no longer belongs to it."""
        return [url for url in self._batch if self.floor == LOWEST or self.score(url) >= self.floor]

    def _best_of_batch(self) -> int | None:
        batch = self._left_of_batch() or self._next_batch()
        hosts = self._host[batch].tolist()
        in_batch = np.zeros(len(self._top.values), bool)
        in_batch[hosts] = True
        closed = self._held.union(self._barred_hosts(in_batch))
        return next((url for url, host in zip(batch, hosts, strict=True) if host not in closed), None)

    def _barred_hosts(self, choice: NDArray[np.bool_]) -> list[int]:
        """Hosts that may not come next under the rule of distinct hosts.

        Those of the last picks, from the latest back, as long as another host is left. ``choice`` says of each host whether
        any of its URLs may come next; held hosts count. While fetches are under way most hosts are held: if only ready hosts
        counted, the crawl would take the quickest host again and again.
        """
        others = int(np.count_nonzero(choice))
        barred: list[int] = []
        for host in reversed(self._recent):
            if choice[host] and host not in barred:
                others -= 1
                if not others:
                    break
                barred.append(host)
        return barred

    def _refresh(self, host: int) -> None:
        """Note the best of a host after its queue has changed."""
        queue = self._queues[host]
        top = GONE
        if queue:
            top = queue.scores[queue.best]
            self._top_order[host] = self._order[queue.ids[queue.best]]
        self._top[host] = top
        self._ready[host] = GONE if host in self._held else top

    def _make_room(self, url: int, host: int) -> None:
        self._columns.reach(url + 1)
        self._grow_hosts(host)

    def _grow_hosts(self, host: int) -> None:
        self._hosts.reach(host + 1)
        if host >= len(self._queues):
            self._queues.extend([None] * (host + 1 - len(self._queues)))


def gather(queues: Sequence[HostQueue]) -> tuple[NDArray[np.int32], FloatArray]:
    """Return ids and scores of all URLs that wait in these queues; queue after queue, first in first."""
    ids = np.frombuffer(b"".join([queue.ids for queue in queues]), np.int32)
    scores = np.frombuffer(b"".join([queue.scores for queue in queues]), np.float64)
    waits = scores != GONE
    return ids[waits], scores[waits]


def grouped(hosts: IntArray) -> tuple[IntArray, list[int], IntArray]:
    """Return an order that brings the same hosts together, where each begins in this order, and these hosts."""
    order = np.argsort(hosts, kind="stable")
    starts = np.flatnonzero(np.diff(hosts[order], prepend=-1))
    return order, starts.tolist(), hosts[order[starts]]


def ranked(scores: FloatArray, orders: IntArray, count: int) -> IntArray:
    """Return the positions of the ``count`` highest scores, best first; of equal scores the lowest order is best."""
    candidates = np.arange(len(scores))
    if count < len(scores):
        candidates = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
    order = np.lexsort((orders[candidates], -scores[candidates]))
    return candidates[order[:count]]
