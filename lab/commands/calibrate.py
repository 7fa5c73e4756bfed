"""`python -m lab calibrate`: simulate a crawl, then compare its own estimates of relevance with labels that it has not seen."""

from __future__ import annotations

import argparse

from scrapy.exceptions import UsageError

from focused.exceptions import FocusedError
from focused.simulation.commands.compare import Command as Compare
from focused.simulation.judged_run import Run
from focused.simulation.labels import read_labels
from focused.simulation.simulator import Fetch
from focused.topic.topic_file import find_topic
from lab.judging.calibration import calibrate, calibration_table


class Command(Compare):
    """As `scrapy compare --alone`, and then a table of what the crawl's own estimates are worth."""

    summary = "Simulate a crawl, and compare its own estimates of relevance with labels"
    program = "python -m lab"
    examples = """
python -m lab calibrate -a topic=films-near -s FOCUSED_TOPICS_DIR=wiki --labels wiki/films-near.labels.json wikispeedia.tar.xz"""

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if opts.labels is None:
            raise UsageError("give --labels FILE")
        opts.alone = True
        labels = read_labels(opts.labels).judgements
        if (given := self.arguments(opts).get("topic")) is not None:
            topic = find_topic(given, self.topics_dir).name
            if labels.topic != topic:
                raise FocusedError(f"{opts.labels}: labels of topic {labels.topic}; the crawl is of {topic}")
        self._pages: list[Fetch] = []
        super().execute(args, opts)
        pages = self._pages
        duplicates = {page.final_url: page.duplicate_of for page in pages if page.duplicate_of is not None}
        run = Run("simulated", labels.topic, 1, [page.final_url for page in pages], duplicates)
        relevance = [page.relevance or 0.0 for page in pages]
        found = calibrate(run, relevance, [page.relevant for page in pages], labels)
        print("\n".join(calibration_table(found)))

    def note(self, fetch: Fetch) -> None:
        if fetch.outcome == "page":
            self._pages.append(fetch)
