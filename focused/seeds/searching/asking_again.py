"""The extension that lets a crawl that fails ask search providers. What asks is imported for crawls that have a provider alone."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focused.live.session import session_of
from focused.seeds.searching.occasions import Occasions
from focused.seeds.searching.search_options import HOW, provider_specs

if TYPE_CHECKING:
    from focused.seeds.searching.questioning import Questioning

logger = logging.getLogger(__name__)


class AskAgain:
    """Tells a person once that a crawl fails, and that a search could help, where no provider is named.

    Scrapy's door to `Questioning`, where one is.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler, self._session = crawler, session_of(crawler)
        self._occasions = Occasions(self._session.topic.questions)
        crawler.signals.connect(self.look, signals.item_scraped)
        crawler.signals.connect(self.look, signals.spider_idle)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> AskAgain | Questioning:
        """Raises NotConfigured where the crawl may ask nobody, SearchError for mistakes in the names of providers."""
        topic = session_of(crawler).topic
        named = topic.questions.providers
        # Unless the topic names whom, nobody is told what pages of a closed web say.
        if not topic.questions.most or not (named or topic.scope.is_public_web):
            raise NotConfigured
        specs = named or provider_specs(crawler.settings.get("FOCUSED_SEARCH"))
        if not specs:
            return cls(crawler)
        from focused.seeds.searching.questioning import Questioning

        return Questioning.of(crawler, specs)

    def look(self) -> None:
        """Say so, if it fails."""
        if why := self._occasions.due(self._session.crawl):
            self._occasions.asked = self._occasions.options.most
            logger.info("As %s, a search could name other pages: %s", why, HOW)
