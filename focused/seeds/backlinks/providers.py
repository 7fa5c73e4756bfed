"""Who is asked for backlinks: earlier crawls, or an HTTP API; opens the one that a topic names in its table [backlinks]."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import jmespath
from scrapy.robotstxt import ProtegoRobotParser

from focused.collection.collection import open_to_read, opened
from focused.crawl.backlinks import Backlinks
from focused.exceptions import BacklinkError
from focused.live.last_run import last_run
from focused.live.robots.own_rules import LONGEST_READ, own_rules
from focused.live.robots.robot import Robot
from focused.page.urls import UrlRules
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.first_reading import RecordedBacklinks
from focused.topic.mistakes import shown
from focused.topic.plain_files import at_home
from focused.topic.topic import Topic

KNOWN = "SELECT id, key FROM urls WHERE key IN (SELECT value FROM json_each(?))"
LINKS = """
    SELECT l.target, p.url FROM links l JOIN urls p ON p.id = l.page
    WHERE l.target IN (SELECT value FROM json_each(?)) ORDER BY l.rowid"""


class EarlierCrawls(Backlinks):
    """Reads the table ``links`` of collections, also of one that a crawl is writing; pages in the order they were fetched.

    Every question reads each of these tables once, whole: ask for many URLs at a time.

    folders : of the collections
    Raises StorageError where one is no collection.
    """

    def __init__(self, folders: Sequence[Path], rules: UrlRules, limit: int) -> None:
        super().__init__(rules, limit)
        self.folders = folders
        for folder in folders:
            open_to_read(folder).close()

    def ask(self, urls: Sequence[str]) -> Mapping[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for folder in self.folders:
            with opened(folder) as store:  # anew each time: a thread cannot use a connection of another
                reading = last_run(store).reading
                rules = UrlRules(
                    reading.fold_index, reading.strip_parameters
                )  # by which that crawl made URLs canonical
                asked = {rules.key(canonical): url for url in urls if (canonical := rules.canonical(url))}
                known = store.execute(KNOWN, (json.dumps(list(asked)),)).fetchall()
                by_id = {url: asked[key] for url, key in known}
                for target, page in store.execute(LINKS, (json.dumps(list(by_id)),)):
                    found[by_id[target]].append(page)
        return found


PLACEHOLDER = "{url}"  #: stands in the template for the URL that is asked about, percent-encoded
TIMEOUT = 20.0  #: seconds without a byte
MAX_BYTES = 10_000_000  #: of an answer


class HttpApi(Backlinks):
    """Asks an API, a GET request for each URL. It blocks: a live crawl does so in a thread.

    template : URL of the API, with `PLACEHOLDER` in it
    path : JMESPath expression that finds the backlinks in the answer, such as ``results[*].source``
    delay : seconds between the end of a request and the next
    user_agent : the name under which to ask
    robot : as which the API's robots.txt is obeyed, its Crawl-delay included; it is read before the first question. None: it is not
    pause : waits this many seconds
    """

    batch = 1  # an answer is taken up before the next question, and a crawl that ends asks no more

    def __init__(
        self,
        template: str,
        path: str,
        rules: UrlRules,
        limit: int,
        *,
        delay: float,
        user_agent: str,
        robot: Robot | None = None,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        super().__init__(rules, limit)
        self.template, self.delay = template, delay
        self._path = jmespath.compile(path)
        self._user_agent, self._robot = user_agent, robot
        self._robots_txt: ProtegoRobotParser | None = None  # of robots.txt, once it has been read
        self._pause = pause
        self._free_from = time.monotonic()

    def ask(self, urls: Sequence[str]) -> Mapping[str, list[str]]:
        return {url: self._ask(url) for url in urls}

    def _ask(self, url: str) -> list[str]:
        address = self.template.replace(PLACEHOLDER, quote(url, safe=""))
        try:
            may_ask = self._may_ask(address)
        except (OSError, HTTPException) as error:
            raise self._error(url, f"robots.txt unreachable: {_words(error)}") from None
        if not may_ask:
            raise self._error(url, "robots.txt bars the question ([settings] ROBOTSTXT_OBEY = false asks all the same)")
        try:
            return self._found(self._answer(address, "application/json"))
        except (OSError, HTTPException) as error:
            raise self._error(url, _words(error)) from None
        except (ValueError, RecursionError) as error:
            raise self._error(url, str(error)) from None

    def _may_ask(self, address: str) -> bool:
        """Whether robots.txt allows a question."""
        if self._robot is None:
            return True
        if self._robots_txt is None:
            self._robots_txt = self._read_robots_txt(self._robot)
            host = urlsplit(self.template).netloc.rpartition("@")[2]
            self.delay = max(self.delay, self._robot.crawl_delay(self._robots_txt, host))
            self._free_from = time.monotonic() + self.delay
        return self._robots_txt.allowed(address, self._robot.name)

    def _read_robots_txt(self, robot: Robot) -> ProtegoRobotParser:
        """As for pages: where there is none all is allowed; one that cannot be had now bars the question and is asked for again."""
        api = urlsplit(self.template)
        address = f"{api.scheme}://{api.netloc}/robots.txt"
        try:
            body = self._answer(address, "text/plain", LONGEST_READ)
        except HTTPError as error:
            if error.code == 429 or not 400 <= error.code < 500:
                raise
            body = b""
        return ProtegoRobotParser(own_rules(body, robot.name).encode(), None)

    def _answer(self, address: str, kind: str, most: int = MAX_BYTES) -> bytes:
        """What an address answers, when it may be asked again; one byte more than ``most`` where there is more."""
        wait = self._free_from - time.monotonic()
        if wait > 0:
            self._pause(wait)
        request = Request(address, headers={"User-Agent": self._user_agent, "Accept": kind})
        try:
            with urlopen(request, timeout=TIMEOUT) as response:
                body: bytes = response.read(most + 1)
        except HTTPError as error:
            error.close()
            raise
        finally:
            self._free_from = time.monotonic() + self.delay
        return body

    def _found(self, body: bytes) -> list[str]:
        """The backlinks in an answer; ValueError if there is something else."""
        if len(body) > MAX_BYTES:
            raise ValueError(f"the answer is longer than {MAX_BYTES:,} bytes")
        try:
            answer = json.loads(body)
        except ValueError:
            raise ValueError("the answer is not JSON") from None
        found: Any = self._path.search(answer)
        if found is None:
            return []
        if not isinstance(found, list) or not all(isinstance(backlink, str) for backlink in found):
            raise ValueError(f"[backlinks] path finds no list of URLs in the answer, but {shown(found)}")
        return found

    def _error(self, url: str, reason: str) -> BacklinkError:
        """Names the host alone: the rest of the API's address may hold a key."""
        host = urlsplit(self.template).netloc.rpartition("@")[2]
        return BacklinkError(f"{host}: no backlinks of {url}: {reason}")


def _words(error: Exception) -> str:
    """Why there is no answer."""
    if isinstance(error, HTTPError):
        return f"HTTP status {error.code}"
    return str(getattr(error, "reason", None) or error) or type(error).__name__


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
        how: dict[str, Any] = {"delay": options.delay, "user_agent": user_agent, "robot": robot, "pause": pause}
        return HttpApi(options.url, options.path, rules, options.limit, **how)
    if options.provider == "web":
        if web is None:
            raise BacklinkError(
                f'{topic.name}: [backlinks] provider = "web" needs a recorded web (scrapy compare, or --web WEB); '
                "for a live crawl name 'crawls' or 'api'"
            )
        return RecordedBacklinks(web, options.limit, report)
    return None
