"""What a test of a spider, a strategy or a setting of one's own needs: commands of Scrapy that start at once."""

from focused.testing.forked import ForkedProcess, start_scrapy

__all__ = ["ForkedProcess", "start_scrapy"]
