"""Tables of a topic file that suit one task, for `scrapy topics new --preset`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from focused.exceptions import TopicError
from focused.reading.plain_text import plain
from focused.topic.mistakes import unknown

PRESETS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    # A short list of sites that needs to be expanded: many sites, a few pages of each, and hubs that lead from one to the next.
    "companies": {
        "strategy": {"name": "hub_seeking"},
        "scope": {
            "pages_per_host": 20,
            "denied_hosts": ["facebook.com", "instagram.com", "linkedin.com", "twitter.com", "x.com", "youtube.com"],
        },
    },
}


def tables_of(preset: str) -> dict[str, dict[str, Any]]:
    """The tables of a preset, to be changed at will. Raises TopicError for one that there is not."""
    if preset not in PRESETS:
        raise TopicError(f"--preset {plain(preset, 40)}: {unknown(preset, PRESETS, plural='presets')}")
    return {table: dict(deepcopy(values)) for table, values in PRESETS[preset].items()}
