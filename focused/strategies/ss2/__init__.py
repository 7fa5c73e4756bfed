"""SS2: as SS1, but pages are judged by BM25, over documents that match the keywords best."""

from focused.strategies.ss2.ss2 import Ss2

__all__ = ["Ss2"]
