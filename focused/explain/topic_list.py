"""Topics for `scrapy topics list`, and the lines of a topic file that keep what a person asked of a running crawl."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from focused import strategies
from focused.crawl.standing_orders import OrderKind, limits_in
from focused.exceptions import ModelError, TopicError
from focused.explain.plain_output import TableColumn, print_table
from focused.live.assemble import model_of
from focused.topic.topic import Budget
from focused.topic.topic_file import find_topic, load_topic, topic_files
from focused.topic.topic_tables import doubts_about

TopicTables = Mapping[str, Mapping[str, Any]]


def topic_line(kind: str, argument: str, value: str, tables: TopicTables) -> str:
    """The table and key that have the same effect, such as ``[scope] denied_hosts = ["ads.example"]``; empty if none has.

    tables : the topic's tables of its last run; the line keeps their values
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


def topic_lines(commands: Iterable[tuple[str, str, str]], tables: TopicTables) -> list[str]:
    """The lines of a topic file with the effect of several commands (kind, argument, value), the oldest first."""
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


COLUMNS = ("topic", "state", "keywords", TableColumn("seeds", True), "strategy", "budget", "file")
WIDEST_KEYWORDS = 40  # characters of the keywords that the list shows


def list_topics(names: Iterable[str], topics_dir: Path | None, models: Path) -> None:
    """Print a line for each of these topics (all if none is given), then doubts about them, and their mistakes."""
    names, rows = list(names), list[tuple[object, ...]]()
    doubts, mistakes = list[str](), list[str]()
    for name in names or topic_files(topics_dir):
        file = ""
        try:
            file = str(find_topic(name, topics_dir))
            topic = load_topic(name, strategies, topics_dir=topics_dir)
            model_of(topic, models)  # is there
        except (TopicError, ModelError) as error:
            wrong = str(error).splitlines()
            rows.append((name, f"{len(wrong)} mistake{'s' * (len(wrong) > 1)}", None, None, None, None, file))
            mistakes += wrong
        else:
            keywords, budget = _shortened(", ".join(topic.keywords)), budget_in_words(topic.budget)
            rows.append((name, "OK", keywords, len(topic.seeds), topic.strategy, budget, file))
            doubts += [f"{name}: {doubt}" for doubt in doubts_about(topic)]
    print_table(COLUMNS, rows)
    for doubt in doubts:
        print(doubt)
    if not names and topics_dir and not topics_dir.is_dir():
        mistakes.append(f"FOCUSED_TOPICS_DIR: no folder {topics_dir}")
    if mistakes:
        raise TopicError("\n".join(mistakes))


def budget_in_words(budget: Budget) -> str:
    """The limits of a budget, such as ``1000 pages, 2.5 hours``."""
    limits = {
        "pages": budget.pages,
        "hours": budget.hours and f"{budget.hours:g}",
        "MB": budget.megabytes,
        "relevant pages": budget.relevant_pages,
    }
    words = [f"{limit} {what}" for what, limit in limits.items() if limit]
    if budget.harvest_floor:
        words.append(f"harvest below {budget.harvest_floor:g}")
    return ", ".join(words) or "none"


def _shortened(text: str) -> str:
    return text if len(text) <= WIDEST_KEYWORDS else text[: WIDEST_KEYWORDS - 3] + "..."
