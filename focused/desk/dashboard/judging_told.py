"""What the verdicts of one pile say so far, for the judging page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focused.collection.desk import AUDIT_PILE, TEACH_PILE, Desk
from focused.collection.store import Store
from focused.crawl.teaching import JUDGED
from focused.desk.judging.findings import audit_so_far
from focused.desk.judging.judged_sheet import sheet_of
from focused.exceptions import FocusedError
from focused.explain.harvest_watch import LEVEL, Share

LESSONS = 6  #: that are shown, the newest


@dataclass(frozen=True, slots=True)
class LessonTold:
    """What came of refitting the page model once.

    judged, yes : verdicts that it learned from, and how many of them say on topic
    before, after : average precision of the topic's page model and of the refitted one, on verdicts that it has not learned from
    kept : the refitted one judges pages from then on
    looked, gained, lost : of the newest pages, how many were judged once more, and are now on topic, or no more
    """

    judged: int
    yes: int
    before: float
    after: float
    kept: bool
    looked: int
    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class Told:
    """How far a pile is judged, and what that says.

    yes, no : verdicts by what they say; of the audit those of the sample alone
    drawn : pages of the audit's sample; 0: none was drawn, or it is the other pile
    harvest, own : of the audit: the harvest rate by the verdicts, in words, and by the crawl itself
    trouble : why there is no harvest rate yet
    taken : of the pile that teaches: verdicts that a crawl has taken
    lessons : what it has learned, newest first
    """

    yes: int
    no: int
    drawn: int = 0
    harvest: str = ""
    own: str = ""
    trouble: str = ""
    found: Sequence[tuple[str, str]] = ()
    taken: int = 0
    lessons: Sequence[LessonTold] = ()

    @property
    def judged(self) -> int:
        return self.yes + self.no


def said_so_far(store: Store, desk: Desk, pile: str) -> Told:
    """Raises AuditError for a sheet that cannot be read."""
    return _of_audit(store, desk) if pile == AUDIT_PILE else _of_lessons(store, desk)


def _of_audit(store: Store, desk: Desk) -> Told:
    sample = [line for line in sheet_of(store, desk) if line.stratum is not None]
    yes, no = (sum(line.relevant is said for line in sample) for said in (True, False))
    if not yes + no:
        return Told(yes, no, len(sample))
    try:
        audit = audit_so_far(store)
    except FocusedError as error:
        return Told(yes, no, len(sample), trouble=str(error))
    if audit is None:
        return Told(yes, no, len(sample))
    called = (audit.relevant_share(called=True), audit.relevant_share(called=False))
    found = [
        (name, share.in_short() if share else "none is judged")
        for name, share in zip(("of pages that the crawl calls relevant", "of the others"), called, strict=True)
    ]
    return Told(yes, no, len(sample), _in_words(audit.harvest), f"{audit.own_harvest:.0%}", found=found)


def _of_lessons(store: Store, desk: Desk) -> Told:
    verdicts = desk.verdicts(TEACH_PILE)
    yes = sum(verdict.relevant for verdict in verdicts)
    known = {number for (number,) in store.execute("SELECT desk FROM steering WHERE kind = ?", (JUDGED,))}
    rows = store.execute(
        "SELECT judged, yes, before, after, kept, looked, gained, lost FROM lessons ORDER BY seq DESC LIMIT ?",
        (LESSONS,),
    )
    lessons = [
        LessonTold(judged, on, before, after, bool(kept), *rest) for judged, on, before, after, kept, *rest in rows
    ]
    taken = sum(verdict.seq in known for verdict in verdicts)
    return Told(yes, len(verdicts) - yes, taken=taken, lessons=lessons)


def _in_words(share: Share) -> str:
    return f"{share.value:.0%} ({LEVEL:.0%} interval {share.low:.0%} to {share.high:.0%})"
