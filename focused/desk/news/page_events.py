"""What became of relevant pages in a part of the journal: pages that are new, have changed, or are gone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from focused.collection.collection import opened
from focused.collection.repository import Place
from focused.collection.store import CHANGED, FIRST_ID, IS_VERSION, Row, Store
from focused.crawl.novelty import COPIES
from focused.crawl.url_forms import domain_of
from focused.exceptions import FocusedError
from focused.live.last_run import last_run
from focused.page.page_text import TextRequest
from focused.page.plain_text import plain

if TYPE_CHECKING:
    from focused.export.reading_processes import PageReader

EventKind = Literal["new", "changed", "gone"]

_COPIES = ", ".join(f"'{one}'" for one in COPIES)
_COLUMNS = "SELECT f.seq, u.url, h.name, f.title, f.relevance, f.time, f.file, f.offset, f.length"
_JOINED = "FROM fetches f JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host"
_NO_COPY = f"coalesce(f.verdict NOT IN ({_COPIES}), 1)"
#: Pages that are there for the first time, and have not gone since.
_NEW = f"""
{_COLUMNS}, NULL, NULL, NULL {_JOINED}
WHERE f.outcome = 'page' AND f.relevant = 1 AND {_NO_COPY} AND f.seq > :after AND f.seq <= :upto
    AND f.final_url NOT IN (SELECT url FROM fetches WHERE outcome = 'gone' AND seq > :after AND seq <= :upto)
ORDER BY f.relevance DESC, f.seq
"""
#: Of pages that were known before: the version that was known, by the id of the page.
_KNOWN = f"""
WITH touched AS (SELECT DISTINCT url FROM fetches WHERE outcome IN ('{CHANGED}', 'gone') AND seq > :after AND seq <= :upto),
known AS (
    SELECT {FIRST_ID} AS page, max(seq) AS seq FROM fetches f
    WHERE {IS_VERSION} AND seq <= :after AND {FIRST_ID} IN touched GROUP BY 1
)
"""
_CHANGED = f"""{_KNOWN}
{_COLUMNS}, b.file, b.offset, b.length {_JOINED} JOIN known k ON k.page = f.url JOIN fetches b ON b.seq = k.seq
WHERE f.seq IN (
    SELECT max(seq) FROM fetches WHERE outcome = '{CHANGED}' AND seq > :after AND seq <= :upto GROUP BY url
) AND (f.relevant = 1 OR b.relevant = 1) AND {_NO_COPY}
    AND f.url NOT IN (SELECT url FROM fetches WHERE outcome = 'gone' AND seq > :after AND seq <= :upto)
ORDER BY f.relevance DESC, f.seq
"""
_GONE = f"""{_KNOWN}
SELECT g.seq, u.url, h.name, f.title, f.relevance, g.time, NULL, NULL, NULL, NULL, NULL, NULL
FROM fetches g JOIN known k ON k.page = g.url JOIN fetches f ON f.seq = k.seq
JOIN urls u ON u.id = f.final_url JOIN hosts h ON h.id = u.host
WHERE g.outcome = 'gone' AND g.seq > :after AND g.seq <= :upto AND f.relevant = 1 AND {_NO_COPY}
ORDER BY f.relevance DESC, g.seq
"""
_QUERIES: dict[EventKind, str] = {"new": _NEW, "changed": _CHANGED, "gone": _GONE}
_HOSTS_BEFORE = f"""
SELECT name FROM hosts WHERE id IN (
    SELECT u.host FROM fetches f JOIN urls u ON u.id = f.final_url WHERE {IS_VERSION} AND f.relevant = 1 AND f.seq <= ?
)
"""
LONGEST = 160  #: characters of a sentence that are told
LONGEST_TEXT = 200_000  #: characters of a text that are compared
FEWEST_WORDS = 3  #: a shorter sentence is a date or a counter, as long as there is a longer one
_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


@dataclass(frozen=True, slots=True)
class PageNews:
    """What became of one page.

    seq : number of the fetch that tells it
    place, before : where its version of now lies, and the one that was known; None: it is gone, or new
    """

    kind: EventKind
    seq: int
    url: str
    host: str
    title: str
    relevance: float
    time: str
    place: Place | None = None
    before: Place | None = None

    @property
    def site(self) -> str:
        """Its registered domain."""
        return domain_of(self.host)


def page_news(store: Store, after: int, upto: int) -> dict[EventKind, list[PageNews]]:
    """What the events from ``after`` + 1 to ``upto`` say, the most relevant pages first. Copies of other pages are left out."""
    window = {"after": after, "upto": upto}
    return {
        kind: [_of_row(kind, row) for row in store.execute(query, window).fetchall()]
        for kind, query in _QUERIES.items()
    }


def new_sites(store: Store, news: list[PageNews], after: int) -> list[str]:
    """Registered domains of new pages that had no relevant page up to an event, those with the best pages first."""
    if not news:
        return []
    known = {domain_of(host) for (host,) in store.execute(_HOSTS_BEFORE, (after,))}
    return [site for site in dict.fromkeys(one.site for one in news) if site not in known]


def event_before(store: Store, time: str) -> int:
    """Number of the last fetch before a time (ISO 8601, UTC); 0 where there is none."""
    (seq,) = store.execute("SELECT coalesce(max(seq), 0) FROM fetches WHERE time < ?", (time,)).fetchone()
    return int(seq)


def _of_row(kind: EventKind, row: Row) -> PageNews:
    seq, url, host, title, relevance, time, *places = row
    place, before = (Place(*one) if one[0] is not None else None for one in (places[:3], places[3:]))
    return PageNews(kind, seq, url, host, title or "", relevance or 0.0, time, place, before)


def difference(before: str, after: str) -> str:
    """What a text says that the one before it did not, and what it no longer says. Takes a time that grows with their length."""
    old, new = _sentences(before), _sentences(after)
    added, lost = _first(new, set(old)), _first(old, set(new))
    parts = [f"{label} “{one}”" for label, one in (("now says", added), ("no longer says", lost)) if one]
    return "; ".join(parts) or "says the same in another order, or has other links"


def differences(folder: Path, news: Iterable[PageNews]) -> dict[int, str]:
    """The same for pages of a collection that have changed, by the number of the fetch; empty for one that cannot be read."""
    from focused.export.reading_processes import PageReader, PlainCollection

    with opened(folder) as store:
        reader = PageReader(PlainCollection.of(folder, last_run(store), TextRequest()))
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
