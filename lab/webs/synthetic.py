"""A synthetic web of any size: a million pages take no memory, as each is made anew from its URL and the seed alone.

It has what makes crawls hard to scale and to steer: in-degrees by a power law, topical locality, directories (neutral hubs) that
list one host after the other, calendars without end, mirrors, slow hosts. It knows the truth about itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, fields
from functools import cache
from itertools import accumulate
from random import Random

from focused.exceptions import WebError
from focused.reading.urls import UrlRules, host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.synthetic_map import MIRROR, TRAP, Article, Day, Directory, Place, SyntheticMap, is_odd, slowness

TOPIC_WORDS = 60  #: of each topic
COMMON_WORDS = 1000
PHRASES = 400  #: of each topic, and twice as many common ones: pages are put together of them, as words take ten times as long
KEYWORDS = 3  #: a topic's most frequent words name it
OWN, NEIGHBOUR = 0.7, 0.1  #: share of words in a phrase about a topic that are its own, and those of the next topic

ONSETS = (
    *("b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gl", "h", "j"),
    *("k", "l", "m", "n", "p", "pl", "r", "t", "tr", "v", "z"),
)
VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "oo", "ou")
CODAS = ("", "", "l", "m", "n", "nd", "r", "rk", "t", "x")
SKELETONS = (
    "the {} of the {}",
    "{} and {} for a {}",
    "in this {} there is more {} than {}",
    "how the {} with a {} was made",
    "a {} that is not {}",
    "our {} and their {} are from the {}",
    "what you should know about {}",
)


class SyntheticText:
    """Vocabularies and phrases for so many topics. Phrases of a topic are made when they are first asked for."""

    def __init__(self, topics: int, seed: int) -> None:
        self.topics, self._seed = topics, seed
        words = _words(Random(f"words {seed}"), COMMON_WORDS + topics * TOPIC_WORDS)
        self._common, self._by_topic = words[:COMMON_WORDS], words[COMMON_WORDS:]
        self.phrases = cache(self._phrases)

    def words(self, topic: int) -> list[str]:
        """The vocabulary of a topic, frequent words first."""
        return self._by_topic[topic * TOPIC_WORDS : (topic + 1) * TOPIC_WORDS]

    def keywords(self, topic: int) -> tuple[str, ...]:
        return tuple(self.words(topic)[:KEYWORDS])

    def _phrases(self, topic: int | None) -> tuple[str, ...]:
        """Phrases about a topic; without one, the common phrases."""
        random = Random(f"phrases {self._seed} {topic}")
        made = []
        for _ in range(2 * PHRASES if topic is None else PHRASES):
            skeleton = random.choice(SKELETONS)
            made.append(skeleton.format(*(self._word(random, topic) for _ in range(skeleton.count("{}")))))
        return tuple(made)

    def _word(self, random: Random, topic: int | None) -> str:
        drawn = random.random()
        if topic is None or drawn >= OWN + NEIGHBOUR:
            return _zipf(random, self._common)
        return _zipf(random, self.words(topic if drawn < OWN else (topic + 1) % self.topics))


def _zipf(random: Random, words: list[str]) -> str:
    return random.choices(words, cum_weights=_zipf_weights(len(words)))[0]


@cache
def _zipf_weights(count: int) -> tuple[float, ...]:
    return tuple(accumulate(1 / rank for rank in range(1, count + 1)))


def _words(random: Random, count: int) -> list[str]:
    """Distinct words of two or three syllables."""
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = (
            random.choice(ONSETS) + random.choice(VOWELS) + random.choice(CODAS)
            for _ in range(random.choice((2, 2, 3)))
        )
        words["".join(syllables)] = None
    return list(words)


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


PREFIX = "synthetic"  #: what such a web is called by, as in ``synthetic:pages=1000000,seed=1``
LIMITS = {"pages": (100, 100_000_000), "topics": (2, 500), "seed": (0, 2**32)}
LEAST_PER_TOPIC = 10


@dataclass(slots=True, frozen=True)
class SyntheticOptions:
    """What kind of synthetic web; raises WebError for a number out of its limits."""

    pages: int = 10_000  #: articles; a few more pages are directories and mirrors, and calendars have no end
    topics: int = 50
    seed: int = 1

    def __post_init__(self) -> None:
        for name, (least, most) in LIMITS.items():
            if not least <= getattr(self, name) <= most:
                raise WebError(f"{PREFIX}: {name}={getattr(self, name)}: give a number from {least:,} to {most:,}")
        if self.pages < LEAST_PER_TOPIC * self.topics:
            needed = LEAST_PER_TOPIC * self.topics
            raise WebError(
                f"{PREFIX}: {self.topics} topics need {needed:,} pages at least; give more pages or fewer topics"
            )


OPTIONS = tuple(LIMITS)


def synthetic_options(name: str) -> SyntheticOptions:
    """The options in ``synthetic:NAME=NUMBER,...``; what is left out stands at its default. Raises WebError."""
    known = [field.name for field in fields(SyntheticOptions)]
    given: dict[str, int] = {}
    for option in filter(None, name.partition(":")[2].split(",")):
        key, _, value = option.partition("=")
        if key not in known or not value.isdecimal():
            raise WebError(f"{name}: {option!r} is no option; give {', '.join(f'{key}=NUMBER' for key in known)}")
        given[key] = int(value)
    return SyntheticOptions(**given)


class SyntheticWeb:
    """The web. Each topic has `pages` // `topics` articles; from every page links lead to every other.

    Attributes
    ----------
    plan : where pages stand
    """

    def __init__(self, options: SyntheticOptions | None = None) -> None:
        self.options = options or SyntheticOptions()
        self.rules = UrlRules()
        self.plan = SyntheticMap(self.options.topics, self.options.pages // self.options.topics)
        self._text = SyntheticText(self.options.topics, self.options.seed)
        self._pages = SyntheticPages(self.plan, self._text, self.options.seed)

    @property
    def hosts(self) -> Set[str]:
        return self.plan.hosts

    def urls(self) -> Iterator[str]:
        """All URLs but those of the endless calendars."""
        yield from (self.plan.url(Directory(number)) for number in range(self.plan.directories))
        for topic in range(self.plan.topics):
            yield from self.relevant_urls(topic)
            yield from self.mirror_urls(topic)

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        if canonical is None or host_of(canonical) not in self.hosts:
            return None
        place = self.plan.place(canonical)
        return not_found(url) if place is None else html_answer(self._pages.html(place))

    def slowness(self, host: str) -> float:
        """Seconds that a host takes longer to answer than others do."""
        return slowness(host)

    def relevant_urls(self, topic: int) -> Iterator[str]:
        """The truth: all articles about a topic, the most popular first. Neither directories nor calendars are."""
        return map(self.plan.url, self.plan.articles(topic))

    def mirror_urls(self, topic: int) -> Iterator[str]:
        """Exact copies of articles about a topic, on hosts of their own."""
        return filter(None, map(self.plan.mirror_url, self.plan.articles(topic)))

    def keywords(self, topic: int) -> tuple[str, ...]:
        """What a person would call a topic: its most frequent words."""
        return self._text.keywords(topic)
