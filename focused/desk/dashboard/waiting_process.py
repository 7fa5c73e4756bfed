"""``python -m focused.desk.dashboard.waiting_process FOLDER``: writes what waits in the queue of a crawl, as JSON.

The queue lies in the memory of the crawl; here it is made again of the last snapshot and of the journal that follows it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.store import Store
from focused.collection.trained_model import MODELS
from focused.crawl.crawl import Crawl
from focused.desk.dashboard.worker import begin_work
from focused.exceptions import FocusedError
from focused.explain.explanation import meanings_of
from focused.live.assemble import assemble, model_of, tell_what_is_asked
from focused.live.last_run import last_run, topic_of_last_run
from focused.live.resume import restore
from focused.live.snapshots import fits

MOST_URLS = 500  #: that are listed, those that come first
MOST_HOSTS = 5_000  #: whose URLs are counted, those with the most
MOST_EVENTS = 20_000  #: that are replayed where there is no snapshot: a minute or two


def waiting(folder: Path) -> dict[str, Any]:
    """What waits, best first. Raises FocusedError where it cannot be known."""
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
    last = store.execute("SELECT time FROM fetches ORDER BY seq DESC LIMIT 1").fetchone()
    return {
        "as_of": store.committed,
        "time": last[0] if last else "",
        "count": len(ids),
        "hosts": [
            [store.execute("SELECT name FROM hosts WHERE id = ?", (host,)).fetchone()[0], n] for host, n in hosts
        ],
        "urls": [
            _described(store, crawl, url, score)
            for url, score in zip(ids[:MOST_URLS].tolist(), scores[:MOST_URLS].tolist(), strict=True)
        ],
    }


def _described(store: Store, crawl: Crawl, url: int, score: float) -> dict[str, Any]:
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


def main() -> None:
    begin_work()
    try:
        print(json.dumps(waiting(Path(sys.argv[1]))))
    except FocusedError as error:
        sys.exit(print(error) or 1)


if __name__ == "__main__":
    main()
