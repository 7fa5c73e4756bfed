"""`python -m lab datasets`: fetches public data sets, and writes their topics with labels that crawls are judged by."""

from __future__ import annotations

import argparse
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import get_args

from scrapy.exceptions import UsageError

from focused.collection.collection import data_folder
from focused.exceptions import EvaluationError, FocusedError, WebError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import ProgressLine, TableColumn, print_table
from focused.papers.models.taxonomy import node_of
from focused.papers.taxonomies.importing import category_of
from focused.papers.taxonomies.listing_files import URLS, listings_of
from focused.simulation.known_webs import open_web
from focused.simulation.web_opener import CACHE
from focused.topic.plain_files import shown_path
from focused.topic.topic import Nofollow
from lab.topics.cora_topics import cora_topics
from lab.topics.directory_topics import LEAST, SEEDS, Choice, directory_topics, recorded_directory_topics
from lab.topics.documentation_topics import (
    DIFFICULTIES,
    SITES,
    documentation_topics,
    recorded_documentation_topics,
)
from lab.topics.labelled_topics import LabelledTopic, write_topics
from lab.topics.webkb_topics import webkb_topics
from lab.topics.wikispeedia_topics import NEARNESS, REPORT, development, report, scorecard, wikispeedia_topics
from lab.webs.cora import Cora
from lab.webs.kinds import data_set_kind
from lab.webs.published import PublishedDataSet, fetch, published, published_data_set, verify
from lab.webs.webkb import WebKB
from lab.webs.wikispeedia import LAYOUTS, Wikispeedia

OF_DIRECTORIES = ("under", "ending", "least")
OF_TOPICS = ("layout", "split", "seed", "web", "seeds", "nofollow", *OF_DIRECTORIES)
#: The options of `topics` that mean nothing to a kind of data set, by what it is called.
NOT_OF: dict[str, tuple[str, ...]] = {
    "a directory": ("layout", "split", "nofollow"),
    "the documentation web": ("layout", "split", "seed", *OF_DIRECTORIES),
    "Wikispeedia": ("web", "seeds", "nofollow", *OF_DIRECTORIES),
    "this data set": ("split", "seed", "web", "seeds", "nofollow", *OF_DIRECTORIES),
}
DIRECTORY = re.compile(r".*\.(rdf|u8|tsv)(\.gz)?")  #: name of a file that lists URLs by category
#: What may be done, and the options that mean nothing to it.
UNUSED: dict[str, tuple[str, ...]] = {
    "topics": (),
    "fetch": OF_TOPICS,
    "verify": ("out", *OF_TOPICS),
}
SPLITS = {"development": development, "scorecard": scorecard, REPORT: report}
COLUMNS = (
    "topic",
    TableColumn("seeds", True),
    TableColumn("targets", True),
    TableColumn("reachable", True),
    "keywords",
)


class Command(FocusedCommand):
    usage = "[options] topics DATASET --out DIR | fetch NAME... --out DIR | verify PATH..."
    summary = (
        "Fetch data sets (WebKB, Wikispeedia, Cora), and write topics of data sets, each with labels to judge crawls by"
    )
    about = (
        "topics DATASET: for each topic write NAME.toml, which a crawl reads, and NAME.labels.json, which only the\n"
        "evaluation reads; then list them, with the targets that links lead to from the seeds (reachable;\n"
        "all where it is not known).\n"
        "Wikispeedia: each topic twice, with seeds inside the topic (near) and two or three links away (far).\n"
        "Documentation web: DATASET is its topics.json; each topic twice, seeds easy and hard (no seed on a target's host).\n"
        "Directory: DATASET lists URLs by category (.rdf, .rdf.u8, .tsv, packed or not; a folder of Curlie's tables).\n"
        "Of each category some URLs, chosen at random, are seeds; the others are targets.\n"
        "With --web all pages are read to follow their links, which takes long the first time; crawls then read them no more.\n"
        "fetch NAME...: download data sets from their publishers, check their content and leave one archive of each in DIR;\n"
        "what is there already is only checked. verify PATH...: check the content of data sets you have.\n"
        "A data set that differs from the one that our results were measured on makes the exit code 1."
    )
    program = "python -m lab"
    examples = """
python -m lab datasets fetch webkb wikispeedia --out datasets
python -m lab datasets verify webkb.tar.xz
python -m lab datasets topics wikispeedia.tar.xz --out topics-wikispeedia
python -m lab datasets topics wikispeedia.tar.xz --out topics-final --split report --layout article
python -m lab datasets topics webkb.tar.xz --out topics-webkb
python -m lab datasets topics topics.json --web docs-web.warc.gz --out topics-docs --seeds hard
python -m lab datasets topics content.rdf.u8.gz --ending Companies --ending Consultants --ending Manufacturers --out topics-odp
FOCUSED_TOPICS_DIR is then the folder: scrapy topics -s FOCUSED_TOPICS_DIR=topics-webkb"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the files, made if it is not there")
        parser.add_argument(
            "--layout", choices=LAYOUTS, help="Wikispeedia: a host per subject (default), or per article"
        )
        parser.add_argument(
            "--split",
            choices=SPLITS,
            help="Wikispeedia: the 12 topics to develop with (default); nobody tunes on those of the scorecard or the report",
        )
        parser.add_argument(
            "--seed",
            type=int,
            metavar="N",
            help="Wikispeedia, directory: another random choice of seeds (0 if none is given)",
        )
        parser.add_argument(
            "--web",
            type=Path,
            metavar="WARC",
            help="documentation web: its pages, to follow redirects and links and to describe topics; directory: WARC files, or "
            "a crawl's folder, whose pages alone count",
        )
        parser.add_argument(
            "--seeds",
            metavar="WHICH",
            help="documentation web: easy, hard or both (default); sites: from the home page of each site with a part on the "
            "topic; directory: how many URLs of a category (default: 10)",
        )
        parser.add_argument("--under", action="append", metavar="CATEGORY", help="directory: only what lies there")
        parser.add_argument(
            "--ending",
            action="append",
            metavar="WORD",
            help="directory: only categories whose name ends so (repeatable)",
        )
        parser.add_argument(
            "--least", type=int, metavar="N", help="directory: URLs that a category must list (default: 21)"
        )
        parser.add_argument(
            "--nofollow",
            choices=get_args(Nofollow),
            help="documentation web: which requests not to follow links are obeyed, as scope.nofollow of a topic; needs --web",
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        verb, names = (args[0], args[1:]) if args else ("", [])
        if verb not in UNUSED or not names or (verb == "topics" and len(names) > 1):
            raise UsageError(
                "give topics and one data set, fetch and names of data sets, or verify and paths, as in: "
                "python -m lab datasets topics webkb.tar.xz --out DIR"
            )
        if verb != "verify" and opts.out is None:
            raise UsageError("--out is missing: the folder to write to")
        if given := next((option for option in UNUSED[verb] if getattr(opts, option) is not None), None):
            raise FocusedError(f"--{given} means nothing to {verb}; leave it out")
        if verb == "topics":
            _write(self._topics(names[0], opts), opts.out)
        elif verb == "fetch":
            data_sets = [published_data_set(name) for name in names]  # a wrong name is told before anything is fetched
            for data_set in data_sets:
                _fetch(data_set, opts.out, self._interval)
        else:
            for name in names:
                _verify(Path(name))

    @property
    def _interval(self) -> float:
        """Seconds between two lines of progress in a log."""
        assert self.settings is not None
        return self.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0)

    def _topics(self, path: str, opts: argparse.Namespace) -> list[LabelledTopic]:
        if path.endswith(".json"):
            return self._documentation_topics(path, opts)
        if DIRECTORY.fullmatch(path) or any(Path(path).glob(f"*{URLS}")):
            return self._directory_topics(Path(path), opts)
        return _topics(path, opts)

    def _directory_topics(self, path: Path, opts: argparse.Namespace) -> list[LabelledTopic]:
        _refuse("a directory", opts)
        if not path.exists():
            raise EvaluationError(f"{path}: no such file or folder")
        if opts.seeds is not None and not opts.seeds.isdecimal():
            raise EvaluationError(f"--seeds {opts.seeds}: give the number of URLs of a category that are seeds")
        choice = Choice(
            under=tuple(node_of(category_of(name)) for name in opts.under or ()),
            endings=tuple(opts.ending or ()),
            least=LEAST if opts.least is None else opts.least,
            seeds=SEEDS if opts.seeds is None else int(opts.seeds),
            seed=opts.seed or 0,
        )
        with closing(ProgressLine(self._interval)) as line:

            def told(count: int) -> None:
                line.show(lambda: f"{path.name}: {count:,} listings read")

            if opts.web is None:
                return directory_topics(listings_of(path), choice, path.name, told)
            assert self.settings is not None
            return recorded_directory_topics(
                *(listings_of(path), choice, path.name, opts.web, data_folder(self.settings) / CACHE),
                lambda read, of: line.show(lambda: f"{read:,} of {of:,} pages read", read, of),
                told,
            )

    def _documentation_topics(self, path: str, opts: argparse.Namespace) -> list[LabelledTopic]:
        _refuse("the documentation web", opts)
        if opts.seeds not in (None, "both", *DIFFICULTIES, SITES):
            raise EvaluationError(f"--seeds {opts.seeds}: give easy, hard, both or sites")
        difficulties = DIFFICULTIES if opts.seeds in (None, "both") else (opts.seeds,)
        if opts.web is None:
            if opts.seeds == SITES:
                raise FocusedError("--seeds sites needs --web: links tell what belongs to a site")
            if opts.nofollow is not None:
                raise FocusedError("--nofollow needs --web: it decides which pages links lead to")
            return documentation_topics(Path(path), difficulties)
        assert self.settings is not None
        cache = data_folder(self.settings) / CACHE
        print(f"Opening {shown_path(opts.web)}; a gigabyte takes about a minute the first time.", file=sys.stderr)
        with closing(ProgressLine(self._interval)) as line:
            return recorded_documentation_topics(
                *(Path(path), opts.web, cache, difficulties),
                lambda read, of: line.show(lambda: f"{read:,} of {of:,} pages read", read, of),
                opts.nofollow,
            )


def _write(topics: list[LabelledTopic], folder: Path) -> None:
    write_topics(topics, folder)
    rows = []
    for topic in topics:
        found = topic.judgements
        counts = (len(topic.seeds), len(found.targets), len(found.reachable_targets))
        rows.append((topic.name, *counts, ", ".join(topic.keywords)))
    print_table(COLUMNS, rows)
    print(f"{len(topics)} topics are written to {shown_path(folder)}, each with its labels beside it.")


def _fetch(data_set: PublishedDataSet, folder: Path, interval: float) -> None:
    with closing(ProgressLine(interval)) as line:

        def tell(url: str, arrived: int, total: int) -> None:
            of_all = f" of {total / 1e6:,.1f}" if total else ""
            line.show(lambda: f"{url.rpartition('/')[2]}: {arrived / 1e6:,.1f}{of_all} MB", arrived, total)

        path, was_there = fetch(data_set, folder, tell)
    print(
        f"{shown_path(path)}: {data_set.title}, {'was there already' if was_there else 'fetched'}; its content is right."
    )


def _verify(path: Path) -> None:
    if not path.exists():
        raise WebError(f"{path}: no such file or folder")
    data_set = published().get(data_set_kind(path))
    if data_set is None:
        raise WebError(f"{path}: neither {' nor '.join(published())}, in a folder or in tar archives")
    verify(data_set, path)
    print(f"{shown_path(path)}: {data_set.title}; its content is right.")


def _refuse(data_set: str, opts: argparse.Namespace) -> None:
    """Refuse options that mean nothing to a data set."""
    if given := next((option for option in NOT_OF[data_set] if getattr(opts, option) is not None), None):
        raise FocusedError(f"--{given} means nothing to {data_set}; leave it out")


def _topics(path: str, opts: argparse.Namespace) -> list[LabelledTopic]:
    web = open_web([f"{path}:layout={opts.layout}" if opts.layout else path])
    if isinstance(web, Wikispeedia):
        _refuse("Wikispeedia", opts)
        chosen, final = SPLITS[opts.split or "development"](), opts.split == REPORT
        return [
            topic
            for near in NEARNESS
            for topic in wikispeedia_topics(web, chosen, near, opts.seed or 0, report_topics=final)
        ]
    if not isinstance(web, (WebKB, Cora)):
        raise EvaluationError(f"{path}: no data set with labels; topics can be made of {', '.join(published())}")
    _refuse("this data set", opts)
    return cora_topics(web) if isinstance(web, Cora) else webkb_topics(web)
