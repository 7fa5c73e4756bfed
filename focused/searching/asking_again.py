"""The extension that lets a crawl ask search providers, where its topic allows questions. What asks is imported for those alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focused.run.session import session_of

if TYPE_CHECKING:
    from focused.searching.questioning import Questioning


class AskAgain:
    """Scrapy's door to `Questioning`."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Questioning:
        """Raises NotConfigured where the topic allows no questions, SearchError where there is nobody to ask."""
        if not session_of(crawler).topic.questions.most:
            raise NotConfigured
        from focused.searching.questioning import Questioning

        return Questioning.from_crawler(crawler)
