"""What a page says of itself to programs: JSON-LD and Open Graph, as a JSON text that is neither long nor deep.

Both come from the one walk that reads the blocks of a page. Microdata and RDFa would take other parsers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from focused.page.block_parts import Blocks

LONGEST = 200_000  #: characters of JSON-LD that are read of a page; a script that goes beyond is left out
DEEPEST = 50  #: objects and lists in one another
MOST_PROPERTIES = 200  #: of Open Graph, with all their values
LONGEST_PROPERTY = 2_000  #: characters of a name and its value
_PROPERTY = re.compile(r"[a-z][\w-]*(:[\w-]+)+")  #: of a vocabulary: og:title, article:published_time, twitter:card


def structured_data(found: Blocks) -> str | None:
    """JSON-LD and Open Graph as a JSON object; None where a page has neither.

    ``{"json_ld": [each script], "open_graph": {"og:title": [each value], ...}}``, of which what is empty is left out.
    """
    both = {"json_ld": list(json_ld(found.scripts)), "open_graph": _open_graph(found)}
    told = {name: value for name, value in both.items() if value}
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "replace").decode() if told else None


def json_ld(scripts: Sequence[str]) -> Iterator[Any]:
    """Yield what scripts hold, as far as it is JSON that any reader of JSON takes."""
    room = LONGEST
    for script in scripts:
        if len(script) > room:
            continue
        room -= len(script)
        try:
            data = json.loads(script, strict=False, parse_constant=_nothing, parse_float=_finite)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict | list) and _is_flat(data):
            yield data


def _nothing(_: str) -> None:
    """NaN and Infinity, which are no JSON."""


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if isfinite(number) else None


def _is_flat(data: Any) -> bool:
    level = [data]
    for _ in range(DEEPEST):
        level = [
            inner
            for node in level
            for inner in (node.values() if isinstance(node, dict) else node)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return True
    return False


def _open_graph(found: Blocks) -> dict[str, list[str]]:
    """Values of each property, in the order of the page."""
    properties: dict[str, list[str]] = {}
    for attributes in found.metas[:MOST_PROPERTIES]:
        name, content = (attributes.get("property") or attributes.get("name") or "").strip(), attributes.get("content")
        if content and len(name) + len(content) <= LONGEST_PROPERTY and _PROPERTY.fullmatch(name):
            properties.setdefault(name, []).append(content.strip())
    return properties
