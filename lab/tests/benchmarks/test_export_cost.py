"""The collection of which exports are measured is whole, and one that a crawl could have made."""

from __future__ import annotations

from pathlib import Path

from focused.storage.check.checking import check
from focused.storage.collection import open_to_read
from lab.benchmarks.export_cost import make_collection


def test_it_is_whole_and_its_pages_are_found_on_each_other(tmp_path: Path) -> None:
    make_collection(tmp_path / "generated", 20)
    assert check(tmp_path / "generated", lambda *_: None).is_well
    store = open_to_read(tmp_path / "generated")
    found = store.execute(
        "SELECT count(*), sum(relevant), count(found_on) FROM history WHERE outcome = 'page'"
    ).fetchone()
    store.close()
    assert found == (20, 2, 19)
