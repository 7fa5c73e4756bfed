"""The words of a synthetic web: an English skeleton, filled with made-up words of each topic and of a common vocabulary.

How often a word comes is by Zipf's law: the n-th word of a vocabulary 1/n as often as the first.
"""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from random import Random

TOPIC_WORDS = 60  #: of each topic
COMMON_WORDS = 1000
PHRASES = 400  #: of each topic, and twice as many common ones: pages are put together of them, as words take ten times as long
KEYWORDS = 3  #: a topic's most frequent words name it
OWN, NEIGHBOUR = 0.7, 0.1  #: share of words in a phrase about a topic that are its own, and those of the next topic

ONSETS = (
    "b",
    "br",
    "c",
    "ch",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gl",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "t",
    "tr",
    "v",
    "z",
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
