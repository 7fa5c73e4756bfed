"""Maps of hosts: sizes, shares and links as crawl.db has them; places that stay."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from focused.desk.mapping.link_maps import HostMap, draw_host_map
from tests.mapping.made_up import MadeUp, make_collection


def drawn(folder: Path, *, by_domain: bool = False) -> HostMap:
    return draw_host_map(folder, lambda *_: None, by_domain=by_domain)


def web(count: int) -> list[MadeUp]:
    """Pages of 12 hosts, where each links to a few others."""
    return [
        MadeUp(
            f"h{i % 12}.site{i % 3}.org",
            "x",
            i % 4 == 0,
            [target for target in (i + 1, 2 * i, i // 2) if target < count],
        )
        for i in range(count)
    ]


def links_of(found: HostMap) -> dict[tuple[str, str], int]:
    return {(found.names[one], found.names[other]): count for one, other, count in found.links.tolist()}


@pytest.mark.parametrize("batch", [7, 500_000])
def test_links_between_hosts_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr("focused.desk.mapping.link_maps.BATCH", batch)
    pages = web(120)
    make_collection(tmp_path / "c", pages)
    expected = Counter(
        (page.host, pages[target].host) for page in pages for target in page.links if page.host != pages[target].host
    )
    assert links_of(drawn(tmp_path / "c")) == expected
    assert links_of(drawn(tmp_path / "c")) == expected  # from the side file


def test_links_that_come_later_are_added(tmp_path: Path) -> None:
    make_collection(tmp_path / "a", web(60))
    drawn(tmp_path / "a")
    make_collection(tmp_path / "a", web(60) + web(120)[60:])
    make_collection(tmp_path / "b", web(60) + web(120)[60:])
    assert links_of(drawn(tmp_path / "a")) == links_of(drawn(tmp_path / "b"))


def test_sizes_and_shares(tmp_path: Path) -> None:
    pages = web(100)
    make_collection(tmp_path / "c", pages)
    found = drawn(tmp_path / "c")
    for i, name in enumerate(found.names):
        of = [page for page in pages if page.host == name]
        assert (found.pages[i], found.relevant[i]) == (len(of), sum(page.relevant for page in of))


def test_subdomains_are_one(tmp_path: Path) -> None:
    make_collection(tmp_path / "c", web(96))
    found = drawn(tmp_path / "c", by_domain=True)
    assert sorted(found.names) == ["site0.org", "site1.org", "site2.org"]
    assert found.hosts.tolist() == [4, 4, 4]
    assert found.pages.sum() == 96


@pytest.mark.parametrize("count", [0, 1, 2])
def test_hardly_anything(tmp_path: Path, count: int) -> None:
    make_collection(tmp_path / "c", [MadeUp("h" * 60 + ".example", "x", False, [0])] * count)
    found = drawn(tmp_path / "c")
    assert (len(found), len(found.links)) == (min(count, 1), 0)
    assert np.isfinite(found.places).all()


def test_the_same_links_give_the_same_places_and_then_stay(tmp_path: Path) -> None:
    for name in ("a", "b"):
        make_collection(tmp_path / name, web(120))
    one = drawn(tmp_path / "a")
    assert np.array_equal(one.places, drawn(tmp_path / "b").places)
    moved = np.linalg.norm(drawn(tmp_path / "a").places - one.places, axis=1)
    assert moved.max() < 0.1 * np.ptp(one.places, axis=0).max()


def test_hosts_that_link_to_each_other_come_together(tmp_path: Path) -> None:
    """Three groups, linked inside."""
    pages = [MadeUp(f"h{i}.example", "x", False, [j for j in range(60) if j % 3 == i % 3]) for i in range(60)]
    make_collection(tmp_path / "c", pages)
    found = drawn(tmp_path / "c")
    group = np.array([int(name[1:].partition(".")[0]) % 3 for name in found.names])
    apart = np.linalg.norm(found.places[:, None] - found.places[None], axis=2)
    same, others = group[:, None] == group, ~np.eye(60, dtype=bool)
    assert apart[same & others].mean() < 0.7 * apart[~same].mean()
    assert apart[others].min() > 0


def test_hosts_without_links_do_not_fly_away(tmp_path: Path) -> None:
    make_collection(tmp_path / "c", web(120) + [MadeUp(f"alone{i}.example", "x") for i in range(50)])
    found = drawn(tmp_path / "c")
    alone = np.array([name.startswith("alone") for name in found.names])
    width = np.ptp(found.places[~alone], axis=0).max()
    assert np.isfinite(found.places).all()
    assert np.abs(found.places - found.places[~alone].mean(axis=0)).max() < 2 * width
    assert len(np.unique(found.places[alone], axis=0)) == 50


def test_a_hosts_place_does_not_depend_on_which_hosts_come_later(tmp_path: Path) -> None:
    make_collection(tmp_path / "c", web(120))
    one = drawn(tmp_path / "c")
    make_collection(tmp_path / "c", [*web(120), MadeUp("late.example", "x", False, [0])])
    grown = drawn(tmp_path / "c")
    now = dict(zip(grown.names, grown.places, strict=True))
    moved = np.linalg.norm([now[name] - place for name, place in zip(one.names, one.places, strict=True)], axis=1)
    assert np.median(moved) < 0.1 * np.ptp(one.places, axis=0).max()
