"""Makes a collection as large as one likes without a crawl: tables and search index are written at once, the same at every run.

Its numbers of hosts, links and failures are those of ordinary crawls (20 links a page, half of them to new URLs); words have the
frequencies of Zipf's law. A few stored pages stand for all. There is no snapshot: the crawl cannot go on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import accumulate, islice
from pathlib import Path
from random import Random

from focused import strategies
from focused.collection.collection import DATABASE, PAGES, open_repository, open_to_read
from focused.collection.repository import Place, Stored
from focused.collection.store import Store
from focused.inspection.search import SEARCH, IndexEntry, SearchIndex, made_of, page_of
from focused.live.last_run import last_run
from focused.page.urls import Address, UrlRules
from focused.topic.topic_file import load_topic

VOCABULARY = 15_000  #: words, with the frequencies of Zipf's law
HOSTS, SECTIONS = 300, 40  #: over which URLs are spread, and the directories of each
SPREAD = 0x9E3779B97F4A7C15  #: odd, so that the keys of URLs differ and lie everywhere among 64 bits


def address(number: int) -> Address:
    """URL number n: a host, a directory and a name of two words."""
    words, host = vocabulary(), f"site{number % HOSTS}.example"
    section, first, second = words[number // HOSTS % SECTIONS], words[number % 997], words[number % 1499]
    key = (number + 1) * SPREAD % 2**64 - 2**63
    return Address(key, host, f"http://{host}/{section}/{first}-{second}-{number}.html")


@cache
def vocabulary() -> list[str]:
    random = Random(1)
    syllables = [first + second for first in "bdfgklmnprstv" for second in "aeiou"]
    words = ("".join(random.choices(syllables, k=random.randint(2, 5))) for _ in range(2 * VOCABULARY))
    return list(islice(dict.fromkeys(words), VOCABULARY))


@cache
def weights() -> list[float]:
    return list(accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))


LINKS, NEW = 20, 10  #: of each page, and those of them that lead to new URLs
WORDS = 300  #: of the text of a page
STORED = 50  #: pages whose bytes there are
FAILS, DROPPED = 10, 20  #: of 100 fetches, and of 100 known URLs
BATCH = 5_000
LANGUAGES = ("en", "en", "en", "en", "de", "fr", "")
REASONS = ("http 404", "http 404", "http 403", "timeout", "host name not found", "robots.txt")
PARTS = json.dumps({"base": 0.1, "anchor": 0.3, "context": 0.2, "host": -0.05})
BEGAN = datetime(2026, 3, 1, tzinfo=UTC)


def make(folder: Path, pages: int, stored: int = STORED) -> None:
    """Write a collection of so many pages into an empty folder.

    stored : pages whose bytes there are; they stand for all
    """
    folder.mkdir(parents=True)
    topic = load_topic("demo", strategies)
    places = _stored(folder, stored)
    with closing(Store(folder / DATABASE)) as store, store.db:
        started = BEGAN.isoformat()
        store.db.execute("BEGIN")
        store.db.execute(
            "INSERT INTO runs VALUES (1, ?, ?, 36000, 'page budget reached', '0.2.0', 'adaptive', ?, '', 'page_budget', ?)",
            (started, started, json.dumps(topic.as_dict()), json.dumps({"waiting": pages * NEW // 2})),
        )
        store.db.executemany("INSERT INTO hosts VALUES (?, ?, NULL)", [(n, address(n).host) for n in range(HOSTS)])
        for start in range(0, pages, BATCH):
            for table, rows in _rows(start, min(pages, start + BATCH), places).items():
                places_of = ", ".join("?" * len(rows[0]))
                store.db.executemany(f"INSERT INTO {table} VALUES ({places_of})", rows)
    _index(folder)


def _stored(folder: Path, count: int) -> list[Place]:
    repository = open_repository("warc", folder / PAGES)
    places = []
    for number in range(count):
        body = f"<html lang=en><title>{title(number)}</title><main><p>{text(number)}</main></html>".encode()
        stored = Stored(address(number).url, 200, (("Content-Type", "text/html; charset=utf-8"),), body)
        places.append(repository.put(stored, BEGAN))
    repository.close()
    return places


def _rows(start: int, end: int, places: list[Place]) -> dict[str, list[tuple[object, ...]]]:
    """Rows of the tables for pages start to end; page n has the URL n, and its fetch the number 2n + 2."""
    chance = Random(start)
    found: dict[str, list[tuple[object, ...]]] = {name: [] for name in ("urls", "picks", "fetches", "links", "drops")}
    for n in range(start, end):
        first = HOSTS + n * NEW  # of the URLs that this page makes known
        known = range(HOSTS) if n == 0 else ()
        found["urls"] += [_url(one) for one in (*known, *range(first, first + NEW))]
        time = (BEGAN + timedelta(seconds=20 * n)).isoformat()
        pick, source = 2 * n + 1, max(0, n - HOSTS) // NEW
        found["picks"].append((pick, 1, n, time, 1 / (1 + n % 50), PARTS, source if n >= HOSTS else None, n % 12, None))
        if chance.randrange(100) < FAILS:
            failed = (pick + 1, 1, pick, n, None, "failed", chance.choice(REASONS), None, time)
            found["fetches"].append((*failed, *[None] * 19))
            continue
        place = places[n % len(places)]
        relevance = chance.random()
        page = (
            pick + 1,
            1,
            pick,
            n,
            n,
            "page",
            None,
            200,
            time,
            9000,
            "text/html",
            LANGUAGES[n % len(LANGUAGES)],
            title(n),
        )
        judged = (relevance, int(relevance > 0.6), f"{n:032x}", None, 0, 0, place.file, place.offset, place.length)
        found["fetches"].append((*page, *judged, *[None] * 6))
        targets = [chance.randrange(first) for _ in range(LINKS - NEW)] + list(range(first, first + NEW))
        found["links"] += [(n, at, to, f"words of link {to}", chance.random()) for at, to in enumerate(targets)]
        found["drops"] += [(to, "path too deep", pick + 1) for to in targets[-NEW:] if to % 100 < DROPPED]
    return found


def _url(number: int) -> tuple[int, int, int, str]:
    where = address(number)
    return number, UrlRules.key(where.url), number % HOSTS, where.url


def title(number: int) -> str:
    return " ".join(_words(Random(number), 6)).capitalize()


def text(number: int) -> str:
    return " ".join(_words(Random(-number - 1), WORDS))


def _words(chance: Random, count: int) -> list[str]:
    return chance.choices(vocabulary(), cum_weights=weights(), k=count)


def _index(folder: Path) -> None:
    with (
        closing(open_to_read(folder)) as store,
        closing(SearchIndex(folder / SEARCH, made_of(store, last_run(store).reading))) as index,
    ):
        done = index.up_to(store)
        for entries in _entries(store):
            index.add(done, entries)
            done = entries[-1].seq


def _entries(store: Store) -> Iterator[list[IndexEntry]]:
    rows = store.execute("SELECT seq, url, title FROM fetches WHERE outcome = 'page' ORDER BY seq")
    while some := rows.fetchmany(BATCH):
        last = some[-1][0]
        yield [
            IndexEntry(seq, url, page_of(store, seq) if seq == last else "", name, text(url)) for seq, url, name in some
        ]
