"""The setting ``DASHBOARD``: a dashboard beside a crawl, in a process of its own that ends with the crawl."""

from __future__ import annotations

import logging
import subprocess
import threading
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focused.collection.collection import data_folder
from focused.exceptions import FocusedError
from focused.live.session import Session, session_of
from focused.live.shared_run import shared_run_of

if TYPE_CHECKING:
    from focused.desk.job import Job

logger = logging.getLogger(__name__)

ENDS_WITHIN = 5.0  #: seconds


class DashboardBeside:
    """Starts `scrapy dashboard` for the collection of this crawl. A dashboard that cannot start costs one line, not the crawl.

    Of topics that are crawled together the first has it started, for all collections in the data folder, until all have ended.

    shown : what is shown, as the command has it
    """

    def __init__(self, session: Session, port: int, shown: list[str]) -> None:
        self.session, self.port, self.shown = session, port, shown
        self._process: Job | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        port = crawler.settings["DASHBOARD"]
        if not port or str(port) == "0":
            raise NotConfigured
        if not str(port).isdecimal() or not 1 <= int(port) <= 65535:
            raise FocusedError(f"DASHBOARD = {port}: give a port from 1 to 65535, or 0 for no dashboard")
        session, together = session_of(crawler), shared_run_of(crawler)
        if together is None:
            extension = cls(session, int(port), [str(session.folder.absolute())])
            crawler.signals.connect(extension.closed, signals.spider_closed)
        elif together.has_dashboard:
            raise NotConfigured
        else:
            extension = cls(session, int(port), ["-s", f"FOCUSED_DATA_DIR={data_folder(crawler.settings).absolute()}"])
            together.has_dashboard = True
            together.at_end.append(extension.closed)
        crawler.signals.connect(extension.opened, signals.spider_opened)
        return extension

    def opened(self) -> None:
        from focused.desk.job import Job  # which few crawls need

        command = ("scrapy", "dashboard", *self.shown, "--port", str(self.port), "--until-eof")
        self._process = Job(*command, stderr=None)
        threading.Thread(target=self._tell, args=(self._process,), daemon=True).start()

    def _tell(self, process: Job) -> None:
        """Say where it is, once it has said so itself."""
        assert process.stdout is not None
        if process.stdout.readline():
            logger.info("Dashboard: http://127.0.0.1:%d/c/%s/", self.port, self.session.folder.name)
        elif self._process is process:
            logger.warning("The dashboard at port %d has not started; the crawl goes on without it", self.port)

    def closed(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.hang_up()
        try:
            process.wait(ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        logger.info(
            "The dashboard has ended with the crawl; to look again: scrapy dashboard %s", self.session.folder.name
        )
