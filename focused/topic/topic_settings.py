"""Which Scrapy settings a topic file may set: those that Scrapy reads after the spider exists."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from scrapy.settings import default_settings

from focused.topic.mistakes import Mistakes, shown
from focused.topic.setting_values import wrong_value

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
