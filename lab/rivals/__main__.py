"""Lets crawlers loose on a recorded web, each as it is published, and judges all by the server's log alone.

Every crawler has the same topics, the same seeds, the same number of requests in flight, and a server that answers one request of
a host at a time. A crawl ends when the log has the pages asked for. What was crawled before is not crawled again.

Crawlers: bytecrawl, crawl4ai, crawlee (these need `make rivals`), scrapy_keywords, and any strategy of ours.

Example:
    python -m lab.rivals docs-web.warc.gz --topics topics --pages 400 --orders 3 --out data/rivals
    python -m lab.rivals docs-web.warc.gz --topics 'topics/astronomy-*.toml' --crawlers adaptive crawl4ai
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from focused.exceptions import FocusedError
from focused.explain.plain_output import ProgressLine
from focused.simulation.analysed_web import text_digest
from focused.simulation.known_webs import web_called
from focused.simulation.labelled_files import LabelledFile, labelled_files
from focused.simulation.recorded_web import RecordedWeb
from focused.simulation.web_opener import WebOpener
from lab.rivals.crawls import Conditions, Files, Outcome, alone_in, crawl
from lab.rivals.report import Judge, Score, write_results
from lab.rivals.rivals import check, version_of

CRAWLERS = ("adaptive", "dom", "bytecrawl", "crawl4ai", "crawlee", "scrapy_keywords")
BASELINE = "adaptive"
N = TypeVar("N", int, float)
PROGRESS_SECONDS = 20.0  #: between two lines of progress in a log


class Comparison:
    """All crawls of some topics, those of one topic and order in a row."""

    def __init__(self, options: argparse.Namespace, topics: list[LabelledFile]) -> None:
        self._options, self._topics = options, topics
        self._conditions = Conditions(options.pages, options.in_flight, options.latency / 1000, options.minutes)
        self._versions = {name: _version(name) for name in options.crawlers}
        self._opener = WebOpener([options.web], options.cache)
        self._name = web_called([options.web])
        self._web: tuple[object, RecordedWeb] | None = None  # with what tells it from others
        self._progress = ProgressLine(PROGRESS_SECONDS)

    def scores(self) -> Iterator[Score]:
        """Crawl what has not been crawled, and judge."""
        total = len(self._topics) * self._options.orders * len(self._options.crawlers)
        done = 0
        for order in range(self._options.orders):
            for labelled in self._topics:
                judge = Judge(labelled)
                for name in self._options.crawlers:
                    files = Files(self._options.out, name, labelled.topic.name, order)
                    outcome = self._outcome(files, labelled, f"crawl {done + 1} of {total}", done, total)
                    done += 1
                    yield judge.score(files, outcome)
        self._progress.close()

    def close(self) -> None:
        """Give the cache back."""
        self._progress.close()
        self._opener.close()

    def _outcome(self, files: Files, labelled: LabelledFile, place: str, done: int, total: int) -> Outcome:
        version, known = self._version_on(files.crawler, labelled), files.read()
        if known and (known.version, known.conditions) == (version, self._conditions):
            return known

        def tell(pages: int) -> None:
            share = min(1.0, pages / self._conditions.pages)
            text = f"{place}: {files.crawler} on {files.topic}, order {files.order}, {pages:,} pages"
            self._progress.show(text.__str__, done + share, total)

        return crawl(files, labelled, version, self._conditions, self._web_of(labelled), tell)

    def _version_on(self, crawler: str, labelled: LabelledFile) -> str:
        """Changes with the crawler, with the web and with all that the topic says."""
        web = self._opener.fingerprint(labelled.topic, labelled.part)
        return text_digest([self._versions[crawler], web, json.dumps(labelled.topic.as_dict(), sort_keys=True)])

    def _web_of(self, labelled: LabelledFile) -> RecordedWeb:
        """The web, or the part of it that the topic is about; the one opened last is kept."""
        fold_index = labelled.topic.reading.fold_index if self._name.has_index_pages else None
        key = (tuple(sorted(labelled.part.items())), fold_index)
        if self._web is None or self._web[0] != key:
            self._web = key, self._name.part(labelled.part).open(fold_index, self._options.cache)
        return self._web[1]


def _stop(*_: object) -> None:
    """A crawler must not outlive the comparison: SIGTERM ends it as Ctrl-C does."""
    raise KeyboardInterrupt


def _version(name: str) -> str:
    """Of a crawler that can run; FocusedError for any other."""
    check(name)
    return version_of(name)


def _at_least(lowest: float, kind: Callable[[str], N]) -> Callable[[str], N]:
    def read(text: str) -> N:
        try:
            number = kind(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no number") from None
        if not lowest <= number <= 1e9:
            raise argparse.ArgumentTypeError(f"give a number from {lowest:g} on, not {text}")
        return number

    return read


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m lab.rivals", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    whole, amount = _at_least(1, int), _at_least(0, float)
    add = parser.add_argument
    add("web", help="what is crawled: demo, a WARC file or a data set")
    add("--topics", nargs="+", required=True, help="folders or patterns of topic files, labels beside them")
    add("--crawlers", nargs="+", default=list(CRAWLERS), metavar="NAME", help=f"default: {' '.join(CRAWLERS)}")
    add("--baseline", metavar="NAME", help=f"the crawler that others are compared with (default: {BASELINE})")
    add("--pages", type=whole, default=400, help="distinct pages of a crawl, by the server's log (default: 400)")
    add("--orders", type=whole, default=1, help="crawls of each topic, with other latencies and seeds (default: 1)")
    add("--in-flight", type=whole, default=10, help="requests at a time (default: 10, which crawl4ai has built in)")
    add("--latency", type=amount, default=20.0, metavar="MS", help="mean milliseconds until an answer (default: 20)")
    add("--minutes", type=amount, default=30.0, help="after which a crawl is stopped (default: 30)")
    add("--cache", type=Path, default=Path("data/cache"), help="folder of what was read (default: data/cache)")
    add("--out", type=Path, default=Path("data/rivals"), help="folder of all results (default: data/rivals)")
    options = parser.parse_args()
    options.crawlers = list(dict.fromkeys(options.crawlers))
    if options.baseline is None:
        options.baseline = BASELINE
    elif options.baseline not in options.crawlers:
        parser.error(f"--baseline {options.baseline}: not among the crawlers: {' '.join(options.crawlers)}")
    return options


def main() -> None:
    options = _options()
    signal.signal(signal.SIGTERM, _stop)
    comparison = None
    try:
        topics = labelled_files(options.topics)
        comparison = Comparison(options, topics)
        scores: list[Score] = []
        with alone_in(options.out):
            for score in comparison.scores():
                scores.append(score)
                table = write_results(scores, options.baseline, options.out)
        print(table)
    except FocusedError as error:
        sys.exit(f"rivals: {error}")
    except KeyboardInterrupt:
        sys.exit("rivals: stopped; the same command goes on from here")
    finally:
        if comparison:
            comparison.close()


if __name__ == "__main__":
    main()
