"""How many bytes the parts of a crawl hold: what it knows of URLs and hosts, the frontier, the strategy."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from types import BuiltinMethodType, FunctionType, MethodType, ModuleType
from typing import Any

from focused.crawl.crawl import Crawl

#: Never entered: what is shared by all, and what leads from one part to the whole program.
NOT_STATE = (type, ModuleType, FunctionType, MethodType, BuiltinMethodType)
NUMBERS = (int, float)
CACHED = range(-5, 257)  #: Python has each of these once


def held(roots: Iterable[Any], seen: set[int]) -> int:
    """Bytes of all objects that some objects lead to, arrays with their spare room; those in ``seen`` are left out, and join it."""
    left, size = list(roots), 0
    while left:
        one = left.pop()
        if type(one) in NUMBERS:  # there may be millions: to remember them would take more memory than they do
            size += 0 if one in CACHED else sys.getsizeof(one)
            continue
        if id(one) in seen or isinstance(one, NOT_STATE):
            continue
        seen.add(id(one))
        size += sys.getsizeof(one)
        left += gc.get_referents(one)
    return size


def sizes_of(crawl: Crawl) -> dict[str, int]:
    """Bytes by part. Each object counts once: for the first part that leads to it."""
    world = crawl.world
    seen = {id(one) for one in (crawl, world, crawl.topic, crawl.strategy, crawl.rescorings)}
    return {
        "urls": held([crawl.urls], seen),
        "hosts": held([crawl.hosts], seen),
        "frontier": held([crawl.frontier], seen),
        "strategy": held([vars(crawl.strategy)], seen),
        "rest": held([vars(crawl), *gc.get_referents(world)], seen),
    }
