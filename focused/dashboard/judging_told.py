"""What the verdicts of one pile say so far, for the judging page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focused.exceptions import FocusedError
from focused.reporting.audit.findings import audit_so_far
from focused.reporting.audit.judged_sheet import sheet_of
from focused.reporting.audit.proportion import LEVEL, Share
from focused.storage.desk import AUDIT_PILE, TEACH_PILE, Desk
from focused.storage.store import Store


@dataclass(frozen=True, slots=True)
class Told:
    """How far a pile is judged, and what that says.

    yes, no : verdicts by what they say; of the audit those of the sample alone
    drawn : pages of the audit's sample; 0: none was drawn, or it is the other pile
    harvest, own : of the audit: the harvest rate by the verdicts, in words, and by the crawl itself
    trouble : why there is no harvest rate yet
    """

    yes: int
    no: int
    drawn: int = 0
    harvest: str = ""
    own: str = ""
    trouble: str = ""
    found: Sequence[tuple[str, str]] = ()

    @property
    def judged(self) -> int:
        return self.yes + self.no


def told(store: Store, desk: Desk, pile: str) -> Told:
    """Raises AuditError for a sheet that cannot be read."""
    return _of_audit(store, desk) if pile == AUDIT_PILE else _of_lessons(desk)


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


def _of_lessons(desk: Desk) -> Told:
    said = [verdict.relevant for verdict in desk.verdicts(TEACH_PILE)]
    return Told(sum(said), len(said) - sum(said))


def _in_words(share: Share) -> str:
    return f"{share.value:.0%} ({LEVEL:.0%} interval {share.low:.0%} to {share.high:.0%})"
