"""The pages that a crawl remembers to learn layers from: the terms of the latest, and which of them are targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from focused.papers.strategies.context_graph.layer_classifier import Document

MOST = 2_000  #: pages remembered, the latest: about 1 KB each


class RememberedPages:
    """Documents by id of their page, in order of arrival; ``targets`` are those that are relevant."""

    def __init__(self) -> None:
        self.documents: dict[int, Document] = {}
        self.targets: dict[int, None] = {}

    def add(self, page: int, document: Document, *, is_target: bool) -> None:
        """Remember a page; the oldest is forgotten where there are too many."""
        self.documents[page] = document
        if is_target:
            self.targets[page] = None
        if len(self.documents) > MOST:
            oldest = next(iter(self.documents))
            del self.documents[oldest]
            self.targets.pop(oldest, None)

    def copy(self) -> RememberedPages:
        """What is remembered now, for another thread."""
        other = RememberedPages()
        other.documents, other.targets = dict(self.documents), dict(self.targets)
        return other

    def state(self) -> dict[str, Any]:
        return {**packed(self.documents), "targets": np.array(list(self.targets), np.int64)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.documents = unpacked(state)
        self.targets = dict.fromkeys(state["targets"].tolist())


def packed(documents: Mapping[int, Document]) -> dict[str, Any]:
    """Documents by page as a few arrays."""
    values, empty = list(documents.values()), Document.of(())
    return {
        "pages": np.array(list(documents), np.int64),
        "lengths": np.array([len(document.keys) for document in values], np.int64),
        "keys": np.concatenate([empty.keys, *(document.keys for document in values)]),
        "counts": np.concatenate([empty.counts, *(document.counts for document in values)]),
    }


def unpacked(state: Mapping[str, Any]) -> dict[int, Document]:
    """What `packed` was given."""
    ends = np.cumsum(state["lengths"])[:-1]
    split = zip(np.split(state["keys"], ends), np.split(state["counts"], ends), strict=True)
    documents = [Document(keys, counts) for keys, counts in split] if len(state["pages"]) else []
    return dict(zip(state["pages"].tolist(), documents, strict=True))
