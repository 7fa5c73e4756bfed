"""Collections in crawl.db by SQL alone, as large and as strange as a test wants."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from focused.collection.store import Store
from tests.small_web import topic_of

TIME = "2026-01-01T00:00:00+00:00"


@dataclass(frozen=True, slots=True)
class MadeUp:
    """One fetched page; nothing of it is stored but its title."""

    host: str
    title: str
    relevant: bool = False
    links: Sequence[int] = ()  #: numbers of the pages that it links to


def make_collection(folder: Path, pages: Sequence[MadeUp]) -> None:
    """Write a collection of these pages, or add those that it does not have yet; the first is a seed and leads to all others."""
    folder.mkdir(parents=True, exist_ok=True)
    store = Store(folder / "crawl.db")
    known = store.execute("SELECT count(*) FROM urls").fetchone()[0]
    if not known:
        topic = topic_of()
        store.execute(
            "INSERT INTO runs (id, started, ended, version, strategy, topic) VALUES (1, ?, ?, '0', 'x', ?)",
            (TIME, TIME, json.dumps(topic.as_dict())),
        )
        store.execute("INSERT INTO seeds VALUES (1, 0)")
    hosts = {name: number for number, (name, _) in enumerate(store.hosts())}
    for page in pages:
        hosts.setdefault(page.host, len(hosts))
    new = list(enumerate(pages))[known:]
    url = [f"http://{page.host}/{i}" for i, page in enumerate(pages)]
    store.replace_all(
        [
            ("INSERT OR REPLACE INTO hosts VALUES (?, ?, NULL)", [(number, name) for name, number in hosts.items()]),
            ("INSERT INTO urls VALUES (?, ?, ?, ?)", [(i, i, hosts[page.host], url[i]) for i, page in new]),
            (
                "INSERT INTO picks (seq, run, url, time, score, parts, source, depth) VALUES (?, 1, ?, ?, 1, '{}', ?, ?)",
                [(2 * i + 2, i, TIME, None if i == 0 else 0, int(i > 0)) for i, _ in new],
            ),
            (
                "INSERT INTO fetches (seq, run, pick, url, final_url, outcome, time, title, relevance, relevant) "
                "VALUES (?, 1, ?, ?, ?, 'page', ?, ?, ?, ?)",
                [
                    (2 * i + 3, 2 * i + 2, i, i, TIME, page.title, 0.9 if page.relevant else 0.1, int(page.relevant))
                    for i, page in new
                ],
            ),
            (
                "INSERT INTO links VALUES (?, ?, ?, '', NULL)",
                [(i, at, target) for i, page in new for at, target in enumerate(page.links)],
            ),
        ]
    )
    store.close()


SUBJECTS = (
    "solar panel inverter roof energy module watt battery grid silicon mounting tracker",
    "football referee goal stadium striker league cup penalty keeper midfield corner derby",
    "tomato soup kitchen recipe onion garlic pasta basil oven butter flour saucepan",
    "violin orchestra symphony concert composer opera cello oboe sonata conductor quartet aria",
)


def about(subject: int, number: int, **more: object) -> MadeUp:
    """A page about one of four subjects, by five of its words; the first is what the topic is about."""
    words = SUBJECTS[subject].split()
    title = " ".join(Random(f"{subject} {number}").sample(words, 5))
    return MadeUp(f"site{number % 5}.example", f"{title} - Site {number % 5}", relevant=subject == 0, **more)  # type: ignore[arg-type]
