"""Where the pages of a synthetic web stand: topics, sites and URLs, all by arithmetic, so that nothing is stored.

Each topic has articles of rank 0, 1, ...: the lower, the more links lead there. Articles are dealt out to the topic's sites in
the order of rank, so that the first ones are home pages. A site is one entity with a host of its own; directories list sites.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property

from focused.reading.urls import host_of

ARTICLES_PER_SITE = 20  #: about as many, home page included
SITES_PER_DIRECTORY = 40  #: of the directory's topic; a directory is one page
DIRECTORIES_PER_HOST = 10
ODD_ONE_IN = 25  #: one site in so many is a trap; as many have a mirror; as many are slow
TRAP, MIRROR, SLOW = range(3)  #: remainders that tell them apart
SLOWEST = 10  #: seconds that a slow host takes longer

_SITE = re.compile(r"http://(site|mirror)([0-9]{1,9})\.example/(?:([1-9][0-9]{0,8})|calendar/([0-9]{1,9}))?")
_DIRECTORY = re.compile(r"http://directory([0-9]{1,9})\.example/([0-9])")
_HOST = re.compile(r"(site|mirror|directory)(0|[1-9][0-9]{0,8})\.example")


@dataclass(slots=True, frozen=True)
class Article:
    """A page about its topic."""

    topic: int
    rank: int


@dataclass(slots=True, frozen=True)
class Directory:
    """A neutral hub: a page that lists the home pages of many sites."""

    number: int


@dataclass(slots=True, frozen=True)
class Day:
    """A page of an endless calendar."""

    site: int
    number: int


Place = Article | Directory | Day


@dataclass(frozen=True)
class SyntheticMap:
    """The plan of a web of so many topics with so many articles each.

    Attributes
    ----------
    sites, directories : how many there are; both are numbered, and number % topics is the topic
    """

    topics: int
    ranks: int  #: articles of each topic

    @property
    def sites_per_topic(self) -> int:
        return -(-self.ranks // ARTICLES_PER_SITE)

    @property
    def sites(self) -> int:
        return self.topics * self.sites_per_topic

    @property
    def directories(self) -> int:
        return self.topics * -(-self.sites_per_topic // SITES_PER_DIRECTORY)

    def site(self, article: Article) -> int:
        return article.rank % self.sites_per_topic * self.topics + article.topic

    def home(self, site: int) -> Article:
        return Article(site % self.topics, site // self.topics)

    def next_in_site(self, article: Article) -> Article | None:
        rank = article.rank + self.sites_per_topic
        return Article(article.topic, rank) if rank < self.ranks else None

    def directory_of(self, site: int) -> Directory:
        """The directory that lists a site."""
        return Directory(site // self.topics // SITES_PER_DIRECTORY * self.topics + site % self.topics)

    def listed(self, directory: Directory) -> range:
        """Sites of the directory's topic that it lists."""
        block, topic = divmod(directory.number, self.topics)
        first = block * SITES_PER_DIRECTORY
        last = min(first + SITES_PER_DIRECTORY, self.sites_per_topic)
        return range(first * self.topics + topic, last * self.topics, self.topics)

    def url(self, place: Place) -> str:
        """The canonical URL of a page."""
        match place:
            case Article():
                number = place.rank // self.sites_per_topic
                return f"http://site{self.site(place)}.example/{number or ''}"
            case Directory():
                host, number = divmod(place.number, DIRECTORIES_PER_HOST)
                return f"http://directory{host}.example/{number}"
            case Day():
                return f"http://site{place.site}.example/calendar/{place.number}"

    def mirror_url(self, article: Article) -> str | None:
        """The URL of an exact copy, None where the site has no mirror."""
        return self.url(article).replace("//site", "//mirror") if is_odd(self.site(article), MIRROR) else None

    def place(self, url: str) -> Place | None:
        """What stands at a canonical URL, mirrors included; None for a URL that no page has."""
        if host_of(url) not in self.hosts:
            return None
        if found := _DIRECTORY.fullmatch(url):
            number = int(found[1]) * DIRECTORIES_PER_HOST + int(found[2])
            return Directory(number) if number < self.directories else None
        found = _SITE.fullmatch(url)
        if not found:
            return None
        site = int(found[2])
        if found[4] is not None:
            return Day(site, int(found[4])) if is_odd(site, TRAP) and found[1] == "site" else None
        rank = int(found[3] or 0) * self.sites_per_topic + site // self.topics
        return Article(site % self.topics, rank) if rank < self.ranks else None

    def articles(self, topic: int) -> Iterator[Article]:
        return (Article(topic, rank) for rank in range(self.ranks))

    @cached_property
    def hosts(self) -> Set[str]:
        return Hosts(self)


class Hosts(Set[str]):
    """Names of all hosts, none of which is stored."""

    def __init__(self, plan: SyntheticMap) -> None:
        self._plan = plan
        self._directory_hosts = -(-plan.directories // DIRECTORIES_PER_HOST)

    def __contains__(self, host: object) -> bool:
        found = _HOST.fullmatch(host) if isinstance(host, str) else None
        if not found:
            return False
        kind, number = found[1], int(found[2])
        if kind == "directory":
            return number < self._directory_hosts
        return number < self._plan.sites and (kind == "site" or is_odd(number, MIRROR))

    def __iter__(self) -> Iterator[str]:
        yield from (f"directory{number}.example" for number in range(self._directory_hosts))
        for site in range(self._plan.sites):
            yield f"site{site}.example"
            if is_odd(site, MIRROR):
                yield f"mirror{site}.example"

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        return sum(1 for _ in self)


def is_odd(site: int, kind: int) -> bool:
    """Whether a site is one of a kind (TRAP, MIRROR, SLOW): scattered over the topics, whatever their number."""
    return _scattered(site) % ODD_ONE_IN == kind


def slowness(host: str) -> float:
    """Seconds that a host takes longer to answer than others: 0, or 1 to `SLOWEST`."""
    found = _HOST.fullmatch(host)
    if not found or found[1] != "site" or not is_odd(int(found[2]), SLOW):
        return 0.0
    return 1.0 + _scattered(int(found[2]) + 1) % SLOWEST


def _scattered(number: int) -> int:
    """A hash of 32 bits, so that neighbours share nothing (the finaliser of MurmurHash3, A. Appleby, 2011)."""
    number = (number ^ number >> 16) * 0x85EBCA6B & 0xFFFF_FFFF
    number = (number ^ number >> 13) * 0xC2B2AE35 & 0xFFFF_FFFF
    return number ^ number >> 16
