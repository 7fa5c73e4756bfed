"""The bed of most figures: Wikispeedia with a host per article, and ten articles of each topic as seeds."""

from __future__ import annotations

from typing import Any

from lab.figures.figure import Bench
from lab.topics.labelled_topics import LabelledTopic
from lab.topics.wikispeedia_topics import report, wikispeedia_topics
from lab.webs.wikispeedia import Wikispeedia

WIKISPEEDIA = "wikispeedia"
LAYOUT = "article"  #: a host per article: hubs count hosts, and no host makes a crawl wait
SEEDS = 10  #: as in Pant & Menczer 2003 and Diligenti et al. 2000
PAGES = 500  #: of a crawl, of 4,598


def topics(bench: Bench, *, each: int = 1) -> list[LabelledTopic]:
    """The 36 topics to report on, or every second or third of them; seeds are articles of the topic.

    Nothing was tuned on them, and nothing may be.
    """
    web = Wikispeedia(bench.webs[WIKISPEEDIA], LAYOUT)
    return wikispeedia_topics(web, report()[::each], seeds=SEEDS, report_topics=True)


def tables(strategies: dict[str, Any], **measures: Any) -> dict[str, Any]:
    """The tables of an experiment on these topics, with the network of a live crawl."""
    return {"experiment": {"pages": PAGES}, "strategies": strategies, "measures": measures}
