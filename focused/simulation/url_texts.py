"""The text of every URL that a simulated crawl knows, end to end in one buffer: a string of its own would take 60 bytes more."""

from __future__ import annotations

from array import array
from collections.abc import Iterable


class UrlTexts:
    """Texts by id, in the order in which they came. A live crawl has them on disk instead."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends = array("Q", (0,))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, url: int) -> str:
        """The text of an id; raises IndexError for one that is not known."""
        if not 0 <= url < len(self):
            raise IndexError(url)
        return self._text[self._ends[url] : self._ends[url + 1]].decode()

    def extend(self, texts: Iterable[str]) -> None:
        """Give the next ids to these texts."""
        for text in texts:
            self._text += text.encode()
            self._ends.append(len(self._text))
