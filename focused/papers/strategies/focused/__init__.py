"""Focused: a link is worth the probability that its page belongs to a good topic; a distiller finds hubs now and then."""

from focused.papers.strategies.focused.focused import Focused

__all__ = ["Focused"]
