"""The questions that a crawl has asked searches, as its journal keeps them: each has an address on no real host, and an answer."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

from focused.collection.store import LIST, Store
from focused.page.urls import Address, UrlRules

ORIGIN = "http://search.invalid/"  #: a host that nobody can have (RFC 2606)
_WORDS = "/q="

#: Only what the crawl itself has asked: a page of the Web may link to such an address, and a proxy may answer there.
ASKED = f"""
    SELECT f.seq, u.id, u.url, f.time FROM fetches f JOIN urls u ON u.id = f.url
    JOIN requests r ON r.url = u.id AND r.request IS NULL
    WHERE f.outcome = '{LIST}' AND substr(u.url, 1, {len(ORIGIN)}) = '{ORIGIN}' ORDER BY f.seq"""
BEFORE = "SELECT count(*) FROM fetches WHERE outcome = 'page' AND seq < ?"


@dataclass(frozen=True, slots=True)
class Question:
    """Words, and the search that is asked for pages with them; ``provider`` is the name that a person reads."""

    provider: str
    words: str

    @property
    def address(self) -> Address:
        """The address of the answer. A topic's rules about parameters, sessions and index pages do not change it."""
        url = f"{ORIGIN}{quote(self.provider, safe='')}{_WORDS}{quote(self.words, safe='')}"
        return UrlRules.address(UrlRules().canonical(url) or url)

    def __str__(self) -> str:
        return f"{self.words!r} ({self.provider})"


def question_at(url: str) -> Question | None:
    """The question whose answer is kept under a URL; None for any other URL."""
    if not url.startswith(ORIGIN):
        return None
    provider, mark, words = url.removeprefix(ORIGIN).partition(_WORDS)
    return Question(unquote(provider), unquote(words)) if mark else None


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question that has an answer.

    seq : event of the journal
    url : id of its address
    """

    seq: int
    url: int
    question: Question
    time: str


def questions_asked(store: Store) -> list[AnsweredQuestion]:
    """All questions of a collection that have an answer, in order."""
    rows = store.execute(ASKED).fetchall()
    found = ((seq, url, question_at(text), time) for seq, url, text, time in rows)
    return [AnsweredQuestion(seq, url, question, time) for seq, url, question, time in found if question is not None]


def pages_before(store: Store, seq: int) -> int:
    """Number of pages that came before an event."""
    return int(store.execute(BEFORE, (seq,)).fetchone()[0])
