"""The contract of every strategy, to be checked over a toy web: ``check_strategy(MyStrategy)`` in a test of your own.

A strategy may drop a link (its score is NaN) and may answer with links of other pages. It stands alone here, without a crawl around
it.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from focused.collection.snapshot import decode, encode
from focused.crawl.strategy import Changes, Seeds, Strategy, StrategyOptions
from focused.crawl.world import World
from focused.page.page import Page
from focused.testing.toy_world import KEYWORDS, Visits, arrive, hand_over, host_of, make_page, toy_web, toy_world

EDGE_PAGES = {
    "empty": make_page("http://a.example/"),
    "no terms": make_page("http://a.example/", ("", ["http://host0.example/", "http://b.example/"])),
    "no links": make_page("http://a.example/", ("solar energy", [])),
    "unicode": make_page(
        "http://bücher.example/größe", ("größe 太阳能 ☀️ \u0000 العربية", ["http://例え.example/太阳能?ü=☀"])
    ),
    "one URL many times": make_page("http://a.example/", ("solar", ["http://host0.example/"] * 5)),
    "only itself": make_page("http://a.example/", ("solar", ["http://a.example/"])),
}
STOPS = (0, 20, 35)  #: pages after which a strategy is stopped and restored

#: Makes a strategy in a toy world; keyword arguments are those of `toy_world`.
Make = Callable[..., Strategy]


def check_strategy(strategy: type[Strategy], world: Callable[..., World] = toy_world) -> None:
    """Raise AssertionError, which says what is wrong, for a strategy that breaks the contract with its default options.

    world : makes the world that the strategy looks at, as `toy_world` does, such as one with its model
    """
    for check in CHECKS:
        try:
            check(lambda **known: strategy(strategy.Options(), world(**known)))
        except AssertionError as error:
            raise AssertionError(f"{strategy.__name__}: {inspect.getdoc(check)} {error}") from error


def start(crawling: Strategy, visits: Visits, *urls: str) -> Changes:
    """Begin with these seeds."""
    seeds = Seeds(np.array([visits.id(url) for url in urls], np.int64), [host_of(url) for url in urls])
    visits.show(crawling.world)
    return crawling.start(seeds)


def walk(crawling: Strategy, pages: Sequence[Page], visits: Visits) -> list[Changes]:
    """What it answers to one page after the other."""
    return [arrive(crawling, visits.of(page), visits) for page in pages]


def assert_same(some: Sequence[Changes], others: Sequence[Changes]) -> None:
    for one, other in zip(some, others, strict=True):
        for name in ("ids", "scores", "parts"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def assert_sound(changes: Changes, parts: int) -> None:
    """Aligned, numbers only, and a score for whatever is not dropped. parts : of the strategy."""
    count = len(changes.ids)
    assert changes.ids.shape == changes.scores.shape == (count,), "ids and scores are not aligned"
    assert changes.parts.shape == (count, parts), "parts are not a row for each link, a column for each part"
    assert np.issubdtype(changes.ids.dtype, np.integer), "ids are no whole numbers"
    assert not np.isinf(changes.scores).any(), "a score is infinite"
    assert np.isfinite(changes.parts[~np.isnan(changes.scores)]).all(), "a part of a scored link is no number"


def explains_its_parts(make: Make) -> None:
    """Its docstring cites a source and explains every part; parts have different names, and all or none a meaning."""
    strategy = type(make())
    text = strategy.__doc__ or ""
    assert re.search(r"^ *Source: \S", text, re.MULTILINE), "no line `Source: ...`"
    for part in strategy.parts:
        assert re.search(rf"^ +{part}: \S", text, re.MULTILINE), f"part {part!r} is not explained"
    assert len(set(strategy.parts)) == len(strategy.parts), "two parts have one name"
    assert set(strategy.meanings) in (set(), set(strategy.parts)), "meanings name other parts"


def says_why_it_chooses(make: Make) -> None:
    """It says why it chooses another URL than the best, if it does."""
    strategy = type(make())
    assert bool(strategy.choice) == (strategy.choose is not Strategy.choose)


def describes_its_options(make: Make) -> None:
    """Each option is described and has a valid default."""
    strategy = type(make())
    assert issubclass(strategy.Options, StrategyOptions)
    defaults = strategy.Options().model_dump()
    assert strategy.Options.model_validate(defaults).model_dump() == defaults
    for name, option in strategy.Options.model_fields.items():
        assert option.description, f"option {name!r} is not described"


def scores_every_seed(make: Make) -> None:
    """Every seed gets a finite score, and no seeds are no mistake."""
    crawling = make()
    changes = start(crawling, Visits(), "http://host0.example/", "http://host1.example/")
    assert_sound(changes, len(crawling.parts))
    assert changes.ids.tolist() == [0, 1]
    assert np.isfinite(changes.scores).all()
    assert_sound(start(make(), Visits()), len(crawling.parts))


def bears_odd_pages(make: Make) -> None:
    """An odd page gets a sound answer and is left as it was."""
    for name, page in EDGE_PAGES.items():
        for keywords in (KEYWORDS, {}):
            hosts = frozenset({"host0.example"} if keywords else ())
            crawling, visits = make(keywords=keywords, seed_hosts=hosts), Visits(keywords)
            visit = visits.of(page)
            before = copy.deepcopy(visit)
            assert_sound(arrive(crawling, visit, visits), len(crawling.parts))
            assert visit.page == before.page, f"it changed the page {name!r}"
            np.testing.assert_array_equal(visit.targets, before.targets)


def scores_all_links_at_once(make: Make) -> None:
    """All links of a page are scored in one call, in their order."""
    visits = Visits()
    visit = visits.of(page_of_links(84))
    assert arrive(make(), visit, visits).ids.tolist() == visit.targets.tolist()


def answers_the_same_twice(make: Make) -> None:
    """The same pages get the same answers, and taking its state changes none."""
    pages = list(toy_web().values())
    watched, visits, answers = make(), Visits(), list[Changes]()
    for page in pages:
        answers += walk(watched, [page], visits)
        encode(watched.state())
    assert_same(answers, walk(make(), pages, Visits()))


def goes_on_when_restored(make: Make) -> None:
    """A restored strategy goes on as if nothing had happened."""
    pages = list(toy_web().values())
    for stop in STOPS:
        visits = Visits()
        undisturbed = make()
        start(undisturbed, visits, pages[0].url)
        walk(undisturbed, pages[:stop], visits)
        restored = restarted(undisturbed, make(), visits)
        same_visits = copy.deepcopy(visits)
        assert_same(walk(restored, pages[stop:], same_visits), walk(undisturbed, pages[stop:], visits))


CHECKS: tuple[Callable[[Make], None], ...] = (
    explains_its_parts,
    says_why_it_chooses,
    describes_its_options,
    scores_every_seed,
    bears_odd_pages,
    scores_all_links_at_once,
    answers_the_same_twice,
    goes_on_when_restored,
)


def restarted(crawling: Strategy, again: Strategy, visits: Visits) -> Strategy:
    """The new strategy ``again`` after a restart: its world has got back what a crawl saves, columns included."""
    world: Any = crawling.world
    again.world.seed_hosts, again.world.pages, again.world.picks = world.seed_hosts, world.pages, world.picks
    visits.show(again.world)
    hand_over(world, again.world)
    again.world.graph.restore(decode(encode(world.graph.snapshot())))
    again.restore(decode(encode(crawling.state())))
    return again


def page_of_links(count: int) -> Page:
    """A page with this many links."""
    texts = [("solar tax", [f"http://host{n % 50}.example/{n}"]) for n in range(count)]
    return make_page("http://a.example/", *texts)
