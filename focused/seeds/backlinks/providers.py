"""Opens the provider of backlinks that a topic names in its table [backlinks]."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from focused.crawl.backlinks import Backlinks
from focused.exceptions import BacklinkError
from focused.live.robots.robot import Robot
from focused.page.urls import UrlRules
from focused.seeds.backlinks.earlier_crawls import EarlierCrawls
from focused.seeds.backlinks.http_api import HttpApi
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.recorded_backlinks import RecordedBacklinks
from focused.topic.plain_files import at_home
from focused.topic.topic import Topic


def open_backlinks(
    topic: Topic,
    rules: UrlRules,
    data: Path,
    *,
    user_agent: str = "",
    robot: Robot | None = None,
    web: AnalysedWeb | None = None,
    report: Callable[[int], object] = lambda _: None,
    pause: Callable[[float], object] = time.sleep,
) -> Backlinks | None:
    """The provider of a topic; None if it has none.

    Parameters
    ----------
    rules : of the topic's reader
    data : folder that earlier crawls are looked for in
    web : the recorded web that is being crawled or looked into, if it is one
    user_agent, robot, report, pause : see `HttpApi` and `RecordedBacklinks`

    Raises BacklinkError where the provider does not fit, StorageError where an earlier crawl cannot be read.
    """
    options = topic.backlinks
    if options.provider == "crawls":
        return EarlierCrawls([data / at_home(crawl) for crawl in options.crawls], rules, options.limit)
    if options.provider == "api":
        return HttpApi(
            options.url,
            options.path,
            rules,
            options.limit,
            delay=options.delay,
            user_agent=user_agent,
            robot=robot,
            pause=pause,
        )
    if options.provider == "web":
        if web is None:
            raise BacklinkError(
                f'{topic.name}: [backlinks] provider = "web" needs a recorded web (scrapy compare, or --web WEB); '
                "for a live crawl name 'crawls' or 'api'"
            )
        return RecordedBacklinks(web, options.limit, report)
    return None
