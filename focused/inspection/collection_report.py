"""Reports what a crawl has collected, in tables and as a picture; reads crawl.db, also while the crawl is running."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focused.collection.collection import is_crawled
from focused.collection.store import DROPPED, IS_AGAIN, Store
from focused.crawl.arrays import BoolArray
from focused.crawl.budget import SLIDING
from focused.exceptions import FocusedError
from focused.explain.harvest_watch import fall_of, shown_harvest
from focused.explain.plain_output import TableColumn, table_text
from focused.explain.strangers import strangers, warnings_of
from focused.inspection.plots import Curve, draw_lines
from focused.live.questions import AnsweredQuestion, questions_asked
from focused.page.plain_text import plain

MOST_ROWS = 10  #: of each table
NUMBER, COUNT = TableColumn("run", is_number=True), TableColumn("URLs", is_number=True)
MOST_QUESTIONS, LONGEST_WORDS = 20, 60  #: questions listed, those that led to most pages; characters of a text
#: Fetched: pages whose best link was a result. Led to: these, and all pages found by way of them.
QUESTIONS: tuple[TableColumn | str, ...] = (
    *(
        TableColumn(name, is_number=True)
        for name in ("results", "new", "barred", "fetched", "relevant", "led to", "relevant")
    ),
    *("words", "provider"),
)
CUT_OFF = "cut off"  #: a run that could not record its end


def tables(store: Store) -> Iterator[str]:
    """Yield the report of a collection, line by line."""
    pages, relevant, size, failures, stale, silent, unstored = store.execute(
        "SELECT sum(outcome = 'page'), sum(relevant AND outcome = 'page'), sum(bytes), sum(outcome = 'failed'), "
        "sum(verdict IS NOT NULL AND outcome = 'page'), "
        f"sum(kind IS NOT NULL AND outcome = 'page'), sum(outcome = '{DROPPED}') "
        f"FROM fetches WHERE NOT {IS_AGAIN}"
    ).fetchone()
    harvest = (relevant or 0) / pages if pages else 0.0
    yield (
        f"{pages or 0:,} pages ({(size or 0) / 1e6:,.1f} MB), {relevant or 0:,} relevant by the crawl's own page model "
        f"(harvest rate {harvest:.1%}), {stale or 0:,} that bring nothing new, {silent or 0:,} that hardly say anything, "
        f"{failures or 0:,} failures{f', {unstored:,} that the item pipelines have not stored' if unstored else ''}"
    )
    flags = _relevant(store)
    if len(flags):
        yield f"Harvest rate, {shown_harvest(flags)}: the interval (95%) covers sampling error only, not that of the page model"
    if fall := fall_of(flags):
        yield fall.warning_of(store.path.parent.name)
    yield from warnings_of(strangers(store), store.path.parent.name)
    yield from _table(
        store,
        "Runs",
        (NUMBER, "started", "ended", TableColumn("seconds", is_number=True), "strategy", "why it ended"),
        "SELECT id, substr(started, 1, 19), "
        "substr(coalesce(ended, CASE WHEN id = (SELECT max(id) FROM runs) THEN ? ELSE ? END), 1, 19), "
        "cast(round(seconds) AS INTEGER), "
        "strategy, coalesce(reason, '') FROM runs",
        ("running" if is_crawled(store.path.parent) else CUT_OFF, CUT_OFF),
    )
    yield from _table(
        store,
        "Hosts by relevant pages",
        (*(TableColumn(name, is_number=True) for name in ("relevant", "pages", "failures")), "host"),
        "SELECT coalesce(relevant, 0), coalesce(pages, 0), coalesce(failures, 0), host FROM host_totals "
        "WHERE fetches > 0 ORDER BY 1 DESC, 2 DESC",
    )
    yield from questions(store)
    yield from _table(
        store,
        "Pages that bring nothing new",
        (TableColumn("pages", is_number=True), "verdict"),
        "SELECT count(*), verdict FROM fetches WHERE verdict IS NOT NULL AND outcome = 'page' GROUP BY verdict ORDER BY 1 DESC",
    )
    yield from _table(
        store,
        "Pages found in lists: sitemaps, feeds and the like",
        (*(TableColumn(name, is_number=True) for name in ("pages", "relevant")), "kind", "list"),
        "SELECT count(*), coalesce(sum(f.relevant), 0), l.kind, u.url FROM fetches l JOIN picks p ON p.source = l.final_url "
        "JOIN fetches f ON f.pick = p.seq AND f.outcome = 'page' JOIN urls u ON u.id = l.final_url "
        "WHERE l.outcome = 'list' GROUP BY l.final_url ORDER BY 2 DESC, 1 DESC",
    )
    yield from _table(
        store,
        "Pages that were asked for once more",
        (TableColumn("times", is_number=True), "outcome", "reason"),
        "SELECT count(*), outcome, coalesce(reason, '') FROM revisits GROUP BY outcome, reason ORDER BY 1 DESC",
    )
    yield from _table(
        store,
        "Pages that hardly say anything themselves",
        (*(TableColumn(name, is_number=True) for name in ("pages", "relevant")), "kind"),
        "SELECT count(*), sum(relevant), kind FROM fetches WHERE kind IS NOT NULL AND outcome = 'page' "
        "GROUP BY kind ORDER BY 1 DESC",
    )
    yield from _table(
        store, "Failures", (COUNT, "reason"), "SELECT count(*), reason FROM failures GROUP BY reason ORDER BY 1 DESC"
    )
    yield from _table(
        store, "Dropped URLs", (COUNT, "reason"), "SELECT count(*), reason FROM dropped GROUP BY reason ORDER BY 1 DESC"
    )


@dataclass(slots=True)
class Brought:
    """What the answer to a question brought.

    new : results that no page named before; of these, ``barred`` may not be followed
    fetched, relevant : pages whose best link was one of the results, and relevant ones
    reached, reached_relevant : the same for all pages whose path from the start begins with the answer
    """

    asked: AnsweredQuestion
    results: int = 0
    new: int = 0
    barred: int = 0
    fetched: int = 0
    relevant: int = 0
    reached: int = 0
    reached_relevant: int = 0


RESULTS = """
    SELECT count(DISTINCT target), count(DISTINCT iif(target > page, target, NULL)),
        count(DISTINCT iif(target > page AND score IS NULL, target, NULL)) FROM links WHERE page = ?"""
STEPS = f"""
    SELECT f.url, f.final_url, p.source, iif(f.outcome = 'page', f.relevant, NULL) FROM fetches f JOIN picks p ON p.seq = f.pick
    WHERE f.outcome IN ('page', 'list', '{DROPPED}') AND p.source IS NOT NULL ORDER BY f.seq"""


def what_they_brought(store: Store) -> list[Brought]:
    """What each question of a collection brought, in the order in which they were asked."""
    found = {one.url: Brought(one, *store.execute(RESULTS, (one.url,)).fetchone()) for one in questions_asked(store)}
    if not found:
        return []
    begins: dict[int, Brought] = {}  # page -> the question whose answer the way to it begins with
    for picked, final, source, relevant in store.execute(STEPS):
        if (own := found.get(source)) is not None:
            own.fetched += relevant is not None
            own.relevant += relevant or 0
        if (first := own or begins.get(source)) is not None:
            begins[picked] = begins[final] = first
            first.reached += relevant is not None
            first.reached_relevant += relevant or 0
    return list(found.values())


def questions(store: Store) -> Iterator[str]:
    """What each question to a search brought, line by line; no line if none was asked."""
    rows = [
        (
            *(one.results, one.new, one.barred, one.fetched, one.relevant, one.reached, one.reached_relevant),
            *(plain(one.asked.question.words, LONGEST_WORDS), plain(one.asked.question.provider, LONGEST_WORDS)),
        )
        for one in what_they_brought(store)
    ]
    best = sorted(rows, key=lambda row: (-row[6], -row[5]))
    yield from _listed(QUESTIONS, best, "Questions to searches, and what they brought", MOST_QUESTIONS)


def harvest_curve(store: Store) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Harvest rate after each fetched page: over all pages so far, and over the last 200."""
    relevant = _relevant(store)
    total = np.concatenate([[0], np.cumsum(relevant)]).astype(float)
    count = np.arange(1, len(relevant) + 1)
    start = np.maximum(count - SLIDING, 0)
    return total[1:] / count, (total[1:] - total[start]) / (count - start)


def plot(curves: Sequence[tuple[str, Store]], path: Path) -> None:
    """Draw the harvest curves of collections into one picture. Raises as `draw_lines`, and FocusedError without pages."""
    lines = []
    for name, store in curves:
        overall, sliding = harvest_curve(store)
        if not len(overall):
            raise FocusedError(f"{store.path}: no page was fetched yet, so there is nothing to draw")
        lines.append(Curve(name, overall, sliding, f"{name}, last {SLIDING}"))
    draw_lines(lines, path, "pages fetched", "harvest rate (share of relevant pages)", highest=1.02)


def _relevant(store: Store) -> BoolArray:
    """Which pages are relevant by the crawl's own page model, in order of arrival."""
    rows = store.execute("SELECT relevant FROM fetches WHERE outcome = 'page' ORDER BY seq").fetchall()
    return np.array([row[0] for row in rows], np.bool_)


def _table(
    store: Store, title: str, columns: Sequence[TableColumn | str], query: str, values: Sequence[str] = ()
) -> Iterator[str]:
    yield from _listed(columns, store.execute(query, values).fetchall(), title, MOST_ROWS)


def _listed(
    columns: Sequence[TableColumn | str], rows: Sequence[Sequence[object]], title: str, most: int
) -> Iterator[str]:
    """A table of the first rows, and how many more there are; no line where there is none."""
    if rows:
        yield ""
        yield table_text(columns, rows[:most], title, stream=sys.stdout)
    if len(rows) > most:
        yield f"... and {len(rows) - most:,} more"
