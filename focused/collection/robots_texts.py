"""What servers said when they were asked for robots.txt, kept over restarts: the table ``robots`` of crawl.db.

It is no part of the journal: a crawl whose rows are lost asks again.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from focused.collection.store import Row, Store
from focused.collection.warc import unpacked

LONGEST_UNPACKED = 2**22  #: bytes of a body, far more than is ever kept
LONGEST_KEPT = 32 * 1024  #: bytes of a compressed body; the robots.txt of a host that has more is asked for again
MOST_KEPT = 10_000  #: hosts; those asked longest ago go first

_FIND = "SELECT status, reason, tries, fetched, until, body FROM robots WHERE origin = ?"
_FORGET = "DELETE FROM robots WHERE origin = ?"
_INSERT = "INSERT INTO robots (origin, status, reason, tries, fetched, until, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
_PRUNE = "DELETE FROM robots WHERE id <= (SELECT max(id) FROM robots) - ?"


@dataclass(frozen=True, slots=True)
class RobotsText:
    """What is known of the robots.txt of one origin (scheme, host and port).

    body : the rules, at most 500 KiB; None where none could be had yet
    status : of the last answer; None where there was none
    reason : why it could not be had the last time; empty where it could, or where there is none (status 4xx)
    tries : how often in a row it could not be had
    fetched, until : when it was asked for, and when it may be asked for again; seconds since 1970
    """

    body: bytes | None
    status: int | None
    reason: str
    tries: int
    fetched: float
    until: float


class RobotsTexts:
    """The table, read at once and written with the next commit."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._unwritten: dict[str, RobotsText] = {}

    def find(self, origin: str) -> RobotsText | None:
        found = self._unwritten.get(origin)
        if found is not None:
            return found
        row = self._store.execute(_FIND, (origin,)).fetchone()
        if row is None:
            return None
        *known, packed = row
        try:
            body = None if packed is None else unpacked(packed, LONGEST_UNPACKED, zlib.MAX_WBITS)
        except (zlib.error, ValueError):  # damaged: it is asked for again
            return None
        return RobotsText(body, *known)

    def keep(self, origin: str, text: RobotsText) -> None:
        self._unwritten[origin] = text

    def writes(self) -> list[tuple[str, Row]]:
        """Statements that write what is not written yet; they are given once."""
        statements: list[tuple[str, Row]] = []
        for origin, text in self._unwritten.items():
            packed = None if text.body is None else zlib.compress(text.body)
            statements.append((_FORGET, (origin,)))
            if packed is None or len(packed) <= LONGEST_KEPT:
                row = (origin, text.status, text.reason, text.tries, text.fetched, text.until, packed)
                statements.append((_INSERT, row))
        if statements:
            statements.append((_PRUNE, (MOST_KEPT,)))
        self._unwritten.clear()
        return statements
