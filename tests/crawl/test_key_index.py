"""Keys against a dict: every key gets the next id once, and keeps it, whatever has been merged meanwhile."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from focused.crawl import key_index
from focused.crawl.key_index import KeyIndex

LOWEST, HIGHEST = -(2**63), 2**63 - 1
#: Few values, so that keys come again, and the extremes.
keys = st.integers(-30, 30) | st.sampled_from([LOWEST, LOWEST + 1, HIGHEST - 1, HIGHEST]) | st.integers(LOWEST, HIGHEST)


class KeyIndexAgainstDict(RuleBasedStateMachine):
    """Any sequence of calls gives the ids that a dict would give, also when keys are merged every few calls."""

    @initialize(merge_at_least=st.sampled_from([0, 1, 5, 8192]), at_once=st.sampled_from([1, 7, 65536]))
    def begin(self, merge_at_least: int, at_once: int) -> None:
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(key_index, "MERGE_AT_LEAST", merge_at_least)
        self.patch.setattr(key_index, "AT_ONCE", at_once)
        self.index = KeyIndex()
        self.ids: dict[int, int] = {}

    def teardown(self) -> None:
        self.patch.undo()

    @rule(asked=st.lists(keys, max_size=40))
    def intern(self, asked: list[int]) -> None:
        new = [position for position, key in enumerate(asked) if key not in self.ids and key not in asked[:position]]
        for position in new:
            self.ids[asked[position]] = len(self.ids)
        ids, found_new = self.index.intern(np.array(asked, np.int64))
        assert ids.tolist() == [self.ids[key] for key in asked]
        assert found_new == new

    @rule(key=keys)
    def find(self, key: int) -> None:
        assert self.index.find(key) == self.ids.get(key, -1)

    @invariant()
    def same_size(self) -> None:
        assert len(self.index) == len(self.ids)
        assert all(self.index.find(key) == number for key, number in self.ids.items())


TestKeyIndexAgainstDict = KeyIndexAgainstDict.TestCase
TestKeyIndexAgainstDict.settings = settings(max_examples=2 * settings.default.max_examples, stateful_step_count=20)


def test_ids_stay_across_merges_of_the_real_size() -> None:
    all_keys = np.random.default_rng(0).integers(LOWEST, HIGHEST, 40_000, endpoint=True)
    index = KeyIndex()
    for start in range(0, len(all_keys), 1000):
        ids, new = index.intern(all_keys[start : start + 1000])
        assert ids.tolist() == list(range(start, start + 1000))
        assert new == list(range(1000))
    ids, new = index.intern(all_keys[::-1])
    assert ids.tolist() == list(range(len(all_keys)))[::-1]
    assert new == []
