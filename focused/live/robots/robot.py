"""How we obey robots.txt: as which robot, and how long we wait between two requests."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from scrapy.robotstxt import RobotParser
from scrapy.settings import BaseSettings

from focused.live.robots.own_rules import product_token

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Robot:
    """As which robot we obey.

    name : of the robot whose rules hold for us
    longest : seconds; a longer Crawl-delay is cut to this
    """

    name: str
    longest: float

    def crawl_delay(self, rules: RobotParser, host: str) -> float:
        """Seconds to wait between two requests to a host; 0 if its robots.txt asks for no wait."""
        asked = float(rules.crawl_delay(self.name) or 0.0)
        if asked > self.longest:
            logger.warning(
                "%s asks for a Crawl-delay of %g s; the crawl waits %g s, see FOCUSED_MAX_CRAWL_DELAY",
                host,
                asked,
                self.longest,
            )
        return min(asked, self.longest)


def name_of_robot(settings: BaseSettings) -> str:
    """The product token by which robots.txt and pages address us."""
    return product_token(str(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"] or ""))


def obedient_as(settings: BaseSettings) -> Robot | None:
    """The robot as which we obey robots.txt; None if the settings say not to."""
    if not settings.getbool("ROBOTSTXT_OBEY"):
        return None
    return Robot(name_of_robot(settings), settings.getfloat("FOCUSED_MAX_CRAWL_DELAY"))
