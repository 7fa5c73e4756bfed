"""``python -m focused.desk.dashboard.seed_finding_process``: makes a search for seeds that a dashboard asks for.

It reads one line of JSON: ``topic`` (as `Topic.as_dict`), ``specs`` of providers, ``sources``, ``settings`` as on a command line.
It writes lines of JSON: ``{"told": ...}`` for what is done, and last ``{"judged": [...]}`` or ``{"trouble": ...}``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from scrapy.utils.conf import arglist_to_dict
from scrapy.utils.project import get_project_settings

from focused import strategies
from focused.desk.dashboard.worker import begin_work
from focused.exceptions import FocusedError
from focused.page.plain_text import plain
from focused.seeds.searching.search_options import Wish
from focused.seeds.searching.search_spider import Search, make_search
from focused.topic.project_settings import add_own_defaults
from focused.topic.topic_tables import topic_of_run

SECONDS = 120.0  #: that it may take: a person waits
LONGEST = 300  #: characters of a title


def tell(**fields: Any) -> None:
    print(json.dumps(fields), flush=True)


def found(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The pages that were looked at, the best first. Raises FocusedError where nobody could be asked."""
    settings = get_project_settings()
    add_own_defaults(settings)
    settings.setdict(arglist_to_dict(asked["settings"]), priority="cmdline")
    settings.set("LOG_LEVEL", "ERROR", priority="cmdline")
    topic = topic_of_run(asked["topic"], strategies, "what was asked for")
    wish = Wish(seconds=SECONDS)
    search = Search(topic, asked["specs"], asked["sources"], wish, lambda line: tell(told=plain(line, LONGEST)))
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


def main() -> None:
    asked = json.loads(sys.stdin.readline())
    begin_work()
    try:
        tell(judged=found(asked))
    except FocusedError as error:
        tell(trouble=str(error))


if __name__ == "__main__":
    main()
