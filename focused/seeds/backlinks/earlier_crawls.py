"""Backlinks from earlier crawls: the links of all pages in their databases."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from focused.collection.collection import open_to_read
from focused.collection.store import Store
from focused.crawl.backlinks import Backlinks
from focused.live.last_run import last_run
from focused.page.urls import UrlRules

KNOWN = "SELECT id, key FROM urls WHERE key IN (SELECT value FROM json_each(?))"
LINKS = """
    SELECT l.target, p.url FROM links l JOIN urls p ON p.id = l.page
    WHERE l.target IN (SELECT value FROM json_each(?)) ORDER BY l.rowid"""


class EarlierCrawls(Backlinks):
    """Reads the table ``links`` of collections, also of one that a crawl is writing; pages in the order they were fetched.

    Every question reads each of these tables once, whole: ask for many URLs at a time.

    folders : of the collections
    Raises StorageError where one is no collection.
    """

    def __init__(self, folders: Sequence[Path], rules: UrlRules, limit: int) -> None:
        super().__init__(rules, limit)
        self.folders = folders
        for folder in folders:
            open_to_read(folder).close()

    def ask(self, urls: Sequence[str]) -> Mapping[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for folder in self.folders:
            store = open_to_read(folder)  # anew each time: a thread cannot use a connection of another
            try:
                _collect(store, urls, found)
            finally:
                store.close()
        return found


def _collect(store: Store, urls: Sequence[str], found: defaultdict[str, list[str]]) -> None:
    """Add what one collection knows of these URLs."""
    rules = _rules(store)
    asked = {rules.key(canonical): url for url in urls if (canonical := rules.canonical(url))}
    known = store.execute(KNOWN, (json.dumps(list(asked)),)).fetchall()
    by_id = {url: asked[key] for url, key in known}
    for target, page in store.execute(LINKS, (json.dumps(list(by_id)),)):
        found[by_id[target]].append(page)


def _rules(store: Store) -> UrlRules:
    """The rules by which that crawl made URLs canonical."""
    reading = last_run(store).reading
    return UrlRules(reading.fold_index, reading.strip_parameters)
