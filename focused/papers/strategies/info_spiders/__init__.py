"""InfoSpiders: a population of agents, each with its own frontier, keywords and neural net, that split where the pages are good."""

from focused.papers.strategies.info_spiders.info_spiders import InfoSpiders

__all__ = ["InfoSpiders"]
