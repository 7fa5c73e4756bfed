"""Explains from a crawl's journal why a URL was fetched when it was, why it still waits, or why it was dropped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from focused.collection.collection import is_crawled
from focused.collection.store import DROPPED, IS_AGAIN, LIST, Store
from focused.crawl.crawl import Crawl
from focused.crawl.standing_orders import OrderKind
from focused.crawl.strategy import Strategy
from focused.explain.plain_output import TableColumn, print_table
from focused.live.questions import question_at
from focused.page.page_kind import meaning_of
from focused.topic.topic import Relevance

MOST_LINKS = 10  #: links to a URL that are listed, the best scored first
MOST_MEANINGS = 3  #: parts of a score that are explained in words: those that moved it most
LEAST_MOVED = 0.005  #: parts that moved the score by less would be shown as 0.00, and are left out


def explain(store: Store, crawl: Crawl, url: int) -> Iterator[str]:
    """Yield what a person should know of a URL (by id), line by line.

    ``crawl`` is the core at the end of the journal (see `resume.restore`).
    """
    yield store.url(url)
    fetch = store.execute(
        "SELECT seq, outcome, reason, status, time, bytes, relevance, relevant, final_url, duplicate_of, verdict, kind, file, "
        "offset FROM fetches WHERE (url = :url OR (final_url = :url AND outcome = 'page')) "
        f"AND NOT {IS_AGAIN} ORDER BY seq DESC LIMIT 1",
        {"url": url},
    ).fetchone()
    pick = store.execute(
        "SELECT seq, time, score, parts, depth, passed_over FROM picks WHERE url = ? ORDER BY seq DESC LIMIT 1", (url,)
    ).fetchone()
    if fetch is not None:
        yield from _fetched(store, crawl.topic.relevance, url, *fetch)
    elif pick is not None:
        if is_crawled(store.path.parent):
            yield f"  under way since {pick[1]}: no answer is written down yet"
        else:
            yield f"  under way since {pick[1]} when the crawl ended: the next run fetches it first"
    elif url in crawl.frontier:
        yield from _waits(crawl, url)
    else:
        yield from _dropped(store, url)
    if pick is not None:
        yield from _chosen(store, url, pick, crawl)
    its_own = pick is not None and set(json.loads(pick[3])) == set(crawl.strategy.parts)
    if crawl.strategy.weighed_by and (its_own or url in crawl.frontier):
        yield f"  weighed by {crawl.strategy.weighed_by}"
    yield from _found(store, url)


def print_waiting(store: Store, crawl: Crawl, count: int) -> None:
    """Print the URLs that come next, with scores and parts, and whether their domains let others go first."""
    ids, scores = crawl.frontier.waiting()
    rows = []
    for url, score in zip(ids[:count].tolist(), scores[:count].tolist(), strict=True):
        turn = "others first" if crawl.lets_others_go_first(url) else ""
        rows.append((f"{score:.4f}", turn, store.url(url), _parts(crawl.named_parts(url))))
    print(f"{len(ids):,} URLs wait; the best {len(rows):,}:")
    print_table((TableColumn("score", True), "turn", "URL", "made of"), rows)


def _fetched(
    store: Store, by: Relevance, url: int, seq: int, outcome: str, reason: str | None, *rest: object
) -> Iterator[str]:
    status, when, size, relevance, relevant, final, duplicate_of, verdict, kind, file, offset = rest
    if outcome == "failed":
        yield f"  failed at {when}: {reason}"
        return
    if outcome == "probe":
        yield f"  asked for at {when}, because no such page can be: {reason or 'the host gives one all the same'}"
        return
    if outcome == LIST and kind is None:
        yield f"  asked for at {when} as a sitemap or feed, and gave none: {reason}"
        return
    if outcome == LIST:
        if question := question_at(store.url(url)):
            yield f"  the answer of the search {question}, asked at {when}; it is no page of the collection"
            return
        yield f"  fetched at {when}: a {kind}, of which only the links were taken; it is no page of the collection"
        return
    if outcome == "alias":
        yield f"  redirects to {store.url(int(str(final)))}, which was known already: not fetched a second time"
        return
    number = store.execute(
        "SELECT count(*) FROM fetches WHERE outcome IN ('page', ?) AND seq <= ?", (DROPPED, seq)
    ).fetchone()[0]
    judged = ("relevant" if relevant else "not relevant") + (f" by model {by.model}" if by.is_trained else "")
    yield f"  fetched as page {number:,} at {when}: status {status}, {size:,} bytes, relevance {relevance:.3f} ({judged})"
    if final != url:
        yield f"  redirected to {store.url(int(str(final)))}"
    if verdict is not None:
        original = f" of {store.url(int(str(duplicate_of)))}" if duplicate_of is not None else ""
        yield f"  {verdict}{original}: it brings nothing new, so it does not count as relevant"
    if kind is not None:
        counts = "counts as relevant because the topic says so" if relevant else "does not count as relevant"
        yield f"  {kind}: {meaning_of(str(kind))}, so it {counts}"
    yield (
        f"  not stored, or not all of it: {reason}" if outcome == DROPPED else f"  stored in {file} at byte {offset:,}"
    )
    looks = store.execute(
        f"SELECT time, outcome, reason FROM fetches WHERE {IS_AGAIN} AND url = ? ORDER BY seq", (final,)
    )
    for again, became, why in looks:
        yield f"  asked for once more at {again}: {became}{f' ({why})' if why else ''}"


def _chosen(store: Store, url: int, pick: tuple[Any, ...], crawl: Crawl) -> Iterator[str]:
    seq, when, score, parts, depth, passed_over = pick
    by_name, strategy = json.loads(parts), crawl.strategy
    yield f"  chosen at {when} with score {score:.4f} at depth {depth}  {_parts(by_name)}"
    yield from _in_words(strategy, by_name)
    if passed_over is not None:
        whys = [strategy.choice] if strategy.choice and set(by_name) == set(strategy.parts) else []
        whys += ["the domain of that one let others go first"] if crawl.traps.options.turns else []
        why = f": {', or '.join(whys)}" if whys else ""
        yield f"  chosen although a URL with score {passed_over:.4f} could have been taken{why}"
    found = store.execute(
        "SELECT min(f.seq) FROM links l JOIN fetches f ON f.final_url = l.page AND f.outcome = 'page' WHERE l.target = ?",
        (url,),
    ).fetchone()[0]
    if found is None or found > seq:
        return
    better, worse, preferred = store.execute(
        "SELECT sum(score >= :score), sum(score < :score), sum(score < :score AND passed_over >= :score) "
        "FROM picks WHERE seq > :found AND seq < :seq",
        {"score": score, "found": found, "seq": seq},
    ).fetchone()
    reasons = "while its host was busy, or before its own score had risen"
    if preferred:
        reasons = f"{preferred:,} because the strategy preferred them or it was their turn, any others {reasons}"
    yield (
        f"  while it waited, others were chosen before it: {better or 0:,} that scored at least as high, and "
        f"{worse or 0:,} that scored lower{f' ({reasons})' if worse else ''}"
    )


def _waits(crawl: Crawl, url: int) -> Iterator[str]:
    frontier = crawl.frontier
    ids, scores = frontier.waiting()
    place = ids.tolist().index(url) + 1
    parts = crawl.named_parts(url)
    yield f"  waits at place {place:,} of {len(ids):,} with score {frontier.score(url):.4f}  {_parts(parts)}"
    yield from _in_words(crawl.strategy, parts)
    yield f"  the best that waits has {scores[0]:.4f}"
    if crawl.lets_others_go_first(url):
        yield "  its domain has used up its pages, so other domains go first (turns)"


def _dropped(store: Store, url: int) -> Iterator[str]:
    row = store.execute("SELECT reason FROM drops WHERE url = ?", (url,)).fetchone()
    yield f"  dropped: {row[0]}" if row else "  known, but it does not wait: the strategy gave it no score"


def _found(store: Store, url: int) -> Iterator[str]:
    if store.execute("SELECT 1 FROM seeds WHERE url = ?", (url,)).fetchone():
        yield "  a seed of the topic"
    for (when,) in store.execute(
        "SELECT time FROM steering WHERE url = ? AND kind = ? ORDER BY seq DESC LIMIT 1", (url, OrderKind.RAISE_URL)
    ):
        yield f"  raised by a person at {when}: it goes before what the strategy prefers"
    for (asked,) in store.execute("SELECT url FROM backlinks WHERE backlink = ? LIMIT ?", (url, MOST_LINKS)):
        yield f"  named as a page that links to {store.url(asked)}"
    count = store.execute("SELECT count(*) FROM links WHERE target = ?", (url,)).fetchone()[0]
    if count:
        yield f"  linked to {count:,} times from fetched pages:" if count > 1 else "  linked to once:"
    query = "SELECT score, page, anchor FROM links WHERE target = ? ORDER BY score DESC, rowid LIMIT ?"
    links = store.execute(query, (url, MOST_LINKS)).fetchall()
    pages = json.dumps([page for _, page, _ in links])
    kinds = dict(
        store.execute(
            "SELECT final_url, kind FROM fetches WHERE outcome = ? AND final_url IN (SELECT value FROM json_each(?))",
            (LIST, pages),
        ).fetchall()
    )
    for score, page, anchor in links:
        text = store.url(page)
        in_list = f"in the {kinds[page]} {text}" if page in kinds else text
        where = f"named by the search {question}" if (question := question_at(text)) else in_list
        yield f"    {'      -' if score is None else f'{score:7.4f}'}  {where}  {anchor!r}"
    if count > MOST_LINKS:
        yield f"    ... and {count - MOST_LINKS:,} more"


def _in_words(strategy: Strategy, parts: Mapping[str, float]) -> Iterator[str]:
    """Yield each link scorer's sum and below it its parts; without scorers, the parts that moved the score most."""
    if not strategy.sums or set(parts) != set(strategy.parts):
        yield from (f"    {value:+.2f}  {meaning}" for value, meaning in meanings_of(type(strategy), parts))
        return
    apart = set(parts).difference(*strategy.sums.values())
    for title, names in {**strategy.sums, "by itself": sorted(apart)}.items():
        moved = [name for name in names if abs(parts[name]) >= LEAST_MOVED]
        if moved:
            yield f"    {sum(parts[name] for name in names):+.2f}  {title}"
        for name in sorted(moved, key=lambda name: -abs(parts[name])):
            yield f"      {parts[name]:+.2f}  {strategy.meanings[name]}"


def meanings_of(strategy: type[Strategy], parts: Mapping[str, float]) -> Iterator[tuple[float, str]]:
    """Yield the parts that moved a score most and what they mean, largest first; nothing for another strategy's parts."""
    if set(parts) != set(strategy.parts):
        return
    moved = [name for name in strategy.meanings if abs(parts[name]) >= LEAST_MOVED]
    for name in sorted(moved, key=lambda name: -abs(parts[name]))[:MOST_MEANINGS]:
        yield parts[name], strategy.meanings[name]


def _parts(parts: Mapping[str, float]) -> str:
    return "(" + ", ".join(f"{name} {value:.4f}" for name, value in parts.items()) + ")" if parts else ""
