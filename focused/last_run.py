"""The topic that a collection was last crawled for."""

from __future__ import annotations

import json

from focused.errors import FocusedError
from focused.storage.store import Store
from focused.topic import Topic
from focused.topic_tables import topic_of_run


def topic_of_last_run(store: Store) -> Topic:
    """The topic by whose rules the journal ends: the topic's file may have changed since, and arguments are in no file."""
    row = store.execute("SELECT topic FROM runs ORDER BY id DESC LIMIT 1").fetchone()
    if row is None:
        raise FocusedError(f"{store.path}: nothing was crawled yet")
    return topic_of_run(json.loads(row[0]), str(store.path))
