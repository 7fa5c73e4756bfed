"""Scrapy commands of the laboratory, beside those of the product, which lie behind them on the path of this package."""

from focused import commands

__path__ = [*__path__, *commands.__path__]
