"""Traps of the second set that are whole sites: content farms, doorways, invented directories, errors that look like pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from random import Random

from focused.reading.urls import host_of
from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_copies import Agreeing
from lab.webs.traps_html import Content, Link, Template, html
from lab.webs.traps_sites import word
from lab.webs.traps_text import Prose, slug
from lab.webs.traps_trap import Ground, GuestTrap, path_of, segments
from lab.webs.traps_unseen import ForeignTrap

REFRESH = "<!DOCTYPE html><title>Moment</title><meta http-equiv='refresh' content='0;url={}'><p>Weiter ...</p>"


class ContentFarm(ForeignTrap):
    """Many registered domains, each with a template of its own, full of text that reads well and is spun."""

    kind = "content_farm"
    size, addresses = 30, 5

    def answer(self, url: str) -> Answer | None:
        if segments(url)[:1] not in ([], ["a"]):
            return None
        random, host = self.of(url), host_of(url)
        text = [self.ground.spun(random, 60), self.prose(random), self.ground.spun(random, 40)]
        links = [self._link(random, host if place % 2 else random.choice(self.hosts)) for place in range(8)]
        content = Content(Prose(self.ground.topic, random).title(), text, listed=links)
        layout = self.of(host).randrange(100)
        return html_answer(html(Template(host, layout, [Link("/", host)], (), f"Editors of {host}."), content))

    def _link(self, random: Random, host: str) -> Link:
        return Link(f"http://{host}/a/{random.randrange(10**7)}", Prose(self.ground.topic, random).title())

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(self.of(host), host) for host in self.hosts[:8]]


class DeepWildcard(ForeignTrap):
    """Two names below a domain, both free; each host has a few pages."""

    kind = "deep_wildcard"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.hosts, self.zone = (), self.host

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        own = [Link(f"/{number}", random.choice(self.words.nouns)) for number in range(1, 4)]
        text = [self.prose(random), self.stuffing(random, 25)]
        return self.page(Content(self.keyword(random), text, listed=[*own, *(self._link(random) for _ in range(7))]))

    def _link(self, random: Random) -> Link:
        noun = random.choice(self.words.nouns)
        return Link(f"http://{slug(noun)}.{word(random, 2)}.{self.zone}/", noun)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(self.of(str(number))) for number in range(6)]


class Doorways(ForeignTrap):
    """A page for each town, all with the same text but for its name; there is no end of towns."""

    kind = "doorways"

    def answer(self, url: str) -> Answer | None:
        parts = segments(url)
        if parts[:1] != ["in"] or len(parts) != 2:
            return None
        town, random = parts[1].capitalize(), self.of("text")
        text = [self.prose(random, 5, 5).replace(" the ", f" the {town} ", 3) for _ in range(3)]
        text[0] = f"{self.words.name.capitalize()} in {town}: {text[0]}"
        chance = self.of(url)
        links = [self._link(chance) for _ in range(10)]
        return self.page(Content(f"{self.words.name.capitalize()} in {town}", text, listed=links))

    def _link(self, random: Random) -> Link:
        town = word(random, 2)
        return Link(f"{self.root}/in/{town}", f"{random.choice(self.words.keywords)} in {town.capitalize()}")

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(self.of(str(number))) for number in range(6)]


class FalseDirectories(ForeignTrap):
    """Directories on several domains that list each other's categories, which are made up as one asks for them."""

    kind = "false_directories"
    size = 8

    def answer(self, url: str) -> Answer | None:
        parts = segments(url)
        if parts[:1] not in ([], ["cat"]):
            return None
        random = self.of(url)
        links = [self._link(random, parts[1:3], random.choice(self.hosts)) for _ in range(10)]
        listed = [Link(link.url, link.text, self.prose(random, 1, 1)) for link in links]
        title = f"Directory: {' > '.join(part.replace('-', ' ') for part in parts[1:]) or self.words.name}"
        return self.page(Content(title, listed=listed))

    def _link(self, random: Random, parts: list[str], host: str) -> Link:
        noun = random.choice(self.words.nouns)
        return Link(f"http://{host}/cat/{'/'.join([*parts, slug(noun)])}/{random.randint(1, 99)}", noun)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(self.of(host), [], host) for host in self.hosts[:6]]


class ForSale(ForeignTrap):
    """Domains of a dealer, in German: any address is an offer, with searches by the topic's words."""

    kind = "for_sale"
    size = 20

    def answer(self, url: str) -> Answer | None:
        host, random = host_of(url), self.of(url)
        links = [Link(f"http://{other}/", f"{self.keyword(random)}") for other in random.sample(self.hosts, 5)]
        links += [Link(f"/angebot?thema={slug(noun)}", noun) for noun in random.sample(self.words.nouns, 5)]
        text = f"{host} steht zum Verkauf. Verwandte Themen: {self.stuffing(random, 15)}. Jetzt Angebot abgeben."
        return self.page(Content(f"{host} kaufen: {self.words.name}", [text], listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{host}/", self.keyword(self.of(host))) for host in self.hosts[:10]]


class SoftErrors(Agreeing, ForeignTrap):
    """Whatever is asked for is there. Variant 0 is sorry in German, 1 asks to log in, 2 shows good articles as results.

    Variant 3 is a good site that is sorry.
    """

    kind = "soft_errors"

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        nouns = random.sample(self.words.nouns, 8)
        links = [Link(f"/{word(random, 2)}/{slug(noun)}", noun) for noun in nouns]
        if self.form == 0:
            text = f"Leider gibt es die Seite {path_of(url)} nicht (mehr). Vielleicht hilft Ihnen: {', '.join(nouns)}."
            return self.page(Content(f"Fehler - {self.words.name}", [text], listed=links))
        if self.form == 1:
            text = (
                f"Please log in to read about {path_of(url).rpartition('/')[2].replace('-', ' ')}. {self.words.name}."
            )
            return self.page(Content(f"Members only: {self.words.name}", [text], listed=links))
        pages = random.sample(self.ground.good.relevant, 5)
        text = " ".join(f"{page.title}: {self.ground.good.content(page).paragraphs[0]}" for page in pages)
        return self.page(Content(f"5 matches for {nouns[0]}", [text], listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}/{slug(noun)}", noun) for noun in self.words.nouns[:6]]


class Refreshes(ForeignTrap):
    """Pages that send their visitor on by a meta refresh to a fresh one, two or three times, to a list of more."""

    kind = "refreshes"

    def answer(self, url: str) -> Answer | None:
        left, _, token = path_of(url).removeprefix("/r/").partition("-")
        if not path_of(url).startswith("/r/") or left not in "0123" or not left or not token:
            return None
        random = self.of(url)
        if int(left):
            return html_answer(REFRESH.format(f"/r/{int(left) - 1}-{random.getrandbits(40):x}").encode())
        links = [self._link(random) for _ in range(8)]
        return self.page(Content(self.keyword(random), [self.prose(random), self.stuffing(random, 30)], listed=links))

    def _link(self, random: Random) -> Link:
        return Link(f"{self.root}/r/{random.randint(1, 3)}-{random.getrandbits(40):x}", random.choice(self.words.nouns))

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(self.of(str(number))) for number in range(6)]


class Offscreen(ForeignTrap):
    """Pages about something else with ways on that lie beside the screen; each declares another, fresh page as canonical."""

    kind = "offscreen_links"

    def answer(self, url: str) -> Answer | None:
        if segments(url)[:1] != ["note"]:
            return None
        random = self.of(url)
        prose = Prose(random.choice(("gardening", "pottery", "astronomy")), random)
        head = f'<link rel="canonical" href="{escape(self._link(random).url)}">'
        content = Content(
            prose.title(), [prose.sentences(3, 6)], hidden_text=escape(self.prose(random, 4, 6)), head=head
        )
        content.hidden, content.hiding = [self._link(random) for _ in range(12)], "position:absolute;left:-9999px"
        return self.page(content)

    def _link(self, random: Random) -> Link:
        return Link(f"{self.root}/note/{random.getrandbits(36):x}", random.choice(self.words.nouns))

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(self.of(str(number))) for number in range(6)]


class GuestBook(GuestTrap):
    """The guest book of a good site: strangers fill it, and any page of it is there."""

    kind = "guest_book"

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self._base = f"/{word(self.random, 2)}-gaestebuch"

    def answer(self, url: str) -> Answer | None:
        start = url.rpartition("?start=")[2]
        if path_of(url) != self._base or not start.isdecimal() or len(start) > 8:
            return None
        random = self.of(url)
        entries = [f"Nice site! I sell {self.keyword(random)}. {self.stuffing(random, 15)}" for _ in range(6)]
        links = [
            Link(f"{self._base}?start={int(start) + 10 * step}", f"{self.words.name}, more entries")
            for step in (1, 2, 7)
        ]
        return self.page(Content("Gästebuch", entries, listed=links))

    def doors(self, random: Random) -> Sequence[Link]:
        return [Link(f"http://{self.host}{self._base}?start=0", f"guest book, {self.words.name}")]
