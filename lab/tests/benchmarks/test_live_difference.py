"""How far live and simulated crawls differ: rows as they are found, and what their mean says."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random

import pytest

from focused.topic.topic import Traps
from lab.benchmarks.live_difference import (
    IN_FLIGHT,
    TABLE,
    Difference,
    Event,
    distributions,
    main,
    offline,
    same_picks,
    under_way,
    verdict,
)
from lab.topics.wikispeedia_topics import development, wikispeedia_topics
from lab.webs.wikispeedia import Wikispeedia
from tests.small_topics import write_birds
from tests.small_wikispeedia import Entry, write_wikispeedia


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> None:
    monkeypatch.setattr("sys.argv", ["live_difference", *map(str, arguments)])
    main()


def write_articles(folder: Path) -> Path:
    """80 articles in a ring that also link to five others each, half of them of the first development topic."""
    rng, (category, *_) = Random(7), development()
    words = ("engineering", "bridge", "steam engine", "football", "opera", "river")
    return write_wikispeedia(
        folder,
        {
            f"Article_{n}": Entry(
                f"   {' '.join(rng.choices(words, k=30))}",
                [category] if n % 2 else (),
                dict.fromkeys(f"Article_{m}" for m in ((n + 1) % 80, *rng.choices(range(80), k=5)) if m != n),
            )
            for n in range(80)
        },
    )


def test_live_and_simulated_crawls_differ_in_nothing_but_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    articles, out = write_articles(tmp_path), tmp_path / "out"
    run(
        monkeypatch,
        articles,
        "--strategies",
        "adaptive",
        "--topics",
        1,
        "--pages",
        80,
        "--live",
        1,
        "--orders",
        2,
        "--out",
        out,
    )
    (row,) = csv.DictReader((out / TABLE).read_text().splitlines())
    assert (row["topic"], row["strategy"]) == ("engineering-near", "adaptive")
    assert row["same_picks"] == "1.0"
    assert 0.9 < float(row["in_common"]) <= 1
    assert 0.2 < float(row["areas_live"]) < 0.8
    assert len(row["areas_drawn"].split()) == 2
    assert 0.2 < float(row["area_simulated"]) < 0.8
    assert 1 < float(row["under_way"]) <= int(row["most_under_way"]) <= IN_FLIGHT
    assert "| adaptive | engineering-near | " in capsys.readouterr().out


def test_picks_are_counted_up_to_the_first_that_the_core_would_not_have_made(tmp_path: Path) -> None:
    web = Wikispeedia(write_birds(tmp_path, development()[:1]), "article")
    (topic,) = wikispeedia_topics(web, development()[:1])
    first, second, *_ = topic.seeds
    made, analysed = offline(web, topic, "breadth_first", pages=10)
    made = made.model_copy(update={"traps": Traps(on=False)})  # no probes: a bird's page says little
    events = [Event("pick", 0, first), Event("page", 0, first), Event("pick", 1, second)]
    assert same_picks(made, analysed, events) == 1
    assert same_picks(made, analysed, [events[2], *events[:2]]) == 0


def test_what_is_under_way_is_counted_at_each_pick() -> None:
    kinds = ("pick", "pick", "page", "pick", "failed", "page", "pick")
    assert under_way([Event(kind, 0, "") for kind in kinds]) == [1, 2, 2, 1]


def found(topic: str, live: float, simulated: float) -> Difference:
    drawn = (simulated - 0.02, simulated, simulated + 0.02)
    return Difference(topic, "dom", 0.5, 0.6, 0.9, (live - 0.01, live + 0.01), drawn, 0.25, 1.0, 15.0, 16)


def test_the_verdict_is_the_mean_difference_over_topics_and_its_interval() -> None:
    said = verdict([found("one", 0.3, 0.2), found("two", 0.4, 0.3), found("three", 0.2, 0.1)])
    assert said.startswith("dom, 3 topics: 50% of pages in common live and simulated, 60% of two simulated crawls; ")
    assert "area live 0.300, simulated 0.200 (the same latency for all: 0.250)" in said
    assert "difference +0.1000 (95 % interval +0.1000 to +0.1000)" in said
    assert "order moves the area of a topic by 0.014 live, 0.020 simulated" in said


def test_distributions_are_told_apart_where_live_crawls_are_better_and_not_where_they_are_alike() -> None:
    better = [found("one", 0.3, 0.2), found("two", 0.4, 0.3), found("three", 0.2, 0.1)]
    assert max(distributions(better)) < 0.01
    alike = [found("one", 0.2, 0.2), found("two", 0.3, 0.3), found("three", 0.1, 0.1)]
    assert min(distributions(alike)) > 0.3


def test_few_simulated_crawls_are_no_difference() -> None:
    """Less the mean of their own one crawl, all simulated areas would be 0, and no live crawl is like that."""
    rng = Random(1)

    def areas(crawls: int) -> tuple[float, ...]:
        return tuple(rng.gauss(0.4, 0.05) for _ in range(crawls))

    for simulated in (1, 2):
        alike = [
            Difference(str(topic), "dom", 0.5, 0.6, 0.9, areas(2), areas(simulated), 0.4, 1.0, 15.0, 16)
            for topic in range(24)
        ]
        assert min(distributions(alike)) > 0.05


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--strategies", "worst_first"], "worst_first"),
        (["--out", "{birds}/articles.tsv"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    birds = write_birds(tmp_path, development()[:1])
    with pytest.raises(SystemExit, match=message) as ended:
        run(monkeypatch, birds, "--topics", 1, *(argument.format(birds=birds) for argument in arguments))
    assert "\n" not in str(ended.value)
