"""Tables of a topic file by name: what `scrapy topics --preset new` writes, and the defaults that the key `profile` chooses."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from focused.exceptions import TopicError
from focused.page.plain_text import plain
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
#: Defaults that a topic file may take; a strategy gets those of its options that it has.
PROFILES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    # The test bed of Pant & Menczer 2003, "Topical Crawling for Business Intelligence", section 4.1 (70,000 URLs, D = 50), and of
    # Pant, Srinivasan & Menczer 2004, "Crawling the Web", sections 2.3 (the first 10 to 20 KB of a page) and 3.1 (N = 256).
    "crawling-the-web": {
        "frontier": {"cap": 70_000, "distinct_hosts": 50},
        "reading": {"max_bytes": 20_000},
        "strategy": {"batch": 256},
    },
}


def tables_of(preset: str) -> dict[str, dict[str, Any]]:
    """The tables of a preset, to be changed at will. Raises TopicError for one that there is not."""
    if preset not in PRESETS:
        raise TopicError(f"--preset {plain(preset, 40)}: {unknown(preset, PRESETS, plural='presets')}")
    return {table: dict(deepcopy(values)) for table, values in PRESETS[preset].items()}
