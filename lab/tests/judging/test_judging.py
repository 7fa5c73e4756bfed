"""Figures and curves of all crawls of one topic, against numbers computed by hand (see small_comparison)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from focused.exceptions import FocusedError
from focused.simulation.labels import Judgements
from focused.simulation.web_opener import WebOpener
from lab.experiment.crawl_record import CrawlRecord, write_record
from lab.experiment.experiment import Levels
from lab.judging.judging import JudgedTopic, Judging, grid
from lab.tests.small_comparison import ONE, url, urls, write_small_web
from lab.topics.labelled_topics import LabelledTopic, labelled_files, write_topics

BREADTH_FIRST = "one/ one/hub one/x one/y one/t one/u"


@pytest.fixture
def judge(tmp_path: Path) -> Callable[..., JudgedTopic]:
    write_small_web(tmp_path)

    def judged(*orders: str | CrawlRecord, topic: LabelledTopic = ONE, pages: int = 0, halves: int = 0) -> JudgedTopic:
        write_topics([topic], tmp_path / "topics")
        paths = [tmp_path / f"{position}.json.gz" for position in range(len(orders))]
        for position, (order, path) in enumerate(zip(orders, paths, strict=True)):
            write_record(record(order, position) if isinstance(order, str) else order, path)
        pairs = [(paths[-2], paths[-1])] if halves else []
        records = paths[: len(paths) - 2 * halves]
        (labelled,) = labelled_files([str(tmp_path / "topics")])
        opener = WebOpener([str(tmp_path / "webkb")], tmp_path / "cache")
        return Judging(labelled, records, pairs, pages, Levels())(opener)

    return judged


def record(order: str, repeat: int = 1) -> CrawlRecord:
    return CrawlRecord("dom", "one", repeat, urls(order), {}, 0.006, 2, 3, 10, 4, "dead end")


def test_the_figures_of_a_crawl(judge: Callable[..., JudgedTopic]) -> None:
    found = judge(BREADTH_FIRST)
    (crawl,) = found.crawls
    assert (found.budget, found.targets, found.reachable, found.unrecorded) == (6, 3, 2, 1)
    assert crawl.figures == {
        "area_under_recall": pytest.approx((0.5 + 1) / 6),
        "normalised_area": pytest.approx((0.5 + 1) / (0.5 + 5)),
        "target_recall": 1.0,
        "target_recall_of_all": pytest.approx(2 / 3),
        "harvest_rate": pytest.approx(2 / 6),
        "average_precision": pytest.approx(crawl.curves["average_precision"][-1]),
        "distinct_relevant_hosts": 1.0,
        "search_length": 5.0,
        "precision_at_recall_0.1": pytest.approx(1 / 5),
        "precision_at_recall_0.5": pytest.approx(1 / 5),
        "precision_at_recall_1": pytest.approx(2 / 6),
        "f1_at_recall_0.1": pytest.approx(2 * 0.2 * 0.5 / 0.7),
        "f1_at_recall_0.5": pytest.approx(2 * 0.2 * 0.5 / 0.7),
        "f1_at_recall_1": pytest.approx(0.5),
        "cpu_per_page": pytest.approx(1.0),
        "own_harvest_rate": 0.5,
        "own_harvest_less_true": pytest.approx(1 / 6),
        "own_harvest_distance": pytest.approx(1 / 6),
        "pages": 6,
        "failures": 2,
        "duplicates": 0,
        "hidden_links": 0.4,
    }
    assert crawl.curves["target_recall"].tolist() == [0, 0, 0, 0, 0.5, 1]


def test_the_own_estimates_of_a_crawl_are_compared_with_labels(judge: Callable[..., JudgedTopic]) -> None:
    # t and u are relevant. Of eight pairs of a relevant page and another seven are in order and one is tied. Pages at 0.5, 0.25,
    # 0.75 and 1 (two, one, two, one) are 0.5, 0.25, 0.25 and 0 away from the truth.
    estimates = [0.5, 0.5, 0.25, 0.75, 0.75, 1.0]
    (crawl,) = judge(replace(record(BREADTH_FIRST), relevance=estimates)).crawls
    assert crawl.figures["own_roc_auc"] == pytest.approx(7.5 / 8)
    assert crawl.figures["own_calibration_error"] == pytest.approx(1.75 / 6)


def test_the_collection_of_average_precision_is_what_all_crawls_fetched(judge: Callable[..., JudgedTopic]) -> None:
    topic = replace(ONE, description="Start telescopes")
    (alone,), (together, _) = (
        judge(*orders, topic=topic).crawls for orders in (["one/ one/hub"], ["one/ one/hub", "two/"])
    )
    assert alone.curves["average_precision"][1] > 0
    assert together.curves["average_precision"][1] != pytest.approx(alone.curves["average_precision"][1])


def test_a_crawl_that_ended_early_keeps_its_last_value_over_the_pages_of_the_longest(
    judge: Callable[..., JudgedTopic],
) -> None:
    early, _ = judge("one/ one/t", BREADTH_FIRST).crawls
    assert early.curves["target_recall"].tolist() == [0, 0.5, 0.5, 0.5, 0.5, 0.5]
    assert early.figures["area_under_recall"] == pytest.approx(2.5 / 6)
    assert early.figures["search_length"] == 2.0


def test_pages_that_no_crawl_fetched_are_not_in_the_area(judge: Callable[..., JudgedTopic]) -> None:
    assert judge(BREADTH_FIRST, pages=1000).budget == 6
    assert judge(BREADTH_FIRST, pages=5).budget == 5


def test_a_target_is_known_however_its_url_is_spelt(judge: Callable[..., JudgedTopic]) -> None:
    spelt = replace(record("one/"), urls=[url("one/"), "http://www.one.example/%74"])
    found = judge(spelt, topic=replace(ONE, description="")).crawls[0]
    assert found.figures["target_recall"] == 0.5


def test_without_a_description_there_is_no_average_precision(judge: Callable[..., JudgedTopic]) -> None:
    (crawl,) = judge(BREADTH_FIRST, topic=replace(ONE, description="")).crawls
    assert "average_precision" not in crawl.curves
    assert "average_precision" not in crawl.figures


def test_robustness_is_the_overlap_of_both_halves(judge: Callable[..., JudgedTopic]) -> None:
    (crawl,) = judge(BREADTH_FIRST, "one/ one/hub one/t", "one/ one/hub one/u", halves=1).crawls
    assert crawl.figures["robustness"] == pytest.approx(2 / 3)


def test_what_the_labels_say_of_reachable_targets_counts(judge: Callable[..., JudgedTopic]) -> None:
    known = Judgements("one", ONE.judgements.targets, reachable=frozenset({url("one/t")}))
    found = judge(BREADTH_FIRST, topic=replace(ONE, judgements=known))
    assert (found.reachable, found.crawls[0].figures["search_length"]) == (1, 5.0)


def test_where_the_labels_do_not_say_what_can_be_reached_links_are_followed(judge: Callable[..., JudgedTopic]) -> None:
    beyond = Judgements("one", frozenset(urls("one/t two/t one/lost")))
    found = judge(BREADTH_FIRST, topic=replace(ONE, judgements=beyond))
    assert (found.targets, found.reachable, found.unrecorded) == (3, 1, 1)


def test_a_topic_without_reachable_targets_cannot_be_judged(judge: Callable[..., JudgedTopic]) -> None:
    lost = Judgements("one", frozenset({url("one/lost")}))
    with pytest.raises(FocusedError, match="none of its 1 targets can be reached from the seeds"):
        judge(BREADTH_FIRST, topic=replace(ONE, judgements=lost))


def test_a_page_that_the_web_has_no_more_is_told(judge: Callable[..., JudgedTopic]) -> None:
    with pytest.raises(
        FocusedError, match=r"gone was fetched by a crawl, but the web has it no more; delete the crawls"
    ):
        judge("one/ one/gone")


def test_curves_are_kept_at_every_page_up_to_1000_and_thinned_above() -> None:
    assert grid(813).tolist() == list(range(1, 814))
    pages = grid(12_345)
    assert pages[:1000].tolist() == list(range(1, 1001))
    assert pages[1000:1003].tolist() == [1010, 1020, 1030]
    assert pages[-3:].tolist() == [12_100, 12_200, 12_300]
    assert len(pages) == 1000 + 900 + 23


def test_a_shorter_grid_is_the_beginning_of_a_longer_one() -> None:
    longest = grid(200_000)
    for pages in (1, 999, 1000, 1001, 1010, 9_999, 10_000, 10_100):
        short = grid(pages)
        assert np.array_equal(short, longest[: len(short)])
        assert short[-1] <= pages
