"""focused: a topical crawler for Scrapy. It decides, link after link, what is worth fetching next."""

__version__ = "0.1.0"
