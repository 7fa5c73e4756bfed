"""What a search provider is: asked with some words, it names pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

LONGEST_QUERY = 200  #: characters


@dataclass(frozen=True, slots=True)
class Found:
    """A page that a provider names.

    url : as the provider spells it, whatever that is: nobody has looked at it yet
    rank : its place in the answer, from 1
    """

    url: str
    title: str = ""
    snippet: str = ""
    rank: int = 0


class SearchProvider(Protocol):
    """Somebody who can be asked."""

    @property
    def name(self) -> str:
        """What a person reads of it, such as ``searxng 127.0.0.1:8888``; no key that its address may hold."""

    async def search(self, query: str, most: int) -> list[Found]:
        """The pages that it names for a query, the best first, ``most`` at most. Raises SearchError where it does not answer."""
