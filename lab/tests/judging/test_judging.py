"""What a run is, what of it counts, and how crawls are judged: against numbers computed by hand (see small_comparison)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.exceptions import EvaluationError, FocusedError
from focused.simulation.judged_run import Run, relevant_flags
from focused.simulation.labelled_files import labelled_files
from focused.simulation.labels import Judgements
from focused.simulation.web_opener import WebOpener
from lab.experiment.crawl_record import CrawlRecord, write_record
from lab.experiment.experiment import Levels
from lab.judging.calibration import calibrate, calibration, calibration_table
from lab.judging.evidence import similarities
from lab.judging.judging import JudgedTopic, Judging, grid
from lab.tests.measures.test_measures import crawl, judged
from lab.tests.small_comparison import ONE, compared, url, urls, write_small_web
from lab.topics.labelled_topics import LabelledTopic, write_topics

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


def test_a_target_is_known_however_its_url_is_spelt(judge: Callable[..., JudgedTopic]) -> None:
    spelt = replace(record("one/"), urls=[url("one/"), "http://www.one.example/%74"])
    found = judge(spelt, topic=replace(ONE, description="")).crawls[0]
    assert found.figures["target_recall"] == 0.5


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


def test_curves_are_kept_at_every_page_up_to_1000_and_thinned_above() -> None:
    assert grid(813).tolist() == list(range(1, 814))
    pages = grid(12_345)
    assert pages[:1000].tolist() == list(range(1, 1001))
    assert pages[1000:1003].tolist() == [1010, 1020, 1030]
    assert pages[-3:].tolist() == [12_100, 12_200, 12_300]
    assert len(pages) == 1000 + 900 + 23


ESTIMATES = np.array([0.05, 0.15, 0.15, 0.95, 1.0])
RELEVANT = np.array([0.0, 1.0, 0.0, 1.0, 1.0])


def host_url(name: str) -> str:
    return f"http://{name}.example/"


def run(names: str, duplicates: str = "") -> Run:
    return Run(
        "dom",
        "test",
        1,
        [host_url(name) for name in names],
        {host_url(name): host_url(names[0]) for name in duplicates},
    )


def judgements(**sets: str) -> Judgements:
    return Judgements("test", **{name: frozenset(map(host_url, names)) for name, names in sets.items()})


def test_reliability_is_told_bin_by_bin() -> None:
    found = calibration(ESTIMATES, RELEVANT).bins
    assert [(b.pages, b.relevant) for b in found] == [(1, 0.0), (2, 0.5), (2, 1.0)]
    assert [b.estimate for b in found] == pytest.approx([0.05, 0.15, 0.975])
    assert [(b.low, b.high) for b in found] == [pytest.approx(ends) for ends in ((0, 0.1), (0.1, 0.2), (0.9, 1.0))]


def test_the_expected_error_is_the_mean_distance_of_estimates_and_truth() -> None:
    # distances 0.05 (one page), 0.35 and 0.025 (two pages each)
    assert calibration(ESTIMATES, RELEVANT).expected_error == pytest.approx(0.16)


def test_the_area_under_roc_counts_pairs_in_the_right_order() -> None:
    # of six pairs of a relevant page and another, five are in order and one is tied
    assert calibration(ESTIMATES, RELEVANT).auc == pytest.approx(5.5 / 6)


@pytest.mark.parametrize(
    ("estimates", "relevant", "bins", "message"),
    [
        ([], [], 10, "0 estimates and 0 labels"),
        ([0.5], [1, 0], 10, "1 estimates and 2 labels"),
        ([1.5], [1], 10, "outside 0 to 1"),
        ([math.nan], [1], 10, "outside 0 to 1"),
        ([0.5], [1], 0, "1 bin or more"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    estimates: list[float], relevant: list[int], bins: int, message: str
) -> None:
    with pytest.raises(EvaluationError, match=message):
        calibration(np.array(estimates), np.array(relevant), bins)


def test_a_crawl_is_compared_with_labels_on_the_pages_that_count() -> None:
    crawl, labels = run("abcdne", duplicates="e"), judgements(targets="ace", also="d", neutral="n")
    called = [True, True, False, False, True, False]
    found = calibrate(crawl, [0.8, 0.6, 0.2, 0.1, 0.9, 0.8], called, labels)
    assert (found.topic, found.pages, found.harvest, found.own_harvest) == ("test", 4, 0.75, 0.5)
    assert (found.precision, found.missed) == (0.5, 1.0)
    assert found.relevance.auc == pytest.approx(1 / 3)  # a, c and d against b: only a is above
    assert "75.0% by labels, 50.0% by the crawl's own page model" in "\n".join(calibration_table(found))


A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"urls": [A, B, C, B]}, f"'{B}' is fetched 2 times; a run lists each URL once"),
        ({"urls": [A], "duplicates": {B: A}}, f"'{B}' is among the duplicates, but was not fetched"),
        ({"urls": [A], "duplicates": {A: C}}, f"'{C}' is among the duplicates, but was not fetched"),
        ({"urls": [A], "cpu_seconds": float("nan")}, "CPU seconds must be a number from 0 on, not nan"),
        ({"urls": [A], "cpu_seconds": -1.0}, "CPU seconds must be a number from 0 on, not -1.0"),
    ],
)
def test_an_impossible_run_is_refused(values: Mapping[str, Any], message: str) -> None:
    with pytest.raises(FocusedError) as refusal:
        Run("dom", "solar", 7, **values)
    assert str(refusal.value) == f"run of dom on topic solar, seed 7: {message}"


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ({"targets": ""}, "there are no targets; name at least one URL"),
        ({"targets": A, "also": A}, f"'{A}' is in targets and in also; leave it in one"),
        ({"targets": A, "neutral": A}, f"'{A}' is in targets and in neutral; leave it in one"),
        ({"targets": A, "also": B, "neutral": B}, f"'{B}' is in also and in neutral; leave it in one"),
        ({"targets": A, "reachable": C}, f"'{C}' is in reachable, but not in targets"),
    ],
)
def test_judgements_that_contradict_themselves_are_refused(sets: Mapping[str, str], message: str) -> None:
    with pytest.raises(FocusedError) as refusal:
        Judgements("solar", **{name: frozenset(urls.split()) for name, urls in sets.items()})
    assert str(refusal.value) == f"judgements of topic solar: {message}"


def test_the_first_relevant_copy_of_an_irrelevant_page_is_relevant() -> None:
    flags = relevant_flags(crawl("x t u", duplicates={"t": "x", "u": "x"}), judged("t u"))
    assert flags.tolist() == [False, True, False]


def test_a_run_is_not_measured_by_another_topics_judgements() -> None:
    with pytest.raises(
        FocusedError, match=r"^run of dom on topic wind, seed 0 cannot be .* judgements of topic solar$"
    ):
        relevant_flags(crawl("x", topic="wind"), judged("t"))


def test_an_importance_that_is_asked_for_gets_curves_and_a_figure(tmp_path: Path) -> None:
    results = compared(tmp_path, "breadth_first", measures={"importance": ["in_links"], "windows": [2]})
    (one, _) = results.crawls
    # The first page has no link to it, its three links and the two of the hub have one each.
    assert one.curves["average_in_links"].tolist() == pytest.approx([0, 1 / 2, 2 / 3, 3 / 4, 4 / 5, 5 / 6])
    assert one.curves["average_in_links_2"].tolist() == [0, 0.5, 1, 1, 1, 1]
    assert one.figures["average_in_links"] == pytest.approx(5 / 6)
    assert "average_in_links_2" not in one.figures


# |C| = 3; df: cell 1, roof 2, wind 2; ln 3 = 1.098612, ln 1.5 = 0.405465
PAGES = {"one": ["cell", "roof", "cell"], "two": ["roof", "wind"], "three": ["wind"]}


def test_similarity_is_the_cosine_of_the_weights() -> None:
    # d = (cell 1.098612, wind 0.405465), length 1.171047
    # one = (cell 1.098612, roof 0.75 x 0.405465), length 1.139923: 1.206949 / 1.334904
    # two = (roof 0.405465, wind 0.405465), length 0.573414: 0.164402 / 0.671495
    # three = (wind 0.405465): 0.405465 / 1.171047
    found = similarities(["cell", "wind"], PAGES)
    assert found == {url: pytest.approx(value, abs=1e-6) for url, value in FOUND.items()}


FOUND = {"one": 0.904147, "two": 0.244830, "three": 0.346241}


TEXTS = st.lists(st.sampled_from("abcdef"), max_size=8)


@given(st.lists(st.sampled_from("abcdefg"), min_size=1), st.lists(TEXTS, max_size=6))
def test_similarity_lies_between_0_and_1_whatever_the_pages_are(description: list[str], texts: list[list[str]]) -> None:
    pages = {str(number): text for number, text in enumerate(texts)}
    found = similarities(description, pages)
    assert found.keys() == pages.keys()
    assert all(0.0 <= value <= 1.0 for value in found.values())


def test_the_description_is_weighed_like_a_page_a_rare_term_of_it_at_least_by_half() -> None:
    # ln(3/1), of all three terms: d = (cell 1, roof .5 + .5 · 1/4 = .625), length 1.179248; each page is one term
    pages = {"cell": ["cell"], "roof": ["roof"], "wind": ["wind"]}
    found = similarities(["cell", "cell", "cell", "cell", "roof"], pages)
    assert found == {"cell": pytest.approx(1 / 1.179248), "roof": pytest.approx(0.625 / 1.179248), "wind": 0.0}
