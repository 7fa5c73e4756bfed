"""The harvest rate of the last pages: its interval grows with clusters, and a fall is told once, but not one by chance."""

import numpy as np
import pytest

from focused.crawl.arrays import BoolArray
from focused.crawl.budget import Totals
from focused.explain.harvest_watch import Fall, HarvestWatch, fall_of, harvest_share, shown_harvest, wilson


def drawn(*parts: tuple[float, int], seed: int = 0) -> BoolArray:
    """Independent pages: so many of each harvest rate."""
    chance = np.random.default_rng(seed)
    return np.concatenate([chance.random(pages) < rate for rate, pages in parts])


def falls(flags: BoolArray) -> list[tuple[int, Fall]]:
    """Pages after which the watch tells a fall."""
    watch = HarvestWatch()
    return [(number, fall) for number, flag in enumerate(flags, 1) if (fall := watch.see(bool(flag)))]


def test_evenly_spread_pages_have_wilsons_interval() -> None:
    assert harvest_share(np.arange(200) % 2 == 0) == wilson(0.5, 200)


def test_clusters_make_the_interval_longer() -> None:
    in_two = harvest_share(np.arange(200) < 100)
    assert in_two.value == 0.5
    assert in_two.high - in_two.low > 3 * (wilson(0.5, 200).high - wilson(0.5, 200).low)


@pytest.mark.parametrize("flags", [np.zeros(200, bool), np.ones(200, bool), np.ones(3, bool)])
def test_pages_all_of_a_kind_have_wilsons_interval(flags: BoolArray) -> None:
    assert harvest_share(flags) == wilson(float(flags.mean()), len(flags))


def test_only_the_last_pages_are_shown() -> None:
    assert shown_harvest([True] * 50 + [False, True] * 100) == "last 200 50% (43-57%)"
    assert shown_harvest([]) == "last 200 -"


def test_a_fall_is_told_once_and_soon() -> None:
    (found,) = falls(drawn((0.62, 1000), (0.21, 1000)))
    number, fall = found
    assert 1000 < number <= 1200
    assert fall.last.high < fall.best.low
    words = fall.warning_of("solar")
    assert words.startswith(f"Harvest fell from {fall.best.value:.0%} to {fall.last.value:.0%} over the last 200 pages")
    assert "scrapy judge solar" in words


def test_a_second_fall_is_told_as_well() -> None:
    assert len(falls(drawn((0.6, 600), (0.05, 600), (0.6, 600), (0.05, 600)))) == 2


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3, 0.6])
def test_chance_alone_is_no_fall(rate: float) -> None:
    assert falls(drawn((rate, 20_000), seed=1)) == []


def test_less_than_half_is_no_fall() -> None:
    assert falls(drawn((0.9, 2000), (0.6, 2000))) == []


def test_the_report_sees_the_fall_that_the_watch_told() -> None:
    flags = drawn((0.62, 1000), (0.21, 200))
    fall = fall_of(flags)
    assert fall is not None
    assert fall.last.value == flags[-200:].mean()
    assert fall.best.value == max(flags[start : start + 200].mean() for start in range(801))
    assert fall_of(flags[:1000]) is None
    assert fall_of(flags[:399]) is None


def test_a_watch_follows_totals_and_tells_nothing_twice() -> None:
    totals, watch, told = Totals(), HarvestWatch(), []
    for flag in drawn((0.62, 800), (0.05, 400)):
        totals.count(1, relevant=bool(flag), verdict="")
        if totals.pages % 7 == 0:
            told += watch.follow(totals)
    assert len(told) == 1
    assert watch.follow(totals) == []


def test_pages_that_the_totals_no_longer_remember_are_passed_over() -> None:
    totals, watch = Totals(), HarvestWatch()
    for flag in drawn((0.62, 800), (0.05, 1200)):
        totals.count(1, relevant=bool(flag), verdict="")
    assert watch.follow(totals) == []  # the last 1,000 pages are all alike
