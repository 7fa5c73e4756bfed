"""``python -m focused.desk.dashboard.tasks TASK [FOLDER]``: what a dashboard has done by processes of their own (`Job`).

``index`` brings the search index of a collection up to date. ``queue`` writes what waits in the queue of a crawl, as JSON: it lies
in the memory of the crawl, and is made again of the last snapshot and of the journal that follows it. ``seeds`` makes a search for
seeds, see `find_seeds`. ``crawl`` is a `scrapy` that has imported all it needs and waits to be told what to do: to import Scrapy
and ourselves takes longer than to fetch the first pages.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.store import Store
from focused.desk.job import begin_work
from focused.exceptions import FocusedError
from focused.live.last_run import last_run, topic_of_last_run
from focused.page.plain_text import plain

if TYPE_CHECKING:
    from focused.crawl.crawl import Crawl

MOST_URLS = 500  #: of a queue that are listed, those that come first
MOST_HOSTS = 5_000  #: whose URLs are counted, those with the most
MOST_EVENTS = 20_000  #: that are replayed where there is no snapshot: a minute or two
READY_SECONDS = 600.0  #: for which a process that is ready to crawl waits for a person to ask
SECONDS = 120.0  #: that a search for seeds may take: a person waits
LONGEST = 300  #: characters of a title
COMMAND = "command"  #: fields of what a crawl is told: the words of a command line,
LOG = "log"  #: and a file for what it says


def index(folder: str) -> None:
    begin_work()
    update_index(Path(folder))


def update_index(folder: Path) -> None:
    from focused.collection.sqlite_errors import damage_is_told
    from focused.inspection.search import Search

    with opened(folder) as store:
        run = last_run(store)
        options, kind = run.reading, run.pages
    with damage_is_told(store.path):
        Search(folder, options, open_repository(kind, folder / PAGES)).update(lambda *_: None)


def queue(folder: str) -> None:
    begin_work()
    print(json.dumps(waiting(Path(folder))))


def waiting(folder: Path) -> dict[str, Any]:
    """What waits, best first. Raises FocusedError where it cannot be known."""
    from focused.collection.trained_model import MODELS
    from focused.live.assemble import assemble, model_of, tell_what_is_asked
    from focused.live.resume import restore
    from focused.live.snapshots import fits

    with opened(folder) as store:
        topic = topic_of_last_run(store)
        models = folder.parent / MODELS
        reader, crawl = assemble(topic, models=models)
        if not last_run(store).had_model(model_of(topic, models)):
            raise FocusedError("its model was trained anew since the last run; run the crawl once more")
        if not fits(store, crawl) and store.committed > MOST_EVENTS:
            raise FocusedError(
                "the crawl has saved no state that can be read here, and reading all its pages again would take too long; it "
                "saves one now and then, and when it ends"
            )
        tell_what_is_asked(crawl, topic)
        restore(crawl, reader, store, open_repository(topic.storage.pages, folder / PAGES))
        return _listed(store, crawl)


def _listed(store: Store, crawl: Crawl) -> dict[str, Any]:
    ids, scores = crawl.frontier.waiting()
    hosts = Counter(crawl.urls.host[ids].tolist()).most_common(MOST_HOSTS)
    names = [name for name, _ in store.hosts()]
    last = store.execute("SELECT time FROM fetches ORDER BY seq DESC LIMIT 1").fetchone()
    return {
        "as_of": store.committed,
        "time": last[0] if last else "",
        "count": len(ids),
        "hosts": {names[host]: count for host, count in hosts},
        "urls": [
            _described(store, crawl, url, score)
            for url, score in zip(ids[:MOST_URLS].tolist(), scores[:MOST_URLS].tolist(), strict=True)
        ],
    }


def _described(store: Store, crawl: Crawl, url: int, score: float) -> dict[str, Any]:
    from focused.inspection.explanation import meanings_of

    parts, source = crawl.named_parts(url), int(crawl.urls.source[url])
    address = store.address(url)
    return {
        "url": address.url,
        "host": address.host,
        "score": score,
        "source": store.url(source) if source >= 0 else "",
        "depth": int(crawl.urls.depth[url]),
        "others_first": bool(crawl.lets_others_go_first(url)),
        "parts": parts,
        "meanings": list(meanings_of(type(crawl.strategy), parts)),
    }


def find_seeds() -> None:
    """Make a search for seeds that one line of JSON asks for, and write lines of JSON.

    It reads ``topic`` (as `Topic.as_dict`), ``specs`` of providers, ``sources``, ``settings`` as on a command line. It writes
    ``{"told": ...}`` for what is done, and last ``{"judged": [...]}`` or ``{"trouble": ...}``.
    """
    asked = json.loads(sys.stdin.readline())
    begin_work()
    try:
        tell(judged=found(asked))
    except FocusedError as error:
        tell(trouble=str(error))


def tell(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


def found(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The pages that were looked at, the best first. Raises FocusedError where nobody could be asked."""
    from scrapy.utils.conf import arglist_to_dict
    from scrapy.utils.project import get_project_settings

    from focused import strategies
    from focused.seeds.searching.search_options import SearchBudget
    from focused.seeds.searching.search_spider import RequestedSearch, make_search
    from focused.topic.project_settings import add_own_defaults
    from focused.topic.topic_tables import topic_of_run

    settings = get_project_settings()
    add_own_defaults(settings)
    settings.setdict(arglist_to_dict(asked["settings"]), priority="cmdline")
    settings.set("LOG_LEVEL", "ERROR", priority="cmdline")
    topic = topic_of_run(asked["topic"], strategies, "what was asked for")
    wish = SearchBudget(seconds=SECONDS)
    search = RequestedSearch(
        topic, asked["specs"], asked["sources"], wish, lambda line: tell(told=plain(line, LONGEST))
    )
    make_search(search, settings)
    if search.error is not None:
        raise search.error
    chosen = {page.url for page in search.chosen}
    return [
        {
            "url": page.url,
            "title": plain(page.title, LONGEST),
            "relevance": max(page.relevance, 0.0),
            "verdict": page.verdict,
            "good": page.good,
            "chosen": page.good and page.url in chosen,
            "origin": ": ".join(filter(None, (page.origin.provider, page.origin.query))),
        }
        for page in sorted(search.judged, key=lambda page: (-page.relevance, page.url))
    ]


def crawl() -> None:
    """Wait for a line that says what to do, and do it; end where nobody says anything."""
    from scrapy.cmdline import execute

    from focused.live.preloading import import_all

    import_all()
    patience = Timer(READY_SECONDS, os._exit, (0,))
    patience.start()
    asked = told(sys.stdin.readline())
    patience.cancel()
    if asked is None:
        return
    command, log = asked
    target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, to in ((nothing, 0), (target, 1), (target, 2)):
        os.dup2(source, to)
    sys.argv = ["scrapy", *command]
    execute(sys.argv)


def told(line: str) -> tuple[list[str], str] | None:
    """What a line tells a crawl; None for none."""
    if not line.strip():
        return None
    asked = json.loads(line)
    return [str(word) for word in asked[COMMAND]], str(asked[LOG])


DOES: dict[str, Callable[..., None]] = {"index": index, "queue": queue, "seeds": find_seeds, "crawl": crawl}


if __name__ == "__main__":
    try:
        DOES[sys.argv[1]](*sys.argv[2:])
    except FocusedError as error:
        sys.exit(print(error) or 1)
