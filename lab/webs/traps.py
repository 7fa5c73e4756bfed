"""The trap web: a good web among traps without end, to show how much of a crawl they take and what it believes of itself.

Every page is made anew from its URL and the seed. It knows the truth: which pages are relevant, which are traps, of which kind,
and of which good article a page is a copy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from random import Random

from ada_url import join_url

from focused.exceptions import WebError
from focused.page.urls import host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.traps_fresh_hosts import (
    Aggregator,
    Calculators,
    CatalogueSearch,
    ExpiredDomains,
    MachineWritten,
    MapViews,
    ReviewFarm,
    SnippetSubdomains,
    TopLists,
)
from lab.webs.traps_fresh_sites import (
    ClubDiary,
    GonePages,
    MissingScheme,
    ReturnAddresses,
    Revisions,
    StagingCopy,
    SymlinkLoop,
    VisitorNumbers,
    WebArchive,
)
from lab.webs.traps_good import MANNERS, GoodWeb
from lab.webs.traps_seen_sites import (
    Calendar,
    Declared,
    Facets,
    FreshSegments,
    IdleParameters,
    Permutations,
    Redirects,
    RelativeBug,
    RepeatedSegments,
    Sessions,
    Versions,
)
from lab.webs.traps_seen_texts import (
    CanonicalLie,
    Copied,
    Farm,
    HackedSection,
    HiddenLinks,
    LinkExchange,
    Mirror,
    Parked,
    RelatedSearches,
    SoftNotFound,
    Spun,
    Wildcard,
)
from lab.webs.traps_text import DATA, FRESH, SEEN, SUFFIXES, Link, words_of
from lab.webs.traps_trap import ENTRANCES, Ground, Trap

#: Kinds of each set, and how many traps of each there are.
KINDS: Mapping[str, Mapping[type[Trap], int]] = {
    SEEN: {
        RepeatedSegments: 2,
        FreshSegments: 2,
        RelativeBug: 1,
        Calendar: 2,
        Permutations: 1,
        IdleParameters: 2,
        Sessions: 2,
        Farm: 2,
        Wildcard: 2,
        LinkExchange: 1,
        Parked: 1,
        Mirror: 2,
        SoftNotFound: 4,
        Spun: 2,
        Copied: 1,
        RelatedSearches: 1,
        HiddenLinks: 1,
        HackedSection: 2,
        CanonicalLie: 1,
        Declared: 1,
        Versions: 1,
        Facets: 1,
        Redirects: 2,
    },
    FRESH: {
        SymlinkLoop: 1,
        MissingScheme: 1,
        CatalogueSearch: 1,
        ClubDiary: 2,
        VisitorNumbers: 3,
        ReturnAddresses: 1,
        MapViews: 1,
        Calculators: 1,
        ReviewFarm: 2,
        SnippetSubdomains: 2,
        MachineWritten: 1,
        TopLists: 1,
        ExpiredDomains: 1,
        Aggregator: 1,
        StagingCopy: 2,
        WebArchive: 1,
        Revisions: 1,
        GonePages: 4,
    },
}
SETS = tuple(KINDS)
PREFIX = "traps"  #: what such a web is called by, as in ``traps:good=200,seed=1``
LIMITS = {"good": (5, 20_000), "others": (0, 100_000), "seed": (0, 2**32)}
NONE = "none"  #: as the only kind: no trap at all
THRESHOLD = 0.2  #: of relevance: nearly all articles about the topic lie above, nearly all others below
SPAMMED = 0.7  #: share of the entrances to traps that stand on pages about the topic
SHARED_ADDRESS = 5  #: one site in so many is behind one address, as with a content delivery network


def kinds(chosen: str) -> dict[str, type[Trap]]:
    """The kinds of a set by name."""
    return {kind.kind: kind for kind in KINDS[chosen]}


def _traps(ground: Ground, chosen: str, only: Sequence[str]) -> list[Trap]:
    """The traps of a set, of these kinds only; without any, of all."""
    wanted = [(kind, count) for kind, count in KINDS[chosen].items() if not only or kind.kind in only]
    return [kind(ground, variant) for kind, count in wanted for variant in range(count)]


@dataclass(slots=True, frozen=True)
class TrapOptions:
    """What kind of trap web; raises WebError for what it cannot be.

    good, others : articles about the topic, and about other things
    set : which set of traps
    only : kinds of traps, separated by ``+``; empty: all; ``none``: no trap
    """

    good: int = 200
    others: int = 1100
    seed: int = 1
    set: str = SEEN
    only: str = ""

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            if not least <= getattr(self, name) <= most:
                raise WebError(f"{PREFIX}: {name}={getattr(self, name)}: give a number from {least:,} to {most:,}")
        if self.set not in SETS:
            raise WebError(f"{PREFIX}: set={self.set}: choose from {', '.join(SETS)}")
        for kind in self.kinds:
            if kind not in kinds(self.set):
                raise WebError(
                    f"{PREFIX}: only={kind}: no such trap in this set: choose from {', '.join(kinds(self.set))}"
                )

    @property
    def kinds(self) -> list[str]:
        return [] if self.only == NONE else list(filter(None, self.only.split("+")))

    @property
    def topic(self) -> str:
        """The key of the topic that is looked for."""
        topics: Sequence[str] = DATA["sets"][self.set]["topics"]
        return topics[self.seed % len(topics)]


OPTIONS = ("good", "others", "seed", "set", "only")


def trap_options(given: Mapping[str, str]) -> TrapOptions:
    """The options of a web's name. Raises WebError."""
    for name in LIMITS.keys() & given.keys():
        if not (given[name].isascii() and given[name].isdecimal()):
            raise WebError(f"{PREFIX}: {name}={given[name]!r}: give a number")
    return TrapOptions(**{name: int(text) if name in LIMITS else text for name, text in given.items()})  # type: ignore[arg-type]


class TrapWeb:
    """The web.

    Attributes
    ----------
    good : the good part of it
    traps : all traps
    """

    def __init__(self, options: TrapOptions | None = None) -> None:
        self.options = options = options or TrapOptions()
        self.good = GoodWeb(options.topic, options.good, options.others, options.seed, MANNERS[options.set])
        ground = Ground(self.good, options.seed)
        self.traps: Sequence[Trap] = () if options.only == NONE else _traps(ground, options.set, options.kinds)
        self._by_host: dict[str, list[Trap]] = {}
        self._by_zone = {trap.zone: trap for trap in self.traps if trap.zone}
        for trap in self.traps:
            for host in trap.hosts or (() if trap.zone else (trap.host,)):
                self._by_host.setdefault(host, []).append(trap)
        for owners in self._by_host.values():
            owners.sort(key=lambda trap: trap.takes_all)
        self._open_doors()

    @cached_property
    def hosts(self) -> Set[str]:
        return TrapHosts(
            (*self.good.sites, *(host for host in self._by_host if host not in self.good.sites)), self._by_zone
        )

    @property
    def topic(self) -> dict[str, str]:
        """Arguments of a crawl for the topic: keywords, seeds, and a threshold that tells articles about it from others."""
        keywords = ",".join(words_of(self.options.topic).keywords)
        return {"keywords": keywords, "seeds": ",".join(self.good.seeds), "threshold": str(THRESHOLD)}

    @property
    def seeds(self) -> Mapping[str, str]:
        """What `serve-web` tells a person: seeds of the topic, numbered."""
        name = words_of(self.options.topic).name
        return {f"{name} ({number})": url for number, url in enumerate(self.good.seeds, 1)}

    def urls(self) -> Iterator[str]:
        """The good pages, which have an end."""
        return iter(self.good.pages)

    def answer(self, url: str) -> Answer | None:
        asked = as_asked(url)
        if asked is None or host_of(asked) not in self.hosts:
            return None
        if not asked.startswith(f"http://{host_of(asked)}/"):  # another port, or https
            return not_found(url)
        if page := self.good.pages.get(asked):
            return html_answer(self.good.html(page))
        found = None if asked.endswith("/robots.txt") else self._trapped(asked)
        return found[1] if found else not_found(url)

    def relevant_urls(self) -> Iterator[str]:
        """The truth: all good articles about the topic."""
        return (page.url for page in self.good.relevant)

    def kind_of_trap(self, url: str) -> str | None:
        """The kind of trap that a URL belongs to; None for a good page and for one that is not there."""
        if url in self.good.pages:
            return None
        found = self._trapped(url)
        return found[0].kind if found else None

    def is_trap(self, url: str) -> bool:
        return self.kind_of_trap(url) is not None

    def original_of(self, url: str) -> str | None:
        """The good article that a URL shows: itself or, of a copy, another; None for any other page."""
        if page := self.good.pages.get(url):
            return page.url if page.topic else None
        found = self._trapped(url)
        copied = found[0].original(url) if found else None
        return copied.url if copied else None

    def address(self, host: str) -> str:
        """The address that a host of this web has: made up, and nobody is ever asked there.

        Traps of many names are on few addresses. So are good sites: the blogs of a platform are on one, and some sites share
        that of a network that delivers for them, behind which some traps hide, too.
        """
        trap = self._by_zone.get(_zone(host, self._by_zone)) or next(iter(self._by_host.get(host, ())), None)
        if host in self.good.sites or trap is None:
            above = host.partition(".")[2]
            owner = above if "." in above and above not in SUFFIXES[SEEN] else host
            return _ip("shared" if _number(owner) % SHARED_ADDRESS == 0 else owner)
        return _ip("shared" if _number(trap.seed) % SHARED_ADDRESS == 0 else f"{trap.seed} {trap.address(host)}")

    def _trapped(self, url: str) -> tuple[Trap, Answer] | None:
        """The trap that has a page at a URL, and that page."""
        host = host_of(url)
        owners = self._by_host.get(host, [])
        if zone := _zone(host, self._by_zone):
            owners = [self._by_zone[zone]]
        return next(((trap, answer) for trap in owners if (answer := trap.answer(url)) is not None), None)

    def _open_doors(self) -> None:
        """Put the links into traps on good pages: in comments, in the menu of the good site where one lies, in a footer."""
        random = Random(f"doors {self.options.seed}")
        for trap in self.traps:
            doors = trap.doors(trap.of("doors"))
            if trap.site:
                self.good.menus.setdefault(trap.site.host, []).append(doors[0])
            else:
                self.good.footers.setdefault(random.choice(self.good.relevant).site.host, []).append(doors[0])
            for page, link in trap.on_pages():
                (page.inline if trap.in_texts else page.comments).append(link)
            for number in range(ENTRANCES):
                door = doors[number % len(doors)]
                page = random.choice(self.good.relevant if random.random() < SPAMMED else self.good.articles)
                sentence, in_list = random.choice(DATA["sets"][self.options.set]["spam"])
                link = Link(door.url, door.text, sentence.format(words_of(self.options.topic).name))
                (page.listed if in_list else page.comments).append(link)


def as_asked(url: str, base: str = "about:blank") -> str | None:
    """The URL that a browser asks for: as it is linked, whatever a crawler makes of it; None if it is no URL of the Web."""
    try:
        joined = join_url(base, url).partition("#")[0]
    except ValueError:
        return None
    return joined if joined.startswith(("http://", "https://")) else None


class TrapHosts(Set[str]):
    """Names of all hosts: those that can be listed, and any below the zones."""

    def __init__(self, listed: Sequence[str], zones: Mapping[str, object]) -> None:
        self._listed, self._zones = frozenset(listed), zones

    def __contains__(self, host: object) -> bool:
        return isinstance(host, str) and (host in self._listed or bool(_zone(host, self._zones)))

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._listed))

    def __len__(self) -> int:
        return len(self._listed)


def _zone(host: str, zones: Mapping[str, object]) -> str:
    """The zone that a host lies in, or is; empty if none."""
    while host:
        if host in zones:
            return host
        host = host.partition(".")[2]
    return ""


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "big")


def _ip(text: str) -> str:
    """An address that looks public, of whatever shares this text."""
    number = _number(text)
    return f"45.{number >> 16 & 255}.{number >> 8 & 255}.{1 + number % 254}"
