"""`scrapy datasets`: topic files and label files of a data set, to evaluate crawls on topics whose truth is known."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.command import FocusedCommand
from focused.errors import FocusedError
from focused.evaluation.errors import EvaluationError
from focused.evaluation.topics import LabelledTopic, write_topics
from focused.evaluation.webkb_topics import webkb_topics
from focused.evaluation.wikispeedia_topics import NEARNESS, REPORT, development, report, wikispeedia_topics
from focused.plain_files import shown_path
from focused.webs.opening import open_web
from focused.webs.webkb import WebKB
from focused.webs.wikispeedia import LAYOUTS, Wikispeedia

SPLITS = {"development": development, REPORT: report}
COLUMNS = ("TOPIC", "SEEDS", "TARGETS", "REACHABLE", "KEYWORDS")


class Command(FocusedCommand):
    examples = """
scrapy datasets topics wikispeedia.tar.xz --out topics-wikispeedia
scrapy datasets topics wikispeedia.tar.xz --out topics-final --split report --layout article
scrapy datasets topics webkb.tar.xz --out topics-webkb
FOCUSED_TOPICS_DIR is then the folder: scrapy topics -s FOCUSED_TOPICS_DIR=topics-webkb"""

    def syntax(self) -> str:
        return "[options] topics DATASET --out DIR"

    def short_desc(self) -> str:
        return "Write the topics of a data set (WebKB, Wikispeedia), each with a file of labels to judge crawls by"

    def long_desc(self) -> str:
        return (
            "topics DATASET: for each topic write NAME.toml, which a crawl reads, and NAME.labels.json, which only the\n"
            "evaluation reads; then list them, with the targets that links lead to from the seeds (REACHABLE).\n"
            "Wikispeedia: each topic twice, with seeds inside the topic (near) and two or three links away (far)."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the files, made if it is not there")
        parser.add_argument(
            "--layout", choices=LAYOUTS, help="Wikispeedia: a host per subject (default), or per article"
        )
        parser.add_argument(
            "--split",
            choices=SPLITS,
            help="Wikispeedia: the 24 topics to develop with (default), or the 36 to report on, which nobody tunes on",
        )
        parser.add_argument(
            "--seed", type=int, metavar="N", help="Wikispeedia: another random choice of seeds (default: 0)"
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if len(args) != 2 or args[0] != "topics":
            raise UsageError(
                "give the word topics and one data set, as in: scrapy datasets topics webkb.tar.xz --out DIR"
            )
        if opts.out is None:
            raise UsageError("--out is missing: the folder to write to")
        topics = _topics(args[1], opts)
        write_topics(topics, opts.out)
        print("\n".join(_table(topics)))
        print(f"{len(topics)} topics are written to {shown_path(opts.out)}, each with its labels beside it.")


def _topics(path: str, opts: argparse.Namespace) -> list[LabelledTopic]:
    web = open_web([path], layout=opts.layout)
    if isinstance(web, Wikispeedia):
        chosen, final = SPLITS[opts.split or "development"](), opts.split == REPORT
        return [
            topic
            for near in NEARNESS
            for topic in wikispeedia_topics(web, chosen, near, opts.seed or 0, report_topics=final)
        ]
    if not isinstance(web, WebKB):
        raise EvaluationError(f"{path}: no data set with labels; topics can be made of WebKB and Wikispeedia")
    if opts.split is not None or opts.seed is not None:
        raise FocusedError("--split and --seed are for Wikispeedia; WebKB has one set of topics: leave them out")
    return webkb_topics(web)


def _table(topics: list[LabelledTopic]) -> list[str]:
    rows: list[tuple[str, ...]] = [COLUMNS]
    for topic in topics:
        found = topic.judgements
        counts = (len(topic.seeds), len(found.targets), len(found.reachable or ()))
        rows.append((topic.name, *map(str, counts), ", ".join(topic.keywords)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
