"""What a person's judgements say of a crawl: its harvest rate, how far its own relevance can be believed, a better threshold.

`findings` tells all of it for `scrapy judge --findings`, `one_line` the result for `scrapy report`; judgements are also handed
on, as labels and example files.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from focused.collection.collection import AUDIT, PAGES, open_repository
from focused.collection.desk import Desk
from focused.collection.repository import Place
from focused.collection.store import Store
from focused.crawl.arrays import BoolArray, FloatArray, IntArray
from focused.desk.judging.sheet import Population, SheetLine, judged, places, population, sheet_of
from focused.exceptions import AuditError, FocusedError
from focused.explain.harvest_watch import LEVEL, Share, wilson
from focused.page.page import Page
from focused.page.plain_text import cell
from focused.page.reader import Reader
from focused.topic.plain_files import shown_path, writing
from focused.topic.topic import Topic
from focused.topic.topic_file import toml_value

FEWEST_JUDGED = 20  #: below, a threshold would follow single pages
CHANCE = 0.01
LABELS = "labels.csv"
RELEVANT, OTHER = "relevant", "other"  #: classes of the list
EXAMPLES = "examples"
PLACES = (
    "SELECT u.url, f.content_type, f.file, f.offset, f.length FROM fetches f JOIN urls u ON u.id = f.final_url "
    "WHERE f.outcome = 'page' ORDER BY f.seq"
)


@dataclass(frozen=True)
class Counts:
    """What is known of a stratum: pages in it, how many of them were judged (at random), how many of those are relevant."""

    pages: int
    judged: int
    relevant: int


def stratified(strata: Sequence[Counts]) -> Share:
    """The share over all strata: the mean of their shares, each weighted by its pages.

    The distances of each stratum's share to the ends of its Wilson interval are squared, weighted and added (Zou, Huang
    and Zhang, "A note on confidence interval estimation for a linear function of binomial proportions", 2009). Every stratum
    must have a judged page.
    """
    total = sum(stratum.pages for stratum in strata)
    value = below = above = 0.0
    for stratum in strata:
        weight = stratum.pages / total
        share = wilson(stratum.relevant / stratum.judged, stratum.judged, stratum.pages)
        value += weight * share.value
        below += (weight * (share.value - share.low)) ** 2
        above += (weight * (share.high - share.value)) ** 2
    return Share(value, max(0.0, value - math.sqrt(below)), min(1.0, value + math.sqrt(above)))


def weighted_share(judgements: Sequence[bool], weights: Sequence[float]) -> Share | None:
    """The share among pages that each represent a number of others (their weights); None without pages.

    The interval is Wilson's for the effective number of pages: (sum of weights)² / sum of squares (Kish 1965).
    """
    if not judgements:
        return None
    total = math.fsum(weights)
    worth = total**2 / math.fsum(weight**2 for weight in weights)
    share = math.fsum(weight for weight, yes in zip(weights, judgements, strict=True) if yes) / total
    return wilson(min(1.0, share), worth)


@dataclass(frozen=True)
class Agreement:
    """How far "relevance reaches the threshold" and a person say the same.

    share : of pages, on which both agree
    kappa : 1 where they always agree, 0 where they agree as often as chance would have it (Cohen 1960)
    """

    threshold: float
    share: float
    kappa: float


def agreement(threshold: float, relevance: FloatArray, relevant: FloatArray, weights: FloatArray) -> Agreement:
    """Agreement at a threshold.

    relevance : (n,) in [0, 1]
    relevant : (n,) 1 or 0, as a person says
    weights : (n,) pages that each stands for
    """
    weights = weights / weights.sum()
    called = relevance >= threshold
    share = float(weights[called == (relevant == 1)].sum())
    calls, truth = float(weights[called].sum()), float(weights @ relevant)
    chance = calls * truth + (1 - calls) * (1 - truth)
    return Agreement(threshold, share, (share - chance) / (1 - chance) if chance < 1 else 0.0)


def best_threshold(
    present: float, relevance: FloatArray, relevant: FloatArray, weights: FloatArray
) -> Agreement | None:
    """The threshold of the greatest kappa, and the nearest to the present one among equals; arrays as in `agreement`.

    Kappa, because the share of agreement is greatest for a threshold that calls nothing relevant wherever few pages are.
    None below 20 pages, where a person gives all the same answer, or where no threshold agrees more than chance.
    """
    values = np.unique(relevance)
    if len(relevance) < FEWEST_JUDGED or len(np.unique(relevant)) < 2:
        return None
    between = [_between(low, high) for low, high in zip(values[:-1].tolist(), values[1:].tolist(), strict=True)]
    found = [agreement(threshold, relevance, relevant, weights) for threshold in [present, *between]]
    best = max(found, key=lambda one: (round(one.kappa, 12), -abs(one.threshold - present)))
    return best if best.kappa > 0 else None


def _between(low: float, high: float) -> float:
    """The number of fewest decimals above `low` and not above `high`, near their middle."""
    middle = (low + high) / 2
    rounded = (round(middle, decimals) for decimals in range(2, 17))
    return next((number for number in rounded if low < number <= high), high)


@dataclass(frozen=True)
class Audit:
    """A judged sample of a collection; arrays are (n,), over the pages that were judged, at least one of each stratum.

    pages : the collection's, by now
    sizes : stratum -> pages in it when the sample was drawn
    places : in the population
    relevant : 1 or 0, as a person says
    left : (m,) places of those that were not judged
    """

    pages: Population
    sizes: dict[int, int]
    places: IntArray
    stratum: IntArray
    relevant: FloatArray
    left: IntArray

    @property
    def judged(self) -> int:
        return len(self.places)

    @property
    def drawn(self) -> int:
        """Pages in the sample."""
        return len(self.places) + len(self.left)

    @property
    def distinct(self) -> int:
        """Pages that brought something new and were there when the sample was drawn."""
        return sum(self.sizes.values())

    @property
    def fetched(self) -> int:
        """All pages that were there then."""
        return int(self.pages.fetched[self.distinct - 1])

    @property
    def relevance(self) -> FloatArray:
        """(n,) in [0, 1], by the crawl's page model as it is now."""
        return self.pages.relevance[self.places]

    @property
    def called(self) -> BoolArray:
        """(n,) whether the crawl calls them relevant now."""
        return self.pages.called[self.places]

    @property
    def strata(self) -> dict[int, Counts]:
        """Stratum -> what is known of it, least relevant first."""
        answers = {stratum: self.relevant[self.stratum == stratum] for stratum in sorted(self.sizes)}
        return {one: Counts(self.sizes[one], len(said), int(said.sum())) for one, said in answers.items()}

    @cached_property
    def harvest(self) -> Share:
        """The harvest rate as a person sees it; one that brings nothing new is a page, and not relevant."""
        return stratified(list(self.strata.values())).times(self.distinct / self.fetched)

    @property
    def own_harvest(self) -> float:
        """The harvest rate of the same pages by the crawl's own page model."""
        return float(self.pages.called[: self.distinct].sum()) / self.fetched

    def relevant_share(self, *, called: bool) -> Share | None:
        """The share of relevant pages among those that the crawl calls relevant, or among the others; None if none is judged."""
        chosen = self.called == called
        return weighted_share((self.relevant[chosen] == 1).tolist(), self.weights[chosen].tolist())

    @cached_property
    def newest_left(self) -> int:
        """How many of the newest pages of the sample are not judged, if that is no chance; else 0.

        After a new draw in a crawl that has gone on, judgements are of older pages, which may be better or worse than the new.
        That all the newest n were left out by chance has a probability, and below `CHANCE` nobody should believe it.
        """
        left, drawn, judged = int((self.left > self.places.max()).sum()), self.drawn, self.judged
        return left if _log_choose(drawn - left, judged) - _log_choose(drawn, judged) < math.log(CHANCE) else 0

    @cached_property
    def weights(self) -> FloatArray:
        """(n,) pages that each judged page stands for."""
        counts = self.strata
        return np.array([counts[one].pages / counts[one].judged for one in self.stratum.tolist()])


def audit_of(store: Store, pages: Population, lines: Sequence[SheetLine], file: str) -> Audit:
    """Count the judgements of a sheet.

    file : the sheet's, for messages
    Raises AuditError if the sheet is of another crawl, or a stratum has no judged page.
    """
    sample = [line for line in lines if line.stratum is not None]
    if not any(line.relevant is not None for line in sample):
        raise AuditError(f"{file}: none of its {len(sample)} pages is judged; write yes or no into the column relevant")
    where = places(store, {line.url for line in lines})
    if strangers := [line.url for line in lines if line.url not in where]:
        raise AuditError(f"{file}: {strangers[0]} is no page of this collection; the file is of another crawl")
    sizes = {line.stratum: line.stratum_pages for line in sample if line.stratum is not None}
    if sum(sizes.values()) > len(pages):
        raise AuditError(
            f"{file}: its strata have {sum(sizes.values()):,} pages, the collection {len(pages):,}; the file is of another crawl"
        )
    judged = [line for line in sample if line.relevant is not None]
    stratum = np.array([line.stratum for line in judged], np.int64)
    if missing := sorted(sizes.keys() - set(stratum.tolist())):
        raise AuditError(
            f"{file}: no page of stratum {missing[0]} is judged, so nothing can be said of its {sizes[missing[0]]:,} pages; "
            "judge at least one of each stratum"
        )
    at = np.array([where[line.url] for line in judged], np.int64)
    left = np.array([where[line.url] for line in sample if line.relevant is None], np.int64)
    return Audit(pages, sizes, at, stratum, np.array([line.relevant for line in judged], np.float64), left)


def _log_choose(things: int, chosen: int) -> float:
    """The logarithm of the number of ways to choose k things."""
    return math.lgamma(things + 1) - math.lgamma(chosen + 1) - math.lgamma(things - chosen + 1)


def findings(audit: Audit, threshold: float) -> Iterator[str]:
    """Yield the findings line by line. threshold : of relevance, the topic's present one."""
    left = audit.fetched - audit.distinct
    duplicates = f", {left:,} of which bring nothing new" if left else ""
    later = int(audit.pages.fetched[-1]) - audit.fetched
    since = f"; {later:,} more were fetched since" if later else ""
    judged_pages = f"{audit.judged:,} of {audit.drawn:,} drawn pages are judged"
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
        count = int((audit.called == called).sum())
        told = (
            f"{count:,} judged; each counted for the pages it stands for, relevant are {_share(share)}" if share else ""
        )
        yield f"{name}: {told or 'none is judged'}"
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
        f"Audit: harvest rate {_share(audit.harvest)} as a person judged {audit.judged:,} of the first "
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
        mean = audit.relevance[audit.stratum == stratum].mean()
        yield (
            f"  {stratum:>7}  {mean:>14.3f}  {counts.pages:>6,}  {counts.judged:>6,}  "
            f"{counts.relevant:>8,}  {counts.relevant / counts.judged:>4.0%}"
        )


def _threshold(audit: Audit, present: float) -> Iterator[str]:
    if audit.judged < FEWEST_JUDGED:
        yield f"Threshold: judge {FEWEST_JUDGED} pages or more to be told which one agrees best"
        return
    judgements = audit.relevance, audit.relevant, audit.weights
    best = best_threshold(present, *judgements)
    if best is None:
        yield "Threshold: none agrees with the judgements more often than chance would have it"
        return
    now = agreement(present, *judgements)
    told = f"agrees with {now.share:.0%} of the judgements (kappa {now.kappa:.2f})"
    if best.threshold == present:
        yield f"Threshold: the present {present:g} {told}; none agrees better"
        return
    better = f"{best.threshold:g} agrees best, with {best.share:.0%} (kappa {best.kappa:.2f})"
    yield f"Threshold: the present {present:g} {told}; {better}:"
    yield "    [relevance]"
    yield f"    threshold = {best.threshold:g}"


def write_labels(judgements: Mapping[str, bool], folder: Path) -> Path:
    """Write a CSV file of URL and class."""
    path = folder / LABELS
    with writing(path, AuditError), path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("url", "class"))
        rows.writerows((cell(url), RELEVANT if relevant else OTHER) for url, relevant in judgements.items())
    return path


def write_examples(judgements: Mapping[str, bool], store: Store, topic: Topic, folder: Path) -> list[Path]:
    """Write title and text of each page judged relevant into a file of its own, as `examples` of a topic take them.

    topic : says how the pages are read, and where the collection keeps them
    Raises AuditError if a file cannot be written, StorageError if a page cannot be read. A page without text gives none.
    """
    reader = Reader(topic.reading, keep=topic.keywords_by_language)
    repository = open_repository(topic.storage.pages, store.path.parent / PAGES)
    written: list[Path] = []
    for url, content_type, *place in store.execute(PLACES):
        if not judgements.get(url):
            continue
        stored = repository.get(Place(*place))
        page = reader.read(url, stored.body, stored.content_type or content_type or "")
        if not isinstance(page, Page) or not page.terms:
            continue
        path = folder / EXAMPLES / f"{len(written) + 1:03}.txt"
        with writing(path, AuditError):
            path.write_text(f"{page.title}\n{page.text}\n", encoding="utf-8")
        written.append(path)
    return written


def use_of_examples(paths: list[Path]) -> Iterator[str]:
    """Yield the lines of a topic file that make the page model learn from examples."""
    yield "[topic]"
    yield "examples = ["
    yield from (f"    {toml_value(str(path.resolve()))}," for path in paths)
    yield "]"
    yield "[relevance]"
    yield 'model = "centroid"'
