"""Rows that no crawl wrote, from a damaged disk or from somebody else: they are told in one line, wherever they hurt."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from focused.exceptions import StorageError

logger = logging.getLogger(__name__)

#: What Python raises where a value is missing, of another type, too large, or names what is not there.
HURT = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)


@contextmanager
def damage_is_told(path: Path, otherwise: str = "") -> Iterator[None]:
    """Turn what a damaged row of a crawl.db makes the block raise into a StorageError; a log of level DEBUG has the traceback.

    otherwise : what else it may be, after "it is damaged"
    """
    try:
        yield
    except (sqlite3.Error, *HURT) as error:
        logger.debug("%s cannot be understood", path, exc_info=True)
        raise StorageError(
            f"{path}: cannot be understood ({type(error).__name__}: {error}): it is damaged{otherwise}; put a copy back, or put "
            "all aside with -a fresh=true"
        ) from error
