"""What a person writes into a topic file to keep, for later crawls, what they asked of one that runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from focused.crawl.standing_orders import limits_in

Tables = Mapping[str, Mapping[str, Any]]


def topic_line(kind: str, argument: str, value: str, tables: Tables) -> str:
    """The table and key that ask for the same, such as ``[scope] denied_hosts = ["ads.example"]``; empty where none does.

    tables : of the topic as its last run had them, what is there stays in the line
    """
    scope = tables.get("scope", {})
    match kind:
        case "deny_host":
            return f"[scope] denied_hosts = {_list([*scope.get('denied_hosts', ()), argument])}"
        case "allow_host" if argument in scope.get("denied_hosts", ()):
            return f"[scope] denied_hosts = {_list([host for host in scope['denied_hosts'] if host != argument])}"
        case "drop_url":
            return f"[scope] deny = {_list([*scope.get('deny', ()), f'^{re.escape(argument)}$'])}"
        case "raise_url":
            return f"[topic] seeds = {_list([*tables.get('topic', {}).get('seeds', ()), argument])}"
        case "budget":
            return "[budget] " + ", ".join(f"{name} = {limit:.15g}" for name, limit in limits_in(value).items())
    return ""


def _list(texts: list[str]) -> str:
    """A TOML array, each text once; its strings are those of JSON."""
    return json.dumps(list(dict.fromkeys(texts)), ensure_ascii=False)
