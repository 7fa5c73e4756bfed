"""What a person writes into a topic file to keep, for later crawls, what they asked of one that runs."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from focused.crawl.standing_orders import OrderKind, limits_in

Tables = Mapping[str, Mapping[str, Any]]


def topic_line(kind: str, argument: str, value: str, tables: Tables) -> str:
    """The table and key that ask for the same, such as ``[scope] denied_hosts = ["ads.example"]``; empty where none does.

    tables : of the topic as its last run had them, what is there stays in the line
    """
    scope = tables.get("scope", {})
    match kind:
        case OrderKind.DENY_HOST:
            return f"[scope] denied_hosts = {_list([*scope.get('denied_hosts', ()), argument])}"
        case OrderKind.ALLOW_HOST if argument in scope.get("denied_hosts", ()):
            return f"[scope] denied_hosts = {_list([host for host in scope['denied_hosts'] if host != argument])}"
        case OrderKind.DROP_URL:
            return f"[scope] deny = {_list([*scope.get('deny', ()), f'^{re.escape(argument)}$'])}"
        case OrderKind.RAISE_URL:
            return f"[topic] seeds = {_list([*tables.get('topic', {}).get('seeds', ()), argument])}"
        case OrderKind.BUDGET:
            return "[budget] " + ", ".join(f"{name} = {limit!r}" for name, limit in limits_in(value).items())
    return ""


def topic_lines(commands: Iterable[tuple[str, str, str]], tables: Tables) -> list[str]:
    """The lines of a topic file that ask for all of several commands (kind, argument, value), the oldest first."""
    now = {name: dict(table) for name, table in tables.items()}
    for kind, argument, value in commands:
        table, _, keys = topic_line(kind, argument, value, now).partition(" ")
        if keys:
            now.setdefault(table[1:-1], {}).update(tomllib.loads(f"line = {{{keys}}}")["line"])
    lines: list[str] = []
    for name, entries in now.items():
        was = tables.get(name, {})
        new = {key: value for key, value in entries.items() if value != was.get(key)}
        changed = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in new.items()]
        lines += [f"[{name}]", *changed] if changed else []
    return lines


def _list(texts: list[str]) -> str:
    """A TOML array, each text once; its strings are those of JSON."""
    return json.dumps(list(dict.fromkeys(texts)), ensure_ascii=False)
