"""The fit of the weights that adaptive starts with: least squares over crawls, and the command on a made-up WebKB."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pytest

from focused.strategies.adaptive.link_evidence import NAMES, PRIOR
from lab.benchmarks import prior_weights
from lab.benchmarks.prior_weights import Noting, documentation_beds, fit, sums
from lab.tests.topics.test_documentation_topics import TOPIC, file_of
from tests.contract.world import Visits, arrive, make_page, toy_world
from tests.simulation.test_warc_web import Recording
from tests.small_topics import write_webkb

IN_USE = np.array(list(PRIOR.values()))


def test_weights_that_made_the_values_are_found() -> None:
    chance = np.random.default_rng(0)
    truth = chance.normal(size=len(NAMES))
    features = chance.normal(size=(500, len(NAMES)))
    found = fit([(features.T @ features / 500, features.T @ features @ truth / 500)])
    assert found == pytest.approx(truth, abs=0.1)


def test_a_feature_that_never_occurs_keeps_its_weight() -> None:
    nothing = np.zeros((len(NAMES), len(NAMES)))
    assert fit([(nothing, np.zeros(len(NAMES)))]) == pytest.approx(IN_USE)


def test_labels_are_noted_and_change_no_score() -> None:
    scores, products = [], []
    for relevant in (frozenset[str](), frozenset(["http://a.example/next"])):
        strategy, visits = Noting(Noting.Options(), toy_world({"solar": 1})), Visits()
        strategy.relevant = relevant
        pages = (
            make_page("http://a.example/", ("solar", ["http://a.example/next", "http://a.example/last"])),
            make_page("http://a.example/next", ("tax", ["http://a.example/last"])),
        )
        scores += [arrive(strategy, visits.of(page), visits).scores.tolist() for page in pages]
        products.append(strategy.products[0])
        assert strategy.links == 1
    assert scores[:2] == scores[2:]
    assert products[1] == pytest.approx(products[0] + 0.5)


def test_the_command_writes_a_weight_for_each_feature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = write_webkb(tmp_path), tmp_path / "out"
    monkeypatch.setattr(sys, "argv", ["prior_weights", str(data), "--topics", "2", "--pages", "9", "--out", str(out)])
    prior_weights.main()
    with (out / "weights.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["feature"] for row in rows] == list(NAMES)
    assert "| always" in capsys.readouterr().out


def test_the_documentation_web_is_a_bed_for_each_kind_of_seeds_and_nofollow_is_ignored(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "docs.warc.gz")
    page = b'<meta name="robots" content="nofollow"><a href="/stars/">stars</a>'
    recording.add("http://docs.example/", page, Content_Type="text/html")
    recording.add("http://docs.example/stars/", b"All about stars", Content_Type="text/html")
    topic = TOPIC | {"seeds": ["http://docs.example/"], "seeds_hard": ["http://docs.example/"]}
    web, topics = recording.save(), file_of(tmp_path, topic | {"targets": ["http://docs.example/stars/"]})
    beds = list(documentation_beds(web, topics, 0, tmp_path / "cache"))
    assert [bed.name for bed in beds] == ["documentation web, easy seeds", "documentation web, hard seeds"]
    squares, products = sums(beds[0], beds[0].topics[0], 9)
    assert squares[0, 0] == 1
    assert products[0] > 0.5
