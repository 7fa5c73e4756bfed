"""What a yardstick is: a strategy for comparisons only, which may be shown more than a crawler of the live Web ever sees."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from focused.crawl.strategy import Strategy, StrategyOptions
from focused.crawl.world import World
from focused.page.text import TextAnalyser
from lab.crawlers.web_links import WebLinks


@dataclass(slots=True, kw_only=True)
class YardstickWorld(World):
    """What every yardstick may look at.

    words : words of the topic's keywords in lower case, each once, as they are written; stop words are left out
    """

    words: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class JudgedWorld(YardstickWorld):
    """What a yardstick that sees labels may look at as well; only the evaluation can make one.

    targets, relevant : keys of the URLs that `Judgements` names so
    links : gives all links of the web; reading them takes a while the first time
    """

    targets: frozenset[int]
    relevant: frozenset[int]
    links: Callable[[], WebLinks]


class Yardstick(Strategy):
    """Base class of all yardsticks."""

    sees_labels: ClassVar[bool] = False  #: it is shown a `JudgedWorld`

    world: YardstickWorld

    def __init__(self, options: StrategyOptions, world: YardstickWorld) -> None:
        super().__init__(options, world)


class JudgedYardstick(Yardstick):
    """Base class of those that see the labels: references, not rivals."""

    sees_labels: ClassVar[bool] = True

    world: JudgedWorld

    def __init__(self, options: StrategyOptions, world: JudgedWorld) -> None:
        super().__init__(options, world)


_AROUND = string.punctuation.replace("+", "").replace("#", "")  # which belong to the names of languages: C++, C#


def keyword_words(keywords: Iterable[str], analyser: TextAnalyser) -> tuple[str, ...]:
    """The words of some keywords as a person would list them: lower case, each once, without stop words."""
    words = (word.strip(_AROUND) for keyword in keywords for word in keyword.lower().split())
    return tuple(dict.fromkeys(word for word in words if analyser.terms(word)))


def keyword_share(words: Sequence[str], text: str) -> float:
    """Share of the words that occur in a text, be it within a longer word, upper and lower case alike; 0 without words."""
    text = text.lower()
    return sum(word in text for word in words) / len(words) if words else 0.0
