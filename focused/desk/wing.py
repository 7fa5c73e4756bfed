"""What the wing brings to a crawler: see `focused.wings`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from pathlib import Path

    from focused.collection.store import Store

COMPONENTS = {"EXTENSIONS": {"focused.desk.dashboard.beside.DashboardBeside": 910}}


def add_report_options(parser: ArgumentParser) -> None:
    """What `scrapy report` takes to tell what is new."""
    from focused.desk.news.reporting_news import add_news_options

    add_news_options(parser)


def report_news(data: Path, args: list[str], opts: Namespace) -> bool:
    """Tell what is new in the place of `scrapy report`, if a person wants that; say whether."""
    from focused.desk.news.reporting_news import report_news, wants_news

    if wanted := wants_news(args, opts):
        report_news(data / args[0], opts)
    return wanted


def judged_in_a_line(store: Store) -> str | None:
    """The result of a person's judgements of a crawl, for a report; None if nothing is judged."""
    from focused.desk.judging.audit import one_line

    return one_line(store)


def judged_harvest(store: Store) -> str | None:
    """The judged harvest rate for a line of progress; None where nothing can be told."""
    from focused.desk.judging.audit import harvest_in_short

    return harvest_in_short(store)
