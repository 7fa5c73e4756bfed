"""What a test of a spider, a strategy or a setting of one's own needs: commands of Scrapy that start at once, and contracts."""

from focused.testing.forked import ForkedProcess, start_scrapy
from focused.testing.strategy_contract import check_strategy

__all__ = ["ForkedProcess", "check_strategy", "start_scrapy"]
