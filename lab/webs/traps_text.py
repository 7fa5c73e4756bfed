"""Text of the trap web: sentences, titles and anchors of a topic; stuffed, shuffled and spun text for the traps."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from focused.simulation.demo.demo_text import plural
from lab.webs.traps_words import GENERAL, OTHERS, PEOPLE, SENTENCES, SOUGHT, TIMES, TITLES, VAGUE, Words

TOPICAL = 0.55  #: share of the words of an article that are its topic's; the others are of life in general
SLANT = 12  #: nouns that an article prefers, so that two articles about one topic differ
_PLACE = re.compile(r"\{([a-z])\}")
_BREAK = re.compile(r"(?<=[.?!]) ")


def words_of(topic: str) -> Words:
    """The vocabulary of a topic; that of life in general for a page about nothing."""
    return SOUGHT.get(topic) or OTHERS.get(topic) or GENERAL


class Prose:
    """Sentences of one page: about a topic, from the page's own angle.

    topic : a key of SOUGHT or OTHERS; empty: about nothing
    random : of the page
    """

    def __init__(self, topic: str, random: Random, topical: float = TOPICAL) -> None:
        self._words, self._random, self._topical = words_of(topic), random, topical
        self._slant = random.sample(self._words.nouns, min(SLANT, len(self._words.nouns)))

    def sentence(self) -> str:
        return self._filled(self._random.choice(SENTENCES))

    def sentences(self, least: int, most: int) -> str:
        return " ".join(self.sentence() for _ in range(self._random.randint(least, most)))

    def title(self) -> str:
        """A headline, which names the topic more than a sentence does."""
        topical, self._topical = self._topical, 0.9
        made = self._filled(self._random.choice(TITLES))
        self._topical = topical
        return made

    def _filled(self, template: str) -> str:
        text = _PLACE.sub(self._word, template)
        return text[0].upper() + text[1:]

    def _word(self, place: re.Match[str]) -> str:
        random, kind = self._random, place[1]
        if kind in "wt":
            return random.choice(PEOPLE if kind == "w" else TIMES)
        words = self._words if random.random() < self._topical else GENERAL
        if kind == "v":
            return random.choice(words.verbs)
        if kind == "a":
            return random.choice(words.adjectives)
        nouns: Sequence[str] = self._slant if words is self._words and random.random() < 0.7 else words.nouns
        return random.choice(nouns) if kind == "n" else plural(random.choice(nouns))


def anchor(title: str, topic: str, random: Random) -> str:
    """What a link to an article says: its title, a noun of its topic, or nothing of use."""
    drawn = random.random()
    if drawn < 0.35:
        return title
    return random.choice(words_of(topic).nouns) if drawn < 0.65 else random.choice(VAGUE)


def stuffed(topic: str, random: Random, count: int) -> str:
    """Words of a topic one after the other, as pages have that want to be found."""
    words = words_of(topic)
    pool = [*words.keywords * 4, *words.nouns, *words.adjectives]
    return ", ".join(random.choices(pool, k=count))


def shuffled(text: str, random: Random) -> str:
    """The sentences of a text in another order."""
    sentences = _BREAK.split(text)
    random.shuffle(sentences)
    return " ".join(sentences)


def spinner(texts: Sequence[str]) -> Callable[[Random, int], str]:
    """What makes text of so many words that reads as these texts do, by the pairs of words in them (a Markov chain)."""
    following: dict[tuple[str, str], list[str]] = {}
    for text in texts:
        words = text.split()
        for first, second, third in zip(words, words[1:], words[2:], strict=False):
            following.setdefault((first, second), []).append(third)
    starts = sorted(pair for pair in following if pair[0][0].isupper())

    def spun(random: Random, count: int) -> str:
        made = list(random.choice(starts))
        while len(made) < count:
            choices = following.get((made[-2], made[-1]))
            made += [random.choice(choices)] if choices else random.choice(starts)
        return " ".join(made).rstrip(",;.") + "."

    return spun


def slug(text: str) -> str:
    """A title as a part of a URL."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
