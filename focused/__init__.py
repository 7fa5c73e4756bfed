"""focused: a topical crawler for Scrapy. It decides, link after link, what is worth fetching next."""

from focused.addon import Addon

__all__ = ["Addon"]
__version__ = "0.2.0"
