"""The findings of an audit in words: for `scrapy judge --findings` all of them, for `scrapy report` one line."""

from __future__ import annotations

from collections.abc import Iterator

from focused.collection.collection import AUDIT
from focused.collection.desk import Desk
from focused.collection.store import Store
from focused.desk.judging.agreement import FEWEST_JUDGED
from focused.desk.judging.audit import Audit, audit_of
from focused.desk.judging.judged_sheet import sheet_of
from focused.desk.judging.population import population
from focused.desk.judging.sheet import judged
from focused.exceptions import FocusedError
from focused.explain.harvest_watch import LEVEL, Share
from focused.topic.plain_files import shown_path


def findings(audit: Audit, threshold: float) -> Iterator[str]:
    """Yield the findings line by line. threshold : of relevance, the topic's present one."""
    left = audit.fetched - audit.distinct
    duplicates = f", {left:,} of which bring nothing new" if left else ""
    later = int(audit.pages.fetched[-1]) - audit.fetched
    since = f"; {later:,} more were fetched since" if later else ""
    judged_pages = f"{len(audit.judged):,} of {audit.drawn:,} drawn pages are judged"
    yield f"{judged_pages}; they stand for {audit.fetched:,} pages{duplicates}{since}"
    yield f"  harvest rate as judged    {_share(audit.harvest)}"
    slack = 1e-9  # rounding: where all pages are judged the interval is one number
    inside = audit.harvest.low - slack <= audit.own_harvest <= audit.harvest.high + slack
    yield f"  the crawl's own estimate  {audit.own_harvest:.1%} ({'inside' if inside else 'outside'} that interval)"
    if audit.newest_left:
        yield f"  Beware: the newest {audit.newest_left:,} pages of the sample are not judged: these are figures of older pages"
    yield ""
    yield from _strata(audit)
    yield ""
    for called, name in ((True, "Pages that the crawl calls relevant"), (False, "The others")):
        share = audit.relevant_share(called=called)
        count = sum(page.called is called for page in audit.judged)
        yield f"{name}: {f'{count:,} judged, of them relevant {_share(share)}' if share else 'none is judged'}"
    yield from _threshold(audit, threshold)


def one_line(store: Store) -> str | None:
    """The result of the audit that lies beside a database, for `scrapy report`; None if nothing is judged there."""
    try:
        audit = audit_so_far(store)
    except FocusedError as error:
        return f"Audit: {error}"
    if audit is None:
        return None
    beware = f"; the newest {audit.newest_left:,} of the sample are still to be judged" if audit.newest_left else ""
    return (
        f"Audit: harvest rate {_share(audit.harvest)} as a person judged {len(audit.judged):,} of the first "
        f"{audit.fetched:,} pages; the crawl's own estimate of them is {audit.own_harvest:.1%}{beware}"
    )


def harvest_in_short(store: Store) -> str | None:
    """The judged harvest rate for a line of progress; None where nothing can be told."""
    try:
        audit = audit_so_far(store)
    except FocusedError:  # `scrapy report` tells what is wrong
        return None
    return f"judged {audit.harvest.in_short()} of the first {audit.fetched:,}" if audit else None


def audit_so_far(store: Store) -> Audit | None:
    """The audit that lies beside a database; None if nothing is judged there."""
    path = store.path.with_name(AUDIT)
    lines = sheet_of(store, Desk(path.parent))
    return audit_of(store, population(store), lines, shown_path(path)) if judged(lines) else None


def _share(share: Share) -> str:
    return f"{share.value:.1%} ({LEVEL:.0%} interval {share.low:.1%} to {share.high:.1%})"


def _strata(audit: Audit) -> Iterator[str]:
    yield "  stratum  mean relevance   pages  judged  relevant"
    for stratum, counts in audit.strata.items():
        values = [page.relevance for page in audit.judged if page.stratum == stratum]
        yield (
            f"  {stratum:>7}  {sum(values) / len(values):>14.3f}  {counts.pages:>6,}  {counts.judged:>6,}  "
            f"{counts.relevant:>8,}  {counts.relevant / counts.judged:>4.0%}"
        )


def _threshold(audit: Audit, present: float) -> Iterator[str]:
    if len(audit.judged) < FEWEST_JUDGED:
        yield f"Threshold: judge {FEWEST_JUDGED} pages or more to be told which one agrees best"
        return
    best = audit.best_threshold(present)
    if best is None:
        yield "Threshold: none agrees with the judgements more often than chance would have it"
        return
    now = audit.agreement(present)
    told = f"agrees with {now.share:.0%} of the judgements (kappa {now.kappa:.2f})"
    if best.threshold == present:
        yield f"Threshold: the present {present:g} {told}; none agrees better"
        return
    better = f"{best.threshold:g} agrees best, with {best.share:.0%} (kappa {best.kappa:.2f})"
    yield f"Threshold: the present {present:g} {told}; {better}:"
    yield "    [relevance]"
    yield f"    threshold = {best.threshold:g}"
