"""SS1: shark-search over the whole graph; a link inherits from all known parents, grandparents and so on."""

from focused.strategies.ss1.ss1 import Ss1

__all__ = ["Ss1"]
