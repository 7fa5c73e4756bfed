"""What a server means by Retry-After."""

from __future__ import annotations

import math
import re
from email.utils import parsedate_to_datetime

SECONDS = re.compile(r"\d+(\.\d+)?", re.ASCII)
LONGEST_DATE = 64  #: characters


def seconds_to_wait(header: bytes | None, now: float) -> float | None:
    """What a Retry-After asks for: seconds from 0 on, maybe infinity; None for none, or one that says nothing.

    now : seconds since 1970, of which a date is told from
    """
    text = (header or b"").decode("latin-1").strip()
    if SECONDS.fullmatch(text):
        return float(text)
    if not text or len(text) > LONGEST_DATE:
        return None
    try:
        left = parsedate_to_datetime(text).timestamp() - now
    except (ValueError, TypeError, OverflowError, OSError):
        return None
    return max(0.0, left) if math.isfinite(left) else None
