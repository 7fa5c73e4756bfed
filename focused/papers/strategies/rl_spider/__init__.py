"""RL spider: a link is worth what following it led to on sites explored before, told from the words around it."""

from focused.papers.strategies.rl_spider.rl_spider import RlSpider

__all__ = ["RlSpider"]
