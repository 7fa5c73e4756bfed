"""Cross-validation: the parts into which examples are cut, each in turn kept from learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np


def parts(labels: Sequence[str], count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the positions to learn from and those to test on, ``count`` times; each class is spread evenly over the parts.

    The same labels give the same parts. A class with fewer members than parts is missing in some of them.
    """
    by_class: dict[str, list[int]] = {}
    for position, label in enumerate(labels):
        by_class.setdefault(label, []).append(position)
    part = np.empty(len(labels), np.int64)
    dealt = 0
    for label in sorted(by_class):
        members = np.random.default_rng(0).permutation(by_class[label])
        part[members] = (dealt + np.arange(len(members))) % count
        dealt += len(members)
    for number in range(count):
        yield np.flatnonzero(part != number).tolist(), np.flatnonzero(part == number).tolist()
