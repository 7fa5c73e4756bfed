"""What robots.txt asks of us: whose rules hold, and how long to wait between two requests."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from scrapy import Request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.robotstxt import RobotParser
from scrapy.settings import BaseSettings
from scrapy.utils.httpobj import urlparse_cached

logger = logging.getLogger(__name__)


class RobotsTxtForAll(RobotsTxtMiddleware):
    """Scrapy's middleware, with the rules of a host for every request that waits for them.

    Scrapy (2.19, since its pull request 6802) hands them to the first that waits; those after it get none, so that all is
    allowed to them.
    """

    async def robot_parser(self, request: Request) -> RobotParser | None:
        found = await super().robot_parser(request)
        known = self._parsers[urlparse_cached(request).netloc]  # settled before anybody is told
        return known if isinstance(known, RobotParser) else found


@dataclass(frozen=True)
class Robot:
    """As which robot we obey.

    name : whose rules hold for us
    longest : seconds; a longer Crawl-delay is cut to this
    """

    name: str
    longest: float

    def crawl_delay(self, rules: RobotParser, host: str) -> float:
        """Seconds to wait between two requests to a host; 0 where its robots.txt asks for no wait."""
        asked = float(rules.crawl_delay(self.name) or 0.0)
        if asked > self.longest:
            logger.warning(
                "%s asks for a Crawl-delay of %g s; the crawl waits %g s, see FOCUSED_MAX_CRAWL_DELAY",
                host,
                asked,
                self.longest,
            )
        return min(asked, self.longest)


def obedient_as(settings: BaseSettings) -> Robot | None:
    """The robot that we obey robots.txt as; None where it is not obeyed."""
    if not settings.getbool("ROBOTSTXT_OBEY"):
        return None
    name = str(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"])
    return Robot(name, settings.getfloat("FOCUSED_MAX_CRAWL_DELAY"))
