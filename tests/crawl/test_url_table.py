"""The table of URLs: new ones start free and unknown, rows stay when it grows, and a snapshot brings them back."""

from __future__ import annotations

import numpy as np

from focused.collection.snapshot import decode, encode
from focused.crawl.hosts import Hosts
from focused.crawl.url_table import NO_SOURCE, State, UrlTable


def table_of(count: int) -> UrlTable:
    table = UrlTable()
    table.intern(np.arange(count) * 10)
    return table


def test_a_new_url_is_free_found_nowhere_and_not_yet_judged() -> None:
    table = table_of(1)
    row = (table.host[0], table.depth[0], table.source[0], table.state[0], table.verdict[0])
    assert row == (-1, 0, NO_SOURCE, State.FREE, 0)


def test_ids_follow_one_another_and_are_found_by_key() -> None:
    table = table_of(3)
    assert table.intern(np.array([20, 99, 0])).tolist() == [2, 3, 0]
    assert (table.find(99), table.find(98), len(table)) == (3, -1, 4)


def test_a_url_is_met_once_whether_or_not_it_was_known_beforehand() -> None:
    table = table_of(3)
    ids, new = table.meet(np.array([20, 99, 20, 0, 99]))
    assert (ids.tolist(), new) == ([2, 3, 2, 0, 3], [0, 1, 3])
    assert table.meet(np.array([99, 10]))[1] == [1]


def test_a_snapshot_is_a_copy_that_brings_back_depth_source_and_state() -> None:
    table, deep = table_of(3), 1_000_000  # a chain of links may be as long as a crawl
    table.depth[1], table.source[1], table.state[1] = deep, 0, State.WAITING
    saved = table.snapshot()
    table.depth[1], table.source[1], table.state[1] = 9, 9, State.DONE
    later = table_of(5)
    later.restore(decode(encode(saved)))
    assert later.depth[:5].tolist() == [0, deep, 0, 0, 0]
    assert later.source[:5].tolist() == [NO_SOURCE, 0, NO_SOURCE, NO_SOURCE, NO_SOURCE]
    assert later.state[:5].tolist() == [State.FREE, State.WAITING, State.FREE, State.FREE, State.FREE]


def test_a_host_name_has_one_id() -> None:
    hosts = Hosts()
    assert [hosts.intern(name) for name in ("a.org", "b.org", "a.org")] == [0, 1, 0]
    assert (hosts.find("b.org"), hosts.find("c.org"), len(hosts)) == (1, -1, 2)
    assert hosts.names == ["a.org", "b.org"]
    assert hosts.picked[:2].tolist() == [0, 0]
