"""Traps of the third set that live from links: lists of sites, domains that expired, boards that collect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from urllib.parse import parse_qs, quote, quote_plus, urlsplit

from focused.reading.urls import host_of
from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_fresh import FreshTrap
from lab.webs.traps_good import GoodPage
from lab.webs.traps_html import Content, Link, html
from lab.webs.traps_sites import word
from lab.webs.traps_text import Prose, slug
from lab.webs.traps_trap import path_of, segments


class TopLists(FreshTrap):
    """Lists of the best sites, each of which sends its visitors to the others, and members without end."""

    kind = "top_lists"
    size = 10
    menu = ("join", "rules")

    def answer(self, url: str) -> Answer | None:
        path, random = path_of(url), self.of(url)
        given = {key: values[0] for key, values in parse_qs(urlsplit(url).query).items()}
        number = given.get("id", "")
        if path == "/out.php" and number.isdecimal():
            return Answer(302, (("Location", self._rank(random, random.choice(self.hosts)).url),), b"")
        if path == "/details.php" and number.isdecimal():
            text = f"Member {number} of {self.words.name}: {self.prose(random, 1, 1)} Votes: {random.randint(0, 999)}."
            links = [Link(f"/out.php?id={number}", "visit"), *(self._rank(random, host_of(url)) for _ in range(3))]
            return html_answer(
                html(self.template_of(host_of(url), host_of(url)), Content(f"Site {number}", [text], listed=links))
            )
        if path not in ("/", "/rank.php", "/join", "/rules"):
            return None
        links = []
        for place in range(8):
            member, noun = random.randrange(10**6), random.choice(self.words.nouns)
            told = (
                f"#{place + 1}: {word(random, 2).capitalize()}, the {random.choice(self.words.adjectives)} {noun} site."
            )
            links.append(Link(f"/{random.choice(('out', 'details'))}.php?id={member}", noun, told))
        links += [self._rank(random, random.choice([host_of(url), *self.hosts])) for _ in range(4)]
        title = f"Top {self.words.name} sites: {given.get('cat', 'all').replace('-', ' ')}"
        return html_answer(html(self.template_of(host_of(url), host_of(url)), Content(title, listed=links)))

    def _rank(self, random: Random, host: str) -> Link:
        noun = random.choice(self.words.nouns)
        return Link(
            f"http://{host}/rank.php?cat={slug(noun)}&start={random.randrange(0, 4000, 10)}", f"top {noun} sites"
        )

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._rank(random, host) for host in self.hosts[:6]]


class ExpiredDomains(FreshTrap):
    """Domains of sites that were good once, to which texts of good articles still lead; some send all to one page of offers."""

    kind = "expired_domains"
    in_texts = True
    size, addresses = 25, 3
    linked = 45  #: good articles that still cite one of them

    def answer(self, url: str) -> Answer | None:
        host, random = host_of(url), self.of(url)
        if self._sends_on(host) and path_of(url) != "/lander":
            asked = quote(url.partition(host)[2], safe="")
            return Answer(302, (("Location", f"http://{host}/lander?oref={asked}"),), b"")
        asked = parse_qs(urlsplit(url).query).get("q", [self.keyword(random)])[0]
        nouns = random.sample(self.words.nouns, 7)
        links = [
            Link(f"http://{host}/lander?q={quote_plus(noun)}&token={random.getrandbits(48):x}", noun.title())
            for noun in nouns
        ]
        text = [f"{host} - {asked}", "This page is provided courtesy of the registrar. The owner can renew the domain."]
        return html_answer(html(self.template_of("Related searches", "all"), Content(host, text, listed=links)))

    def _sends_on(self, host: str) -> bool:
        return self.hosts.index(host) % 2 == 1

    def _cited(self, number: int) -> Link:
        """An article that was there once."""
        random = self.of(f"cited {number}")
        title = Prose(self.ground.topic, random).title()
        form = random.choice(("/articles/{}.html", "/{}", "/node/{}"))
        return Link(f"http://{self.hosts[number % self.size]}{form.format(slug(title))}", title)

    def on_pages(self) -> Iterator[tuple[GoodPage, Link]]:
        citing = [page for page in self.ground.good.relevant if page.inline]
        chosen = self.of("citing").sample(citing, min(self.linked, len(citing)))
        return ((page, self._cited(number)) for number, page in enumerate(chosen))

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._cited(number) for number in range(8)]

    def address(self, host: str) -> int:
        return super().address(host) % self.addresses


class Aggregator(FreshTrap):
    """Boards on which members collect what others wrote: each page leads to good articles, and to more boards and collected things.

    The same article is collected again and again, under a number of its own each time, and boards are made of any two words.
    """

    kind = "aggregator"
    menu = ("explore",)

    def answer(self, url: str) -> Answer | None:
        parts, random = segments(url), self.of(url)
        if parts[:1] == ["item"] and len(parts) == 2 and parts[1].isdecimal():
            return self._item(random)
        if parts[:1] not in ([], ["explore"], ["board"]):
            return None
        items = [self._link(random) for _ in range(6)]
        originals = [Link(page.url, page.title, "via") for page in random.sample(self.ground.good.relevant, 2)]
        name = " and ".join(part.replace("-", " ") for part in parts[1:]) or self.words.name
        return self.page(Content(f"{name.capitalize()}: ideas", listed=[*items, *originals, *self._boards(random)]))

    def _item(self, random: Random) -> Answer:
        page = random.choice(self.ground.good.relevant)
        start = self.ground.good.content(page).paragraphs[0].split(". ")[0]
        links = [
            Link(page.url, f"Read on: {page.title}"),
            *(self._link(random) for _ in range(5)),
            *self._boards(random),
        ]
        text = f"{start} ... {word(random, 2).capitalize()} collected this, and {random.randint(2, 90)} like it."
        return self.page(Content(page.title, [text], listed=links))

    def _link(self, random: Random) -> Link:
        page = random.choice(self.ground.good.relevant)
        return Link(f"{self.root}/item/{random.randrange(10**8, 10**9)}", page.title)

    def _boards(self, random: Random) -> list[Link]:
        pairs = [random.sample(self.words.nouns, 2) for _ in range(3)]
        return [Link(f"{self.root}/board/{slug(one)}/{slug(other)}", f"{one} and {other}") for one, other in pairs]

    def doors(self, random: Random) -> Sequence[Link]:
        return [*self._boards(random), *(self._link(random) for _ in range(3))]
