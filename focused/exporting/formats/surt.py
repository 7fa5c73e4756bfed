"""The key of a URL in the index of a Web archive: hosts that belong together stand together."""

from __future__ import annotations

import re

from ada_url import URL, URLSearchParams

_WWW = re.compile(r"(?<=://)www\d*\.")


def surt(url: str) -> str:
    """The Sort-friendly URI Reordering Transform of a canonical URL, as replay programs (wabac.js) make it when they look one up.

    ``http://www.example.org:8080/A?b=1&a=2`` has ``org,example:8080)/a?a=2&b=1``.
    """
    parsed = URL(_WWW.sub("", url, count=1).lower())
    host = ",".join(reversed(parsed.hostname.split(".")))
    port = f":{parsed.port}" if parsed.port else ""
    return f"{host}{port}){parsed.pathname}{_query(parsed.search)}"


def _query(search: str) -> str:
    """The same parameters by name; one without a value stays without its sign of equality."""
    if not search:
        return ""
    parameters, as_written = URLSearchParams(search), set(search[1:].split("&"))
    parameters.sort()  # type: ignore[no-untyped-call]
    pairs = str(parameters).split("&")
    return "?" + "&".join(pair[:-1] if pair.endswith("=") and pair not in as_written else pair for pair in pairs)
