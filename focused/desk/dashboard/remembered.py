"""A value that takes a while to work out, kept until what it is made of has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Remembered(Generic[T]):
    """One value. None is never kept: what could not be told now may be told next time. Safe to be asked by several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made_of: object = None
        self._value: T | None = None

    def of(self, made_of: object, make: Callable[[], T | None]) -> T | None:
        """The value, made anew where it is made of something else than last time."""
        with self._lock:
            if self._value is None or self._made_of != made_of:
                self._made_of, self._value = made_of, make()
            return self._value
