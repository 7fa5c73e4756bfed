"""The pages of a synthetic web: text and links of each are drawn from its number and the seed alone, whenever it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from lab.webs.synthetic_map import MIRROR, TRAP, Article, Day, Directory, Place, SyntheticMap, is_odd
from lab.webs.synthetic_text import SyntheticText

#: ln of the median number of links of an article beside its navigation, and the spread: lognormal, as out-degrees of the Web
#: are (Pennock, Flake, Lawrence, Glover, Giles: Winners don't take all, PNAS 99, 2002).
LINKS_MEDIAN_LN, LINKS_SPREAD, MOST_LINKS = 2.3, 0.7, 100
#: Where they lead: the same topic, the next topic, a directory; the rest anywhere. Pages link to their own topic much more than
#: to others (Davison: Topical Locality in the Web, SIGIR 2000).
SAME_TOPIC, NEXT_TOPIC, DIRECTORY = 0.55, 0.10, 0.05
#: Within a topic the rank is drawn as ranks * u**POPULARITY, u uniform: in-links fall as rank ** -(1 - 1 / POPULARITY), so that
#: in-degrees follow a power law with exponent 1 + 1 / (1 - 1 / POPULARITY) = 2.5, near the Web's 2.1 (Broder et al. 2000).
POPULARITY = 3
TO_MIRROR = 0.25  #: share of the links to a mirrored site that lead to the mirror
STRANGERS = 10  #: sites of any topic in a directory
#: Share of links whose anchor has words of the target's topic; half of those in a text have a phrase about it before them, too.
INFORMATIVE = 0.6
PHRASES_MEDIAN_LN, PHRASES_SPREAD, FEWEST_PHRASES, MOST_PHRASES = 4.2, 0.35, 20, 160  #: about 3 to 7 KB of text
LEAST_TOPICAL, MOST_TOPICAL = 0.15, 0.6  #: share of an article's phrases that are about its topic, drawn uniformly
PHRASES_OF_A_DAY = 6  #: about the topic, and as many others
VAGUE = ("more", "read on", "this page", "a site", "see also")


@dataclass(slots=True, frozen=True)
class Target:
    """One link: where it leads, and the topic there (None for a neutral page)."""

    url: str
    topic: int | None


class SyntheticPages:
    """HTML by place. Equal places give equal bytes."""

    def __init__(self, plan: SyntheticMap, text: SyntheticText, seed: int) -> None:
        self.plan, self.text, self._seed = plan, text, seed

    def html(self, place: Place) -> bytes:
        match place:
            case Article():
                return self._article(place)
            case Directory():
                return self._directory(place)
            case Day():
                return self._day(place)

    def _random(self, kind: int, number: int) -> Random:  # number < 2**64
        return Random((self._seed << 64 | number) << 2 | kind)

    def _article(self, article: Article) -> bytes:
        random = self._random(0, article.rank * self.plan.topics + article.topic)
        text, topic = self.text, article.topic
        count = min(MOST_PHRASES, max(FEWEST_PHRASES, int(random.lognormvariate(PHRASES_MEDIAN_LN, PHRASES_SPREAD))))
        topical = int(count * random.uniform(LEAST_TOPICAL, MOST_TOPICAL))
        phrases = random.choices(text.phrases(topic), k=topical) + random.choices(text.phrases(None), k=count - topical)
        random.shuffle(phrases)
        links = self._links(random, article)
        share = len(phrases) // (len(links) + 1)
        parts = [f"<p>{'. '.join(phrases[: len(phrases) - share * len(links)])}.</p>"]
        for number, target in enumerate(links, start=1):
            before = phrases[len(phrases) - share * number : len(phrases) - share * (number - 1)]
            parts.append(f"<p>{'. '.join(before)}. {self._anchor(random, target, in_text=True)}</p>")
        return self._page(self._title(random, topic), "\n".join(parts), self._navigation(article))

    def _directory(self, directory: Directory) -> bytes:
        plan, random = self.plan, self._random(1, directory.number)
        sites = [*plan.listed(directory), *(random.randrange(plan.sites) for _ in range(STRANGERS))]
        targets = [Target(plan.url(plan.home(site)), site % plan.topics) for site in sites]
        entries = "\n".join(f"<li>{self._anchor(random, target)}</li>" for target in targets)
        intro = ". ".join(random.choices(self.text.phrases(None), k=8))
        # The ring makes every page reachable from every other.
        others = (directory.number + 1, directory.number + plan.topics)
        navigation = [(plan.url(Directory(number % plan.directories)), "more sites") for number in others]
        return self._page("Directory", f"<p>{intro}.</p>\n<ul>\n{entries}\n</ul>", navigation)

    def _day(self, day: Day) -> bytes:
        random = self._random(2, day.site << 30 | day.number)
        # Words of the topic make the trap attractive; nothing on these pages is worth a fetch.
        topic = day.site % self.plan.topics
        phrases = [random.choice(self.text.phrases(about)) for about in (topic, None) for _ in range(PHRASES_OF_A_DAY)]
        days = {"previous": day.number - 1, "next": day.number + 1, "next week": day.number + 7}
        navigation = [(self.plan.url(Day(day.site, number)), name) for name, number in days.items() if number >= 0]
        navigation.append((self.plan.url(self.plan.home(day.site)), "home"))
        return self._page(f"Calendar, day {day.number}", f"<p>{'. '.join(phrases)}.</p>", navigation)

    def _links(self, random: Random, article: Article) -> list[Target]:
        count = min(MOST_LINKS, int(random.lognormvariate(LINKS_MEDIAN_LN, LINKS_SPREAD)))
        drawn = (self._target(random, article.topic) for _ in range(count))
        own = self.plan.url(article)
        return list({target.url: target for target in drawn if target.url != own}.values())

    def _target(self, random: Random, topic: int) -> Target:
        plan, drawn = self.plan, random.random()
        if drawn < DIRECTORY:
            blocks = plan.directories // plan.topics
            return Target(plan.url(Directory(random.randrange(blocks) * plan.topics + topic)), None)
        if drawn >= DIRECTORY + SAME_TOPIC + NEXT_TOPIC:
            topic = random.randrange(plan.topics)
        elif drawn >= DIRECTORY + SAME_TOPIC:
            topic = (topic + 1) % plan.topics
        article = Article(topic, int(plan.ranks * random.random() ** POPULARITY))
        mirror = (
            plan.mirror_url(article) if is_odd(plan.site(article), MIRROR) and random.random() < TO_MIRROR else None
        )
        return Target(mirror or plan.url(article), topic)

    def _anchor(self, random: Random, target: Target, *, in_text: bool = False) -> str:
        before = ""
        if target.topic is None or random.random() >= INFORMATIVE:
            words = random.choice(VAGUE)
        else:
            words = self._words(random, target.topic)
            if in_text and random.random() < 0.5:
                before = f"{random.choice(self.text.phrases(target.topic))} "
        return f'{before}<a href="{target.url}">{words}</a>'

    def _words(self, random: Random, topic: int) -> str:
        """Two words of a topic, frequent ones more often."""
        words = self.text.words(topic)
        return f"{words[int(len(words) * random.random() ** 2)]} {words[int(len(words) * random.random() ** 2)]}"

    def _title(self, random: Random, topic: int) -> str:
        return self._words(random, topic).capitalize()

    def _navigation(self, article: Article) -> list[tuple[str, str]]:
        """Ways on within the site, and to the directory that lists it."""
        plan = self.plan
        site = plan.site(article)
        if article.rank >= plan.sites_per_topic:
            links = [(plan.url(plan.home(site)), "home")]
        else:
            links = [(plan.url(plan.directory_of(site)), "listed here")]
            if is_odd(site, TRAP):
                links.append((plan.url(Day(site, 1)), f"{self.text.words(article.topic)[0]} calendar"))
        following = plan.next_in_site(article)
        return [*links, (plan.url(following), "next page")] if following else links

    def _page(self, title: str, main: str, navigation: Sequence[tuple[str, str]]) -> bytes:
        links = " | ".join(f'<a href="{url}">{name}</a>' for url, name in navigation)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n'
            f"<h1>{title}</h1>\n<main>\n{main}\n</main>\n<footer>{links}</footer>\n</body>\n</html>\n"
        ).encode()
