"""A synthetic web of any size: a million pages take no memory, as each is made anew from its URL and the seed alone.

It has what makes crawls hard to scale and to steer: in-degrees by a power law, topical locality, directories (neutral hubs) that
list one host after the other, calendars without end, mirrors, slow hosts. It knows the truth about itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, fields

from focused.exceptions import WebError
from focused.reading.urls import UrlRules, host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.synthetic_map import Directory, SyntheticMap, slowness
from lab.webs.synthetic_pages import SyntheticPages
from lab.webs.synthetic_text import SyntheticText

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
