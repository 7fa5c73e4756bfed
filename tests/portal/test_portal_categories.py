"""Categories come from a taxonomy's examples and from what editors moved, or from themes that keep their names."""

from collections import Counter
from pathlib import Path

import pytest

from focused.collection.collection import opened
from focused.collection.desk import Desk
from focused.desk.portal.editing import ACCEPTED, Placement, Placements
from focused.desk.portal.publishing import PortalWish, sorted_entries
from focused.exceptions import TaxonomyError
from focused.papers.taxonomies.taxonomy_store import TaxonomyStore
from tests.commands.running import crawled
from tests.taxonomies.energy import made

URLS = "SELECT u.url FROM fetches f JOIN urls u ON u.id = f.final_url WHERE f.relevant = ? ORDER BY f.seq"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    crawled(tmp_path / "test")
    return tmp_path / "test"


@pytest.fixture
def taxonomy(tmp_path: Path) -> Path:
    made(tmp_path / "energy").close()
    return tmp_path / "energy"


def off_topic(folder: Path) -> list[str]:
    """Pages about football and cooking."""
    with opened(folder) as store:
        return [url for (url,) in store.execute(URLS, (0,))]


def categories(folder: Path, taxonomy: Path | None = None) -> dict[str, str]:
    entries = sorted_entries(folder, PortalWish(folder / "site", "test", taxonomy), lambda *_: None)
    return {one.url: one.category for one in entries}


def test_examples_say_where_a_page_belongs(folder: Path, taxonomy: Path) -> None:
    football = off_topic(folder)[0]
    Placements(folder).place({football: ACCEPTED})
    found = categories(folder, taxonomy)
    assert found.pop(football) == "Sports"
    counts = Counter(found.values())  # many links of these pages are about football, too
    assert counts["Energy/Sun"] > 0 == counts["Energy/Wind"]


def test_what_editors_moved_is_learned_from(folder: Path, taxonomy: Path) -> None:
    *moved, other = off_topic(folder)[:5]
    kitchen = dict.fromkeys(moved, Placement(True, "Kitchen"))
    Placements(folder).place({**kitchen, other: ACCEPTED})
    found = categories(folder, taxonomy)
    assert {found[url] for url in (*moved, other)} == {"Kitchen"}


def test_too_few_examples(folder: Path, tmp_path: Path) -> None:
    TaxonomyStore(tmp_path / "bare", make=True).close()
    with pytest.raises(TaxonomyError, match="scrapy taxonomy bare fetch"):
        categories(folder, tmp_path / "bare")


def test_a_theme_keeps_its_name_and_a_person_may_give_it_another(folder: Path) -> None:
    before = categories(folder)
    assert categories(folder) == before
    url, name = next(iter(before.items()))
    Desk(folder).name(url, "Sun and roofs")
    after = categories(folder)
    assert {after[one] for one in before if before[one] == name} == {"Sun and roofs"}
