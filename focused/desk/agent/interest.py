"""What somebody is interested in, as far as the pages tell that they read: words, by the time spent, fading as days go by.

After Lieberman 1995, "Letizia: an agent that assists Web browsing". Which words tell anything is told by background statistics:
how rare each is among pages of all kinds (`CommonWords`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from focused.desk.agent.page_matter import Matter

HALF_LIFE = 7 * 86_400.0  #: seconds after which a visit counts half
ENOUGH = 60.0  #: seconds of reading after which a visit counts two thirds of what it can count at most
WORDS = 80  #: of an interest

Interest = Mapping[str, float]  #: weight of each term; its vector has length 1, or there is none


def attention(seconds: float) -> float:
    """How much a visit counts, in [0, 1), by the time spent on its page."""
    return 1.0 - math.exp(-max(0.0, seconds) / ENOUGH)


def faded(age: float) -> float:
    """What is left of a visit after so many seconds, in (0, 1]."""
    return math.exp2(-max(0.0, age) / HALF_LIFE)


def vector(words: Mapping[str, int], rarity: Callable[[str], float]) -> dict[str, float]:
    """Weights of the words of a page, as a vector of length 1; empty where none tells anything."""
    weights = {word: math.log1p(count) * rarity(word) for word, count in words.items()}
    return _unit(weights)


def interest_of(visits: Iterable[tuple[Matter, float, float]], rarity: Callable[[str], float], now: float) -> Interest:
    """The interest that visits tell: what each page says, when it was read (seconds since 1970), and for how many seconds."""
    weights: dict[str, float] = {}
    for matter, began, seconds in visits:
        counts = attention(seconds) * faded(now - began)
        for word, weight in vector(matter.words, rarity).items():
            weights[word] = weights.get(word, 0.0) + counts * weight
    best = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:WORDS]
    return _unit(dict(best))


def likeness(interest: Interest, page: Mapping[str, float]) -> float:
    """Cosine of an interest and the vector of a page, in [0, 1]."""
    return min(1.0, sum(weight * page.get(word, 0.0) for word, weight in interest.items()))


def shared(interest: Interest, page: Mapping[str, float], most: int) -> list[str]:
    """The words that make them alike, the most telling first."""
    both = {word: weight * page[word] for word, weight in interest.items() if word in page}
    return sorted(both, key=lambda word: (-both[word], word))[:most]


def _unit(weights: Mapping[str, float]) -> dict[str, float]:
    length = math.hypot(*weights.values())
    return {word: weight / length for word, weight in weights.items() if weight} if length else {}
