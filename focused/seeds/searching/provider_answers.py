"""Asking a provider, whatever it may do: it answers in time, or there is one reason why not."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable

from focused.exceptions import FocusedError, SearchError
from focused.seeds.searching.search_provider import Found

LONGEST_QUESTION = 90.0  #: seconds that a provider may take for an answer, its delays included

logger = logging.getLogger(__name__)


async def answer_of(name: str, asking: Awaitable[list[Found]], seconds: float = LONGEST_QUESTION) -> list[Found]:
    """What a provider found. Raises SearchError, which says why there is no answer."""
    try:
        return await asyncio.wait_for(asking, seconds)
    except TimeoutError:
        raise SearchError("no answer in time") from None
    except FocusedError as error:
        raise SearchError(str(error)) from error
    except Exception as error:  # a library of others meets what nobody foresaw
        logger.debug("An answer of %s", name, exc_info=True)
        raise SearchError("its answer cannot be read") from error
