"""Remembers the robots.txt of many origins, in as much memory for 100,000 as for 1,000."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

from scrapy import Request
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

from focused.collection.robots_texts import RobotsText
from focused.live.outage import NO_ANSWER
from focused.live.robots.requesting import LED_AWAY, UNREACHABLE, Heard

A_DAY = 86_400.0  #: seconds that an answer holds (RFC 9309, 2.4)
AGAIN = 4  #: tries after the first before the crawl gives a page up, if the server answers that robots.txt is not to be had now
LONGEST_WAIT = 3_600.0  #: most seconds until the crawl asks again for a robots.txt that is unreachable
MOST_REMEMBERED = 1_000_000  #: characters of rules whose parsers are kept; a parser takes some 25 bytes for each
PER_ORIGIN = 500  #: characters that an origin counts besides its rules


@dataclass(frozen=True, slots=True)
class KnownRobots:
    """What is known of one origin.

    text : as it is stored, without its body
    rules : None if the server gave none yet: nothing is allowed
    signals : its Content Signals, see `signals_of`
    """

    text: RobotsText
    rules: RobotParser | None
    signals: str = ""


@dataclass(frozen=True, slots=True)
class RobotsPatience:
    """How often, and when, the crawl asks again for a robots.txt that is unreachable.

    first : seconds until the second try; each wait is twice as long as the one before
    again_silent : tries after the first before the crawl gives a page up, if the server gives no answer; as many as for a page
    """

    first: float
    again_silent: int

    def wait(self, tries: int, asked_for: float) -> float:
        """Seconds until the next try, after a number of failed ``tries``; the server asked for ``asked_for``."""
        return min(LONGEST_WAIT, max(asked_for, self.first * 2.0 ** min(tries - 1, 30)))

    def lasts(self, text: RobotsText) -> bool:
        """Whether a page waits for the next try."""
        if text.reason in NO_ANSWER:
            return text.tries <= self.again_silent
        if text.reason.startswith(LED_AWAY):
            return False
        return text.reason.startswith(UNREACHABLE) and text.tries <= AGAIN

    def after(self, heard: Heard, before: RobotsText | None, now: float) -> RobotsText:
        """The rules after a request to the server; those from ``before`` were a failure, or are old."""
        if heard.body is not None:
            return RobotsText(heard.body, heard.status, "", 0, now, now + A_DAY)
        tries = before.tries + 1 if before and now - before.fetched < A_DAY else 1
        wait = LONGEST_WAIT if heard.reason.startswith(LED_AWAY) else self.wait(tries, heard.retry_after)
        return RobotsText(None, heard.status, heard.reason, tries, now, now + wait)


class Memory:
    """Parsers of the origins asked last, by the length of their rules."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[KnownRobots, int]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return len(self._known)

    def find(self, origin: str) -> KnownRobots | None:
        if origin not in self._known:
            return None
        self._known.move_to_end(origin)
        return self._known[origin][0]

    def keep(
        self, origin: str, text: RobotsText, rules: RobotParser | None, length: int, signals: str = ""
    ) -> KnownRobots:
        """``length`` of the rules in characters."""
        known = KnownRobots(replace(text, body=None), rules, signals)
        self._size -= self._known.pop(origin, (None, 0))[1]
        self._known[origin] = known, length + PER_ORIGIN
        self._size += length + PER_ORIGIN
        while self._size > MOST_REMEMBERED and len(self._known) > 1:
            self._size -= self._known.popitem(last=False)[1][1]
        return known


def origin_of(request: Request) -> str:
    """Scheme, host and port, to which a robots.txt applies (RFC 9309, 2.3); without credentials, and without the scheme's own port.

    Raises ValueError for an invalid port.
    """
    url = urlparse_cached(request)
    host = url.hostname or ""
    port = "" if url.port in (None, {"http": 80, "https": 443}.get(url.scheme)) else f":{url.port}"
    return f"{url.scheme}://{f'[{host}]' if ':' in host else host}{port}"
