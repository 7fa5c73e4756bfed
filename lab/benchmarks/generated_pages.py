"""Pages as reading leaves them, made without HTML: so many terms and links, so many of which lead where nobody has been."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, islice
from math import hypot, sqrt
from random import Random

from focused.reading.page import Link, Page
from focused.reading.urls import Address

WORDS = 15_000  #: in the vocabulary, with the frequencies of Zipf's law
TOPIC = ("solar", "panel", "energi", "invert")  #: terms of every tenth page
TOPICAL_TERMS = 0.05  #: share of the terms of such a page
HOSTS, SECTIONS = 300, 40  #: over which URLs are spread, and the directories of each
FORMS = ("nav/ul/li/a", "main/p/a")  #: where a link stands on its page
SPREAD = 0x9E3779B97F4A7C15  #: odd, so that the keys of URLs differ and lie everywhere among 64 bits


@dataclass(frozen=True, slots=True)
class Kind:
    """What the pages of a web are like, on average."""

    terms: int
    links: int
    new: int  #: of the links, those whose URL no page before has linked to
    anchor: int  #: terms
    context: int  #: terms


#: Counted in 200 pages and more each; shares of new URLs over the first 500 pages, taken at random.
KINDS = {
    "Wikispeedia": Kind(terms=1820, links=25, new=5, anchor=1, context=50),
    "WebKB": Kind(terms=210, links=12, new=10, anchor=2, context=32),
    "ordinary": Kind(terms=1440, links=84, new=20, anchor=2, context=10),  # as `lab.benchmarks.generated_web`
    "ordinary, all links new": Kind(terms=1440, links=84, new=84, anchor=2, context=10),
}


class GeneratedPages:
    """Pages one after the other, the same at every run. What a page says and links to does not depend on its URL.

    So any URL that waits may turn out to be the next page, and crawlers that fetch in different orders see the same pages.
    URL number n is the n-th that a crawl comes to know: its id.
    """

    def __init__(self, kind: Kind, seed: int = 1) -> None:
        self.kind = kind
        self._random = Random(seed)
        self._known = HOSTS  # URLs, the seeds included
        self._made = 0

    @property
    def seeds(self) -> list[Address]:
        """One URL of each host."""
        return [address(number) for number in range(HOSTS)]

    def next(self) -> Page:
        """The next page, without a URL as yet; see `at`."""
        kind, random = self.kind, self._random
        terms = random.choices(vocabulary(), cum_weights=weights(), k=kind.terms)
        if self._made % 10 == 0:
            for position in random.sample(range(kind.terms), int(TOPICAL_TERMS * kind.terms)):
                terms[position] = random.choice(TOPIC)
        targets = [random.randrange(self._known) for _ in range(kind.links - kind.new)]
        targets += range(self._known, self._known + kind.new)
        self._known += kind.new
        self._made += 1
        return Page(
            url="",
            key=0,
            host="",
            content_type="text/html",
            content_hash=f"{self._made:015x}",  # as long as what the crawl compares: no page is a copy of another
            terms=terms,
            norm=hypot(*Counter(terms).values()),
            links=[self._link(position, target, terms) for position, target in enumerate(targets)],
        )

    def _link(self, position: int, target: int, terms: list[str]) -> Link:
        kind, where = self.kind, address(target)
        start = position * (kind.terms - kind.context) // kind.links
        anchor = start + (kind.context - kind.anchor) // 2
        return Link(
            url=where.url,
            key=where.key,
            host=where.host,
            anchor=" ".join(terms[anchor : anchor + kind.anchor]),
            anchor_start=anchor,
            anchor_end=anchor + kind.anchor,
            context_start=start,
            context_end=start + kind.context,
            context_norm=sqrt(kind.context),
            tag_path=FORMS[position % len(FORMS)],
            nofollow=False,
        )


def at(page: Page, number: int) -> Page:
    """Let a page be what a URL led to."""
    where = address(number)
    page.url, page.key, page.host = where.url, where.key, where.host
    return page


def address(number: int) -> Address:
    """URL number n: a host, a directory and a name of two words."""
    words, host = vocabulary(), f"site{number % HOSTS}.example"
    section, first, second = words[number // HOSTS % SECTIONS], words[number % 997], words[number % 1499]
    key = (number + 1) * SPREAD % 2**64 - 2**63
    return Address(key, host, f"http://{host}/{section}/{first}-{second}-{number}.html")


@cache
def vocabulary() -> list[str]:
    random = Random(1)
    syllables = [first + second for first in "bdfgklmnprstv" for second in "aeiou"]
    words = ("".join(random.choices(syllables, k=random.randint(2, 5))) for _ in range(2 * WORDS))
    return list(islice(dict.fromkeys(words), WORDS))


@cache
def weights() -> list[float]:
    return list(accumulate(1 / rank for rank in range(1, WORDS + 1)))
