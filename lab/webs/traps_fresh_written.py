"""Traps of the third set that a machine writes: tests that nobody made, articles that nobody wrote, pieces of others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random

from focused.reading.urls import host_of
from focused.simulation.recorded_web import Answer, html_answer
from lab.webs.traps_fresh import FreshTrap
from lab.webs.traps_html import Content, Link, html
from lab.webs.traps_sites import word
from lab.webs.traps_text import Prose, slug
from lab.webs.traps_trap import Ground, path_of, segments

OPENINGS = (
    "Looking for the best {what} in {year}? You have come to the right place. Our experts have tested {count} {what} models.",
    "Are you thinking about a new {what}? We have compared {count} {what} offers so that you do not have to.",
    "In this {what} buying guide for {year} we show you {count} {what} products that are worth their money.",
)
QUESTIONS = (
    "What is the best {what}? The best {what} is the one that suits your needs. Our {what} number one is {name}.",
    "How much does a {what} cost? A good {what} costs between {low} and {high}. A cheap {what} may disappoint you.",
    "Where can I buy a {what}? You can buy a {what} online. Click on the button to see today's {what} price.",
    "Is a {what} worth it? Yes. Everybody who loves {topic} should have a {what}.",
)


class ReviewFarm(FreshTrap):
    """Many domains of tests that nobody made: the ten best of anything, for any year, from a form with the keyword in each line."""

    kind = "review_farm"
    size, addresses = 24, 9
    years = (2016, 2026)

    def answer(self, url: str) -> Answer | None:
        name = path_of(url).strip("/")
        if name and not (name.startswith("best-") and "/" not in name):
            return None
        random = self.of(url)
        what, _, year = name.removeprefix("best-").replace("-", " ").rpartition(" ")
        what = what or self.keyword(random)
        names = [f"{word(random, 2).capitalize()} {random.choice('XTSPZ')}{random.randint(1, 900)}" for _ in range(6)]
        given = {"what": what, "year": year or "2024", "count": random.randint(17, 60), "name": names[0]}
        given |= {"low": random.randint(9, 40), "high": random.randint(50, 900), "topic": self.words.name}
        text = [random.choice(OPENINGS).format(**given)]
        text += [
            f"{place}. {made}: this {what} is {random.choice(self.words.adjectives)}. We say {random.uniform(3.9, 5):.1f} of 5."
            for place, made in enumerate(names, 1)
        ]
        text += [question.format(**given) for question in random.sample(QUESTIONS, 3)]
        links = [self._link(random, host_of(url)) for _ in range(7)]
        links += [self._link(random, random.choice(self.hosts)) for _ in range(3)]
        content = Content(f"The 6 best {what} products in {given['year']}", text, listed=links)
        return html_answer(html(self.template_of(host_of(url), str(self.hosts.index(host_of(url)) % 3)), content))

    def _link(self, random: Random, host: str) -> Link:
        what, year = (
            f"{random.choice(self.words.adjectives)} {random.choice(self.words.nouns)}",
            random.randint(*self.years),
        )
        return Link(f"http://{host}/best-{slug(what)}-{year}/", f"best {what} {year}")

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random, host) for host in random.sample(self.hosts, 8)]

    def address(self, host: str) -> int:
        return super().address(host) % self.addresses


class SnippetSubdomains(FreshTrap):
    """Any name below a domain answers with what results of a search engine looked like: pieces of good articles, cut off."""

    kind = "snippet_subdomains"
    sources = 80  #: articles that are cut to pieces

    def __init__(self, ground: Ground, variant: int) -> None:
        super().__init__(ground, variant)
        self.zone, self.hosts = self.host.removeprefix("www."), ()

    def answer(self, url: str) -> Answer | None:
        random = self.of(url)
        text = [self._snippet(random) for _ in range(8)]
        random.shuffle(text)
        name = path_of(url).strip("/").removesuffix(".php").replace("-", " ") or self.keyword(random)
        links = [self._link(random) for _ in range(8)]
        links += [Link(f"/{slug(noun)}.php", noun) for noun in random.sample(self.words.nouns, 2)]
        content = Content(
            f"{name} {random.choice(('pdf', 'images', 'wiki', 'near me', 'explained'))}", text, listed=links
        )
        return html_answer(html(self.template_of(host_of(url), "all"), content))

    @cached_property
    def _sources(self) -> list[tuple[str, list[str]]]:
        """Title and words of paragraphs of good articles."""
        relevant = self.ground.good.relevant
        pages = self.of("sources").sample(relevant, min(self.sources, len(relevant)))
        return [(page.title, text.split()) for page in pages for text in self.ground.good.content(page).paragraphs]

    def _snippet(self, random: Random) -> str:
        title, words = random.choice(self._sources)
        start = random.randrange(max(1, len(words) - 24))
        day = f"{random.randint(1, 28)} Feb {random.randint(2009, 2022)}"
        return f"{title} - {day} ... {' '.join(words[start : start + 24])} ..."

    def _link(self, random: Random) -> Link:
        noun = random.choice(self.words.nouns)
        name = f"{slug(noun)}{random.randint(2, 9999)}" if self.variant % 2 else f"{random.getrandbits(28):07x}"
        return Link(f"http://{name}.{self.zone}/{slug(noun)}.php", noun)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random) for _ in range(7)]


class MachineWritten(FreshTrap):
    """A dozen magazines that nobody writes: articles read as good ones do, and cite good ones."""

    kind = "machine_written"
    size = 12

    def answer(self, url: str) -> Answer | None:
        host, parts, random = host_of(url), segments(url), self.of(url)
        if parts and (len(parts) != 2 or parts[0] != "stories"):
            return None
        title = parts[1].rpartition("-")[0].replace("-", " ").capitalize() if parts else f"Stories on {self.words.name}"
        prose = Prose(self.ground.topic, random)
        text = [prose.sentences(3, 7) for _ in range(random.randint(3, 6))] if parts else [prose.sentence()]
        cited = random.sample(self.ground.good.relevant, 2)
        inline = [Link(page.url, page.title, prose.sentence()) for page in cited] if parts else []
        links = [self._link(random, host) for _ in range(6)]
        links += [self._link(random, random.choice(self.hosts)) for _ in range(2)]
        return html_answer(html(self.template_of(host, host), Content(title, text, inline, links)))

    def _link(self, random: Random, host: str) -> Link:
        title = Prose(self.ground.topic, random).title()
        return Link(f"http://{host}/stories/{slug(title)}-{random.randrange(36**5):x}", title)

    def doors(self, random: Random) -> Sequence[Link]:
        return [self._link(random, host) for host in self.hosts[:8]]
