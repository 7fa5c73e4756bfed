"""Values of settings that would end a crawl in a traceback, or let it hang: told in one line before anything is opened."""

from __future__ import annotations

import math
from typing import Any

from scrapy.settings import BaseSettings, default_settings

from focused.exceptions import FocusedError
from focused.topic.mistakes import shown, unknown
from focused.topic.project_settings import OURS, own_names

ABOVE_ZERO = (
    "FOCUSED_BUSY_SECONDS",
    "FOCUSED_BUSY_WAIT_SECONDS",
    "FOCUSED_MAX_RETRY_AFTER",
    "FOCUSED_COMMIT_SECONDS",
    "FOCUSED_LOCK_SECONDS",
    "FOCUSED_MAX_CRAWL_DELAY",
    "FOCUSED_PROGRESS_SECONDS",
    "FOCUSED_ROBOTS_RETRY_SECONDS",
    "FOCUSED_SNAPSHOT_PAGES",
)
AT_LEAST_ONE = (
    "CONCURRENT_ITEMS",
    "CONCURRENT_REQUESTS",
    "CONCURRENT_REQUESTS_PER_DOMAIN",
    "FOCUSED_COMMIT_REQUESTS",
)  #: with 0 nothing is fetched
SWITCHES = ("FOCUSED_LOG_JSON", "FOCUSED_POLITE_TO_ADDRESSES")
FROM_ZERO = ("FOCUSED_BUSY_TIMES",)
FRACTIONS = ("DNS_TIMEOUT", "DOWNLOAD_DELAY", "DOWNLOAD_TIMEOUT")  #: whose defaults are whole numbers by chance
SWITCH = "_ENABLED"  #: how the name of one ends whose default is a number
NEGATIVE = ("_PRIORITY", "_ADJUST")  #: how names end whose values may be below 0


def wrong_value(name: str, value: Any) -> str:
    """What a setting must be and is not; empty where the value will do, or nothing is known of it."""
    default = getattr(default_settings, name, None)
    if name in ABOVE_ZERO:
        return "" if _number(value) > 0 else "it must be a number above 0"
    if name in AT_LEAST_ONE:
        return "" if _whole(value) >= 1 else "it must be a whole number from 1 on"
    if name in FROM_ZERO:
        return "" if _whole(value) >= 0 else "it must be a whole number from 0 on"
    if name in SWITCHES or isinstance(default, bool) or (default is not None and name.endswith(SWITCH)):
        return "" if _is_switch(value) else "it must be true or false"
    if not isinstance(default, int | float) or value is None:
        return ""
    if isinstance(default, float) or name in FRACTIONS:
        return "" if _number(value) >= 0 else "it must be a number from 0 on"
    number = _whole(value)
    if name.endswith(NEGATIVE):
        return "it must be a whole number" if math.isnan(number) else ""
    return "" if number >= 0 else "it must be a whole number from 0 on"


def check_values(settings: BaseSettings) -> None:
    """Raise FocusedError with all wrong values, and all names of ours that there are not, one a line."""
    names = own_names()
    strange = [name for name in sorted(settings) if name.startswith(OURS) and name not in names]
    found = ((name, settings[name]) for name in sorted(settings))
    wrong = [f"{name}: {unknown(name, names, plural='settings of focused')}" for name in strange]
    wrong += [f"{name} = {shown(value)}: {text}" for name, value in found if (text := wrong_value(name, value))]
    if wrong:
        raise FocusedError("\n".join(wrong))


def _number(value: Any) -> float:
    """NaN for what is no finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def _whole(value: Any) -> float:
    """NaN for what Scrapy would not take for a whole number."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _is_switch(value: Any) -> bool:
    try:
        BaseSettings({"value": value}).getbool("value")
    except ValueError:
        return False
    return True
