"""A frontier that a reader sees to be right: one list, sorted anew for every question. For tests only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Entry:
    url: int
    host: int
    score: float
    parts: list[float]
    arrival: int


class NaiveFrontier:
    """Says the same as `focused.crawl.frontier.Frontier`, slowly."""

    def __init__(self, *, cap: int = 0, batch: int = 1, distinct_hosts: int = 0) -> None:
        self.cap, self.batch_size, self.distinct_hosts = cap, batch, distinct_hosts
        self.entries: list[Entry] = []
        self.arrivals = 0
        self.held: set[int] = set()
        self.batch: list[int] = []
        self.picked_hosts: list[int] = []

    def ranking(self) -> list[Entry]:
        return sorted(self.entries, key=lambda entry: (-entry.score, entry.arrival))

    def entry(self, url: int) -> Entry | None:
        return next((entry for entry in self.entries if entry.url == url), None)

    def offer(self, url: int, host: int, score: float, parts: list[float], *, replace: bool = False) -> bool:
        waiting = self.entry(url)
        if waiting is None:
            self.entries.append(Entry(url, host, score, parts, self.arrivals))
            self.arrivals += 1
            return True
        if score <= waiting.score and not replace:
            return False
        waiting.score, waiting.parts = score, parts
        return True

    def rescore(self, scores: dict[int, float], parts: list[list[float]]) -> None:
        for (url, score), some in zip(scores.items(), parts, strict=True):
            entry = self.entry(url)
            assert entry is not None
            entry.score, entry.parts = score, some

    def best(self) -> int | None:
        choice = [entry for url in self.next_batch() if (entry := self.entry(url))]
        hosts = self.hosts_that_may_follow({entry.host for entry in choice}) - self.held
        return next((entry.url for entry in choice if entry.host in hosts), None)

    def hosts_that_may_follow(self, hosts: set[int]) -> set[int]:
        """Without the hosts of the last k - 1 picks; where that leaves none, of the last k - 2, and so on."""
        for length in range(self.distinct_hosts - 1, 0, -1):
            others = hosts - set(self.picked_hosts[-length:])
            if others:
                return others
        return hosts

    def next_batch(self) -> list[int]:
        """What may be taken now, best first; without batches all that waits."""
        ranking = [entry.url for entry in self.ranking()]
        if self.batch_size <= 1:
            return ranking
        return self.batch or ranking[: self.batch_size]

    def take(self, url: int) -> None:
        entry = self.entry(url)
        assert entry is not None
        self.batch = self.next_batch()
        self.remove(url)
        self.picked_hosts.append(entry.host)

    def remove(self, url: int) -> None:
        self.entries = [entry for entry in self.entries if entry.url != url]
        self.batch = [other for other in self.batch if other != url]

    def drop_host(self, host: int) -> list[int]:
        dropped = [entry.url for entry in self.entries if entry.host == host]
        for url in dropped:
            self.remove(url)
        return dropped

    def evict(self) -> list[int]:
        if not self.cap or len(self.entries) <= self.cap + self.cap // 64:
            return []
        evicted = [entry.url for entry in self.ranking()[self.cap :]][::-1]
        for url in evicted:
            self.remove(url)
        return evicted
