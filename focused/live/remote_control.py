"""Scrapy's remote control, imported only if a setting turns it on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from focused.topic.project_settings import REMOTE_CONTROL

if TYPE_CHECKING:
    from scrapy.extensions import remote_control


class RemoteControl:
    """Scrapy's door to its own extension of that name."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> remote_control.RemoteControl:
        """Raises NotConfigured if no setting turns it on, or if the project runs Scrapy's own."""
        settings = crawler.settings
        by_itself = settings.getwithbase("EXTENSIONS").get(REMOTE_CONTROL) is not None
        if by_itself or not settings.getbool("REMOTE_CONTROL_ENABLED"):
            raise NotConfigured
        try:
            from scrapy.extensions import remote_control
        except ImportError:  # Scrapy 2.18 has none
            raise NotConfigured("this version of Scrapy has no remote control") from None
        return remote_control.RemoteControl.from_crawler(crawler)
