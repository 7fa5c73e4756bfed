"""Traps of many hosts: farms of stuffed pages, names without end below one domain, link exchanges, parked domains."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from focused.reading.urls import host_of
from focused.simulation.recorded_web import Answer
from lab.webs.traps_html import Content, Link
from lab.webs.traps_sites import word
from lab.webs.traps_text import slug
from lab.webs.traps_trap import Ground, Trap, path_of


class Farm(Trap):
    """Sites of many registered domains with one template: stuffed pages without end, all linked with each other."""

    kind = "farm"
    size, addresses = 40, 2

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        return self.page(Content(self.keyword(random), [self.text(random)], listed=self.links(random)))

    def text(self, random: Random) -> str:
        return self.stuffing(random)

    def links(self, random: Random) -> list[Link]:
        return [Link(self._any(random), random.choice(self.words.nouns)) for _ in range(10)]

    def _any(self, random: Random) -> str:
        return f"http://{random.choice(self.hosts)}/{slug(self.keyword(random))}-{random.randrange(10**6)}.html"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(self._any(random), self.keyword(random)) for _ in range(8)]


class Wildcard(Trap):
    """Any name below a domain answers, and leads to more such names; each has a home page and no more."""

    kind = "wildcard"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.hosts, self.zone = (), self.host

    def answer(self, url: str) -> Answer | None:
        random = self.of(host_of(url))
        links = [Link(f"http://{self.name(random)}.{self.zone}/", random.choice(self.words.nouns)) for _ in range(10)]
        content = Content(f"{self.keyword(random)} {host_of(url).partition('.')[0]}", listed=links)
        content.paragraphs = [self.stuffing(random, 60), self.prose(random)]
        return self.page(content)

    def name(self, random: Random) -> str:
        return f"{slug(random.choice(self.words.nouns))}-{word(random, 2)}"

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.name(random)}.{self.zone}/", self.keyword(random)) for _ in range(8)]


class LinkExchange(Farm):
    """Sites that do nothing but recommend each other, with the topic's words, in text that reads well."""

    kind = "link_exchange"
    size = 12

    def text(self, random: Random) -> str:
        return self.prose(random, 2, 4)

    def links(self, random: Random) -> list[Link]:
        partners = [Link(f"http://{host}/", self.keyword(random)) for host in random.sample(self.hosts, 6)]
        pages = [
            Link(f"http://{host}/partners/{random.randrange(500)}.html", f"{self.keyword(random)} partners")
            for host in random.sample(self.hosts, 4)
        ]
        return [*partners, *pages]


class Parked(Trap):
    """Domains that are for sale: one page each, whatever is asked for, with searches by the topic's words."""

    kind = "parked"
    size = 25

    def answer(self, url: str) -> Answer | None:
        host, random = host_of(url), self.of(url)
        name = path_of(url).strip("/").replace("-", " ") or self.words.name
        links = [Link(f"/{slug(noun)}", noun) for noun in random.sample(self.words.nouns, 6)]
        links += [Link(f"http://{other}/", self.keyword(random)) for other in random.sample(self.hosts, 3)]
        text = f"The domain {host} may be for sale. Sponsored listings: {name}, {self.stuffing(random, 12)}."
        return self.page(Content(f"{host}: {name}", [text], listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{host}/", self.keyword(random)) for host in self.hosts[:12]]
