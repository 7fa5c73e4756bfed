"""Session identifiers in URLs: they name the visit, not the page, and make a new URL of each page for each visitor."""

from __future__ import annotations

import re

#: Names of parameters that programs use for sessions; as values, only what can be an identifier.
_PARAMETER = re.compile(
    r"(?:^|&)(?:jsessionid|phpsessid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|oscsid|zenid|sessionid|session_id|sess_id|sessid|"
    r"sid|s_id)=[\w.~+-]{8,}(?=&|$)",
    re.IGNORECASE,
)
_IN_PATH = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid)=[\w.!~+-]+|/\((?:[A-Z]\([\w-]+\))+\)(?=/)", re.IGNORECASE
)


def without_session_ids(url: str) -> str:
    """A canonical URL without the session identifiers in its path and its query."""
    address, _, query = url.partition("?")
    if ";" in address or "(" in address:
        address = _IN_PATH.sub("", address)
    if "=" in query:
        kept = _PARAMETER.sub("", query)
        query = kept if kept == query else kept.removeprefix("&")
    return f"{address}?{query}" if query else address
