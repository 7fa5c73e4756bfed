"""What has changed on a page, in one line: the first sentence of two texts that only the later one has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from focused.collection.collection import opened
from focused.desk.news.events import PageNews
from focused.exceptions import FocusedError
from focused.export.reading_processes import PageReader, PlainCollection
from focused.live.last_run import last_run
from focused.page.page_text import Wanted
from focused.page.plain_text import plain

LONGEST = 160  #: characters of a sentence that are told
LONGEST_TEXT = 200_000  #: characters of a text that are compared
FEWEST_WORDS = 3  #: a shorter sentence is a date or a counter, as long as there is a longer one
_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def difference(before: str, after: str) -> str:
    """What a text says that the one before it did not, and what it no longer says. Takes a time that grows with their length."""
    old, new = _sentences(before), _sentences(after)
    added, lost = _first(new, set(old)), _first(old, set(new))
    parts = [f"{label} “{one}”" for label, one in (("now says", added), ("no longer says", lost)) if one]
    return "; ".join(parts) or "says the same in another order, or has other links"


def differences(folder: Path, news: Iterable[PageNews]) -> dict[int, str]:
    """The same for pages of a collection that have changed, by the number of the fetch; empty for one that cannot be read."""
    with opened(folder) as store:
        reader = PageReader(PlainCollection.of(folder, last_run(store), Wanted()))
    return {one.seq: _of_page(reader, one) for one in news}


def _of_page(reader: PageReader, news: PageNews) -> str:
    if news.place is None or news.before is None:
        return ""
    try:
        before, after = reader.contents([(news.before, news.url), (news.place, news.url)])
    except FocusedError:  # its bytes are damaged: that it has changed is news all the same
        return ""
    return difference(before.text or "", after.text or "")


def _sentences(text: str) -> list[str]:
    return [one for part in _END.split(text[:LONGEST_TEXT]) if (one := plain(part))]


def _first(sentences: list[str], known: set[str]) -> str:
    """The first that is not known, one of several words if there is any; empty where all are."""
    others = [one for one in sentences if one not in known]
    found = next((one for one in others if len(one.split()) >= FEWEST_WORDS), others[0] if others else "")
    return f"{found[:LONGEST].rstrip()}…" if len(found) > LONGEST else found
