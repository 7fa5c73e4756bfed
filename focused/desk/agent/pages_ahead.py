"""The pages ahead that were looked at: in memory only, and suggested with reasons when somebody asks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from focused.desk.agent.interest import Interest, likeness, shared, vector
from focused.desk.agent.links_ahead import Ahead
from focused.desk.agent.page_matter import Matter
from focused.page.urls import host_of

MOST_AHEAD = 400  #: pages that are remembered; the oldest go
MOST_SUGGESTIONS = 10
LEAST_LIKE = 0.05  #: cosine under which a page is not worth a person's time
REASONS = 3  #: words of a reason


@dataclass(frozen=True, slots=True)
class Seen:
    """A page ahead; ``found`` is when, in seconds since 1970."""

    url: str
    link: Ahead
    title: str
    matter: Matter
    found: float


class PagesAhead:
    """The newest of them."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, Seen] = OrderedDict()

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, seen: Seen) -> None:
        self._pages[seen.url] = seen
        while len(self._pages) > MOST_AHEAD:
            self._pages.popitem(last=False)

    def remove(self, url: str) -> None:
        """A page is none that lies ahead any more."""
        self._pages.pop(url, None)

    def forget(self, which: Callable[[Seen], bool]) -> None:
        self._pages = OrderedDict((url, seen) for url, seen in self._pages.items() if not which(seen))

    def suggestions(
        self, interest: Interest, rarity: Callable[[str], float], read: Iterable[tuple[str, Matter]], here: str
    ) -> list[dict[str, Any]]:
        """The pages that are like an interest, the best first, as the extension shows them.

        Parameters
        ----------
        rarity : of words
        read : URLs and matter of what was read, which is not suggested, nor are copies of it
        here : URL of the page that the person sees; links that stand there say so
        """
        urls, said = set[str](), set[frozenset[tuple[str, int]]]()
        for url, matter in read:
            urls.add(url)
            said.add(matter.fingerprint)
        found = []
        for alike, seen, page in sorted(self._alike(interest, rarity), key=lambda one: (-one[0], one[1].url)):
            if seen.url not in urls and seen.matter.fingerprint not in said:
                said.add(seen.matter.fingerprint)
                found.append(_told(seen, alike, shared(interest, page, REASONS), here))
        return found[:MOST_SUGGESTIONS]

    def _alike(
        self, interest: Interest, rarity: Callable[[str], float]
    ) -> Iterator[tuple[float, Seen, dict[str, float]]]:
        for seen in self._pages.values():
            page = vector(seen.matter.words, rarity)
            alike = likeness(interest, page)
            if alike >= LEAST_LIKE:
                yield alike, seen, page


def _told(seen: Seen, alike: float, words: Sequence[str], here: str) -> dict[str, Any]:
    return {
        "url": seen.url,
        "title": seen.title,
        "host": host_of(seen.url),
        "anchor": seen.link.anchor,
        "source": "" if seen.link.source == here else (seen.link.source_title or seen.link.source),
        "shares": [seen.matter.written.get(word, word) for word in words],
        "likeness": round(alike, 3),
    }
