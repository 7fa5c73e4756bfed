"""What a trap of the trap web is: pages without end, each made from its URL and a seed alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar
from urllib.parse import urlsplit

from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_good import GoodPage, GoodWeb, Site, domain
from lab.webs.traps_text import (
    FRESH,
    LAYOUTS,
    SUFFIXES,
    Content,
    Link,
    Prose,
    Template,
    html,
    spinner,
    stuffed,
    words_of,
)

ENTRANCES = 8  #: good pages that lead into a trap
SOURCES = 60  #: good articles that spun text is made of


@dataclass(frozen=True)
class Ground:
    """Where traps are set: beside a good web, for its topic."""

    good: GoodWeb
    seed: int

    @property
    def topic(self) -> str:
        return self.good.topic

    @cached_property
    def spun(self) -> Callable[[Random, int], str]:
        """Makes text of so many words out of that of good articles."""
        return spinner([" ".join(self.good.content(page).paragraphs) for page in self.good.relevant[:SOURCES]])


class Trap(ABC):
    """One trap.

    variant : which one of its kind; those of a kind differ in names, words and template

    A kind may have a number of hosts (`size`, each a registered domain), which share some `addresses`.

    Attributes
    ----------
    hosts : that are its own, by exact name
    zone : registered domain whose every name is its own; empty: none
    site : good site on which it lies instead, None if it has hosts of its own
    takes_all : it answers to whatever nobody else on its host answers to
    """

    kind: ClassVar[str]
    size: ClassVar[int] = 1
    addresses: ClassVar[int] = 1
    in_texts: ClassVar[bool] = False  #: links of `on_pages` stand in the text of those pages, not in comments

    def __init__(self, ground: Ground, variant: int) -> None:
        self.ground, self.variant = ground, variant
        self.seed = f"{ground.seed} {self.kind} {variant}"
        self.random = Random(self.seed)
        self.words = words_of(ground.topic)
        self.host = domain(self.random)
        self.zone = ""
        self.site: Site | None = None
        self.takes_all = False
        self.layout = self.random.randrange(100)
        self.hosts = self.drawn_hosts()

    @abstractmethod
    def answer(self, url: str) -> Answer | None:
        """What it says to a URL on a host of its own, or on its good site where no good page is; None: nothing."""

    @abstractmethod
    def doors(self, random: Random) -> Sequence[Link]:
        """Links into it. They stand in the comments of good pages, and in the menu of the good site on which it lies."""

    def on_pages(self) -> Iterable[tuple[GoodPage, Link]]:
        """Further links into it: each on a good page of its own."""
        return ()

    def original(self, url: str) -> GoodPage | None:
        """The good article of which a page is a copy."""
        return None

    def address(self, host: str) -> int:
        """Which of its addresses a host has."""
        return self.hosts.index(host) % self.addresses if host in self.hosts else 0

    def drawn_hosts(self) -> tuple[str, ...]:
        """Names for hosts of its own."""
        return tuple(domain(self.random) for _ in range(self.size)) if self.size > 1 else (self.host,)

    # For those who make pages.

    @property
    def root(self) -> str:
        return f"http://{self.hosts[0]}"

    def on_good_site(self) -> None:
        """Lie on a good site that writes about the topic, and on others, instead of a host of its own."""
        sites = [site for site in self.ground.good.sites.values() if site.topics.get(self.ground.topic)]
        self.site = self.random.choice(sites)
        self.host, self.hosts = self.site.host, ()

    def of(self, url: str) -> Random:
        """Chance of a page, the same whenever it is asked for."""
        return Random(f"{self.seed} {url}")

    def prose(self, random: Random, least: int = 3, most: int = 6) -> str:
        return Prose(self.ground.topic, random).sentences(least, most)

    def stuffing(self, random: Random, count: int = 120) -> str:
        return stuffed(self.ground.topic, random, count)

    def keyword(self, random: Random) -> str:
        return random.choice(self.words.keywords)

    @cached_property
    def template(self) -> Template:
        if self.site:
            return self.ground.good.template(self.site)
        menu = [Link("/", "Start"), *(Link(f"http://{host}/", self.keyword(self.of(host))) for host in self.hosts[1:4])]
        return Template(self.host.partition(".")[0].capitalize(), self.layout, menu, (), "All rights reserved.")

    def page(self, content: Content, status: int = 200) -> Answer:
        return html_answer(html(self.template, content), status)

    def some_articles(self, count: int) -> list[GoodPage]:
        """Good articles about the topic, drawn at random."""
        relevant = self.ground.good.relevant
        return self.random.sample(relevant, min(count, len(relevant)))


class GuestTrap(Trap):
    """A trap on a good site."""

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.on_good_site()

    @cached_property
    def pages(self) -> dict[str, GoodPage]:
        """The articles of that site, by URL."""
        return {page.url: page for page in self.ground.good.articles if page.site.host == self.host}

    def some_pages(self, random: Random, count: int) -> list[str]:
        """URLs of some of them, each once."""
        return random.sample(sorted(self.pages), min(count, len(self.pages)))

    def shown(self, page: GoodPage, links: list[Link], head: str = "") -> Content:
        """What a good article says, with other links."""
        copied = self.ground.good.content(page)
        return Content(page.title, copied.paragraphs, listed=links, head=head)


def path_of(url: str) -> str:
    return urlsplit(url).path


def segments(url: str) -> list[str]:
    """The parts of a URL's path that are not empty."""
    return [part for part in path_of(url).split("/") if part]


IMPRINTS = ("All rights reserved.", "Privacy policy", "Contact us", "Terms of use", "About this site")


class FreshTrap(Trap):
    """A trap on hosts of its own, as many as its size."""

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.host = self.hosts[0]

    def drawn_hosts(self) -> tuple[str, ...]:
        return tuple(domain(self.random, SUFFIXES[FRESH]) for _ in range(self.size))

    @cached_property
    def template(self) -> Template:
        return super().template if self.site else self.template_of(self.host, self.seed)

    def template_of(self, host: str, look: str) -> Template:
        """What the pages of a host have in common; pages with the same look have the same layout."""
        random = self.of(f"template {look}")
        menu = [Link("/", "Home"), *(Link(f"/{word}", word.capitalize()) for word in self.menu)]
        imprint = f"{host} - {' - '.join(random.sample(IMPRINTS, 3))}"
        return Template(host.partition(".")[0].capitalize(), random.randrange(100), menu, (), imprint, LAYOUTS[FRESH])

    #: Pages that its menu leads to, beside its home page.
    menu: Sequence[str] = ()

    def address(self, host: str) -> int:
        """Each host has its own unless a trap says otherwise."""
        return self.hosts.index(host) if host in self.hosts else 0


class FreshGuest(GuestTrap):
    """A trap on a good site, into which a link stands on each of its articles."""

    def link_to(self, page: GoodPage) -> Link:
        """The link into the trap that stands on an article."""
        raise NotImplementedError

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        return ((page, self.link_to(page)) for page in self.pages.values())


def with_parameter(url: str, parameter: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{parameter}"
