"""Backlinks from an HTTP API that answers in JSON, one request at a time, with a delay between two, and as robots.txt allows."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import jmespath
from scrapy.robotstxt import ProtegoRobotParser

from focused.crawl.backlinks import Backlinks
from focused.exceptions import BacklinkError
from focused.live.robots.own_rules import LONGEST_READ, own_rules
from focused.live.robots.robot import Robot
from focused.page.urls import UrlRules
from focused.topic.mistakes import shown

PLACEHOLDER = "{url}"  #: stands in the template for the URL that is asked about, percent-encoded
TIMEOUT = 20.0  #: seconds without a byte
MAX_BYTES = 10_000_000  #: of an answer


class HttpApi(Backlinks):
    """Asks an API, a GET request for each URL. It blocks: a live crawl does so in a thread.

    Parameters
    ----------
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
