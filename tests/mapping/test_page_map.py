"""Maps of pages: alike lies near, names tell themes apart, what grows stays put, and nothing that a page writes breaks one."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from focused.desk.mapping.making import drawings
from focused.desk.mapping.page_map import PageMap, draw_page_map, kept_page_map
from focused.desk.mapping.page_places import Floats
from focused.exceptions import FocusedError, StorageError
from tests.mapping.made_up import SUBJECTS, MadeUp, about, make_collection


def drawn(folder: Path) -> PageMap:
    return draw_page_map(folder, lambda *_: None)


def map_of(folder: Path, pages: list[MadeUp]) -> PageMap:
    make_collection(folder, pages)
    return drawn(folder)


def mixed(count: int) -> list[MadeUp]:
    return [about(number % 4, number // 4) for number in range(count)]


def spread(places: Floats) -> float:
    return float(np.ptp(places, axis=0).max())


class TestPlaces:
    def test_pages_of_one_subject_lie_together(self, tmp_path: Path) -> None:
        places = map_of(tmp_path / "c", mixed(200)).places
        nearest = ((places[:, None] - places[None]) ** 2).sum(axis=2)
        np.fill_diagonal(nearest, np.inf)
        assert (nearest.argmin(axis=1) % 4 == np.arange(200) % 4).mean() > 0.95

    def test_more_pages_than_landmarks(self, tmp_path: Path) -> None:
        found = map_of(tmp_path / "c", mixed(1200))
        middles = np.stack([np.median(found.places[i::4], axis=0) for i in range(4)])
        own = ((found.places[:, None] - middles[None]) ** 2).sum(axis=2).argmin(axis=1)
        assert (own == np.arange(1200) % 4).mean() > 0.95

    def test_the_same_pages_give_the_same_map(self, tmp_path: Path) -> None:
        one, other = map_of(tmp_path / "a", mixed(150)), map_of(tmp_path / "b", mixed(150))
        assert np.array_equal(one.places, other.places)
        assert one.themes == other.themes

    @pytest.mark.parametrize("after", [440, 480])
    def test_a_map_that_grows_stays_put(self, tmp_path: Path, after: int) -> None:
        before = map_of(tmp_path / "c", mixed(400)).places
        grown = map_of(tmp_path / "c", mixed(after)).places
        assert len(grown) == after
        moved = np.linalg.norm(grown[:400] - before, axis=1)
        assert np.median(moved) < 0.06 * spread(before)
        assert np.quantile(moved, 0.9) < 0.15 * spread(before)

    def test_a_map_of_other_pages_does_not_stay_put(self, tmp_path: Path) -> None:
        """The test above can fail."""
        before = map_of(tmp_path / "c", mixed(400)).places
        other = map_of(tmp_path / "d", [about(number % 4, 7 * number) for number in range(400)]).places
        assert np.median(np.linalg.norm(other - before, axis=1)) > 0.06 * spread(before)

    def test_what_was_drawn_is_kept_with_what_is_missing_since(self, tmp_path: Path) -> None:
        found = map_of(tmp_path / "c", mixed(60))
        make_collection(tmp_path / "c", mixed(70))
        kept = kept_page_map(tmp_path / "c")
        assert kept is not None
        assert (kept.missing, len(kept)) == (10, 60)
        assert np.array_equal(kept.places, found.places)

    def test_a_crawl_that_starts_afresh_has_a_map_of_its_own(self, tmp_path: Path) -> None:
        map_of(tmp_path / "c", mixed(60))
        (tmp_path / "c" / "crawl.db").unlink()
        make_collection(tmp_path / "c", [MadeUp("other.example", "something else")] * 3)
        assert kept_page_map(tmp_path / "c") is None
        assert len(drawn(tmp_path / "c")) == 3


class TestStrangePages:
    @pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
    def test_hardly_any(self, tmp_path: Path, count: int) -> None:
        found = map_of(tmp_path / "c", mixed(count))
        assert found.places.shape == (count, 2)
        assert np.isfinite(found.places).all()
        assert sum(theme.pages for theme in found.themes) == count

    @pytest.mark.parametrize("title", ["solar panel", "", "the of and", "1 2 3", "\x00\x1b[31m", "\ud83d\ude00"])
    def test_all_alike(self, tmp_path: Path, title: str) -> None:
        found = map_of(tmp_path / "c", [MadeUp("one.example", title.encode("utf-8", "replace").decode())] * 90)
        assert np.isfinite(found.places).all()
        assert len(np.unique(found.places, axis=0)) > 80  # none hides another

    def test_some_without_a_word_lie_apart(self, tmp_path: Path) -> None:
        pages = mixed(100) + [MadeUp("silent.example", "")] * 20
        found = map_of(tmp_path / "c", pages)
        assert found.places[100:, 1].max() < found.places[:100, 1].min()

    def test_titles_that_are_not_for_people(self, tmp_path: Path) -> None:
        titles = [
            "<script>alert(1)</script>",
            "\u202e" * 500,
            "x" * 100_000,
            "a\n" * 9_000,
            "ﷺ" * 3_000,
            "'; DROP TABLE said; --",
        ]
        found = map_of(tmp_path / "c", [MadeUp("h" * 63 + ".example", title) for title in titles * 5])
        assert np.isfinite(found.places).all()
        assert all(len(theme.words) < 200 for theme in found.themes)

    @pytest.mark.parametrize("size", [1, 2, 3, 4, 49, 50, 51])
    def test_pages_that_share_no_word(self, tmp_path: Path, size: int) -> None:
        found = map_of(
            tmp_path / "c", [MadeUp("one.example", f"word{chr(97 + i // 26)}{chr(97 + i % 26)}") for i in range(size)]
        )
        assert np.isfinite(found.places).all()
        assert sum(theme.pages for theme in found.themes) == size

    def test_without_scikit_learn_one_line_says_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        make_collection(tmp_path / "c", mixed(5))
        monkeypatch.setitem(sys.modules, "sklearn", None)
        with pytest.raises(FocusedError, match=r"a map needs the package sklearn, .*dashboard"):
            list(drawings("pages", tmp_path / "c", lambda *_: None))

    def test_languages_titles_and_relevances_that_are_none(self, tmp_path: Path) -> None:
        self.make_with(tmp_path / "c", "language = 'klingon', title = NULL, relevance = NULL")
        assert np.isfinite(drawn(tmp_path / "c").places).all()

    def test_a_damaged_row_is_told(self, tmp_path: Path) -> None:
        self.make_with(tmp_path / "c", "relevance = 'high'")
        with pytest.raises(StorageError, match=r"crawl\.db: cannot be understood"):
            drawn(tmp_path / "c")

    def make_with(self, folder: Path, change: str) -> None:
        make_collection(folder, mixed(20))
        with closing(sqlite3.connect(folder / "crawl.db")) as db, db:
            db.execute(f"UPDATE fetches SET {change} WHERE seq = 5")


class TestNames:
    def test_themes_are_named_by_their_subject(self, tmp_path: Path) -> None:
        found = map_of(tmp_path / "c", mixed(400))
        for number, theme in enumerate(found.themes):
            subjects = np.flatnonzero(found.theme == number) % 4
            words = set(SUBJECTS[int(np.bincount(subjects).argmax())].split())
            assert theme.words
            assert set(theme.words.lower().replace("·", " ").split()) <= words

    def test_what_a_host_puts_on_every_page_names_nothing(self, tmp_path: Path) -> None:
        pages = [
            MadeUp(f"{name}.example", f"{one.title} | {name} home page")
            for name in ("acme", "corp")
            for one in mixed(100)
        ]
        assert {"acme", "corp", "home"}.isdisjoint(
            " ".join(theme.words for theme in map_of(tmp_path / "c", pages).themes).lower().split()
        )
