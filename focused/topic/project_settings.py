"""Settings: ours in a project of somebody's own, values that no crawl can run with, and those that a topic file may set."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Callable, Mapping
from datetime import date, time
from types import NoneType
from typing import Any

from scrapy.settings import BaseSettings, default_settings

from focused import settings as ours
from focused.exceptions import FocusedError
from focused.topic.mistakes import Mistakes, shown, unknown

#: Which components run: ours come beside those of the project.
COMPONENTS = (
    *("DOWNLOADER_MIDDLEWARES", "DOWNLOAD_HANDLERS", "EXTENSIONS", "FEED_EXPORTERS"),
    *("FEED_STORAGES", "ITEM_PIPELINES", "LINK_SCORERS", "SPIDER_MIDDLEWARES"),
)
#: What belongs to our project and not to a crawl.
OF_THE_PROJECT = ("BOT_NAME", "COMMANDS_MODULE", "NEWSPIDER_MODULE", "SPIDER_MODULES")
REMOTE_CONTROL = "scrapy.extensions.remote_control.RemoteControl"  #: imported, it takes a tenth of a crawl's start
OURS = "FOCUSED_"  #: begins the names of our own settings


def values() -> dict[str, Any]:
    """All settings of `focused/settings.py`."""
    return {name: value for name, value in vars(ours).items() if name.isupper()}


def own_names() -> list[str]:
    """Names of the settings that only focused reads."""
    return [name for name in values() if name.startswith(OURS)]


def add_own_defaults(settings: BaseSettings) -> None:
    """Give the settings that only focused reads their defaults, for a command."""
    for name in own_names():
        settings.set(name, values()[name], "addon")


def add_topical_defaults(settings: BaseSettings) -> None:
    """Give a topical crawl its components and its defaults; what the project or a person set stands, but for the scheduler.

    Raises FocusedError where components are no table.
    """
    for name, value in values().items():
        if name in COMPONENTS:
            table = _read(BaseSettings.getdict, settings.get(name) or {})
            if table is None:
                raise FocusedError(f"{name} = {shown(settings[name])}: it must be a table of import paths")
            merged = {**value, **table}
            # One above, as Scrapy gives the project's settings once more to a crawler that is made.
            settings.set(name, merged, max(settings.getpriority(name) or 0, ADDON_PRIORITY) + 1)
        elif name == "SCHEDULER":  # without it there is no topical crawl; one for other spiders is none of ours
            settings.set(name, value, "spider")
        elif name not in OF_THE_PROJECT:
            settings.set(name, value, "addon")
    # What is named in EXTENSIONS is imported, on or off: so this one leaves its place to `focused.live.remote_control`.
    base = {name: order for name, order in settings.getdict("EXTENSIONS_BASE").items() if name != REMOTE_CONTROL}
    settings.set("EXTENSIONS_BASE", base, "addon")


ADDON_PRIORITY = 15  #: of Scrapy: above its defaults, below a project's settings


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
FRACTIONS = ("DNS_TIMEOUT", "DOWNLOAD_DELAY", "DOWNLOAD_TIMEOUT")  #: whose defaults are whole numbers by chance
SWITCH = "_ENABLED"  #: how the name of one ends whose default is a number
NEGATIVE = ("_PRIORITY", "_ADJUST")  #: how names end whose values may be below 0
LEVEL = "_LEVEL"  #: how names end whose values are text or, as in `logging`, whole numbers
DATES = (date, time)  #: that TOML has, and no setting
NO_TEXT = (int, float, list, tuple, Mapping, *DATES)  #: a Path is text, and so is a class where Scrapy takes its path
PLACES = ("it must be a table of import paths and numbers", (int, float, NoneType))
TABLES = ("it must be a table of tables", Mapping)
#: What tables hold: of any other, Scrapy itself tells.
HOLDS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(
        ("DOWNLOADER_MIDDLEWARES", "EXTENSIONS", "ITEM_PIPELINES", "LINK_SCORERS", "SPIDER_MIDDLEWARES"), PLACES
    ),
    **dict.fromkeys(("DOWNLOAD_SLOTS", "FEEDS"), TABLES),
}


def wrong_value(name: str, value: Any) -> str:
    """What a setting must be and is not; empty where the value will do, or nothing is known of it."""
    default = getattr(default_settings, name, getattr(ours, name, None))
    if name in ABOVE_ZERO:
        return "" if _number(value) > 0 else "it must be a number above 0"
    if name in AT_LEAST_ONE:
        return "" if _whole(value) >= 1 else "it must be a whole number from 1 on"
    if isinstance(default, bool) or (default is not None and name.endswith(SWITCH)):
        return "" if _read(BaseSettings.getbool, value) is not None else "it must be true or false"
    if isinstance(default, str):
        is_text = not isinstance(value, NO_TEXT) or (name.endswith(LEVEL) and isinstance(value, int))
        return "" if is_text else "it must be text"
    if isinstance(default, list):
        return "" if _read(BaseSettings.getlist, value) is not None else "it must be a list"
    if isinstance(default, dict):
        told, kind = HOLDS.get(name, ("it must be a table", object))
        table = _read(BaseSettings.getdict, value or {})
        return "" if table is not None and all(isinstance(part, kind) for part in table.values()) else told
    if default is None and name in _KNOWN and isinstance(value, DATES):
        return "it cannot be a date"
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
    tables = {name: value.copy_to_dict() for name, value in settings.items() if isinstance(value, BaseSettings)}
    found = ((name, tables.get(name, settings[name])) for name in sorted(settings))
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


def _read(read: Callable[[BaseSettings, str], Any], value: Any) -> Any:
    """What Scrapy makes of a value; None for one of which it makes nothing."""
    try:
        return read(BaseSettings({"value": value}), "value")
    except (TypeError, ValueError):
        return None


TOPIC_PRIORITY = 35  #: settings of a topic lie between those of a spider (30) and the command line (40)

#: Read before `Spider.from_crawler`, or by the process, not the crawler (scrapy/crawler.py, cmdline.py, resolver.py).
TOO_LATE = frozenset(
    {
        "ASYNCIO_EVENT_LOOP",
        "COMMANDS_MODULE",
        "DNSCACHE_ENABLED",
        "DNSCACHE_SIZE",
        "DNS_RESOLVER",
        "DNS_TIMEOUT",
        "EDITOR",
        "FORCE_CRAWLER_PROCESS",
        "NEWSPIDER_MODULE",
        "REACTOR_THREADPOOL_MAXSIZE",
        "SPIDER_LOADER_CLASS",
        "SPIDER_LOADER_WARN_ONLY",
        "SPIDER_MODULES",
        "TEMPLATES_DIR",
        "TWISTED_DNS_RESOLVER",
        "TWISTED_REACTOR",
        "TWISTED_REACTOR_ENABLED",
        "FOCUSED_DATA_DIR",  # our commands look for collections without asking their topics
        "FOCUSED_SEARCH",  # says who finds the seeds of a topic that has none yet
        "FOCUSED_TOPICS_DIR",  # says where the topic file itself is looked for
    }
)
#: A name this like one of Scrapy's settings is a slip of the pen; a lower ratio may well be another package's setting.
SURELY_MISSPELT = 0.92

_KNOWN = [name for name in dir(default_settings) if name.isupper()]


def is_too_late(name: str) -> bool:
    # Of all LOG_* only the formatter is made after the spider.
    return name in TOO_LATE or (name.startswith("LOG_") and name != "LOG_FORMATTER")


def check_settings(settings: Mapping[str, Any], mistakes: Mistakes) -> None:
    """Note every setting that would have no effect (it comes too late, or is not spelt as Scrapy spells it), or a wrong value."""
    for name, value in settings.items():
        if name != name.upper():
            mistakes.add(f"settings are written in upper case: {name.upper()}", "settings", name)
        elif is_too_late(name):
            text = value if isinstance(value, str) else json.dumps(value, default=str)
            mistakes.add(f"too late in a topic file; use -s {name}={text}", "settings", name)
        elif name not in _KNOWN and (near := difflib.get_close_matches(name, _KNOWN, n=1, cutoff=SURELY_MISSPELT)):
            mistakes.add(f"unknown; did you mean {near[0]}?", "settings", name)
        elif wrong := wrong_value(name, value):
            mistakes.add(f"{shown(value)}: {wrong}", "settings", name)
