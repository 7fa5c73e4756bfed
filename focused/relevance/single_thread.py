"""Linear algebra on one thread: quicker for vectors of some thousand numbers, and the same sums on every machine."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


def single_thread() -> AbstractContextManager[object]:
    """Hold BLAS, which would otherwise use all cores, to one thread for as long as a block lasts."""
    limited: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limited


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # looks through all libraries that are loaded, which takes a while
