"""A comparison crawls one web with each strategy, alike but for the strategy, and counts what each finds, also by labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import cast

import numpy as np
import pytest

from focused.exceptions import EvaluationError, FocusedError
from focused.page.reader import Reader
from focused.simulation.analysed_web import AnalysedWeb
from focused.simulation.comparison import ComparedStrategy, Crawled, by_strategy, crawl_all, crawls_of, relevant_pages
from focused.simulation.labelled_comparison import judge
from focused.simulation.labelled_files import LabelledFile, labelled
from focused.simulation.simulator import Network
from focused.simulation.web_opener import WebOpener
from focused.topic.topic import Budget, Topic, Traps
from tests.simulation.simulated import ANSWERS, STEP_BY_STEP, SmallWeb, topic_of
from tests.small_web import url_of

TOPIC = topic_of(url_of(0), url_of(7), budget=Budget(pages=30))
BUSY = Network(in_flight=8, delay=0.0)


class InMemory:
    """Opens the small web."""

    def open(self, topic: Topic, reader: Reader, part: Mapping[str, str]) -> AnalysedWeb:
        return AnalysedWeb(SmallWeb(ANSWERS), reader)


def crawled(topic: Topic, *strategies: str, network: Network = STEP_BY_STEP, orders: int = 1) -> list[Crawled]:
    return crawl_all(crawls_of(topic, strategies, network, orders), cast("WebOpener", InMemory()))


def curves(topic: Topic, *strategies: str, network: Network = STEP_BY_STEP, orders: int = 1) -> list[ComparedStrategy]:
    return by_strategy(crawled(topic, *strategies, network=network, orders=orders), relevant_pages)


def labels(folder: Path, urls: list[str], topic: Topic = TOPIC, **more: object) -> LabelledFile:
    file = folder / f"{topic.name}.labels.json"
    file.write_text(json.dumps({"topic": topic.name, "targets": urls, **more}))
    return labelled(topic, file)


def test_each_strategy_has_its_curve_of_relevant_pages() -> None:
    dom, first = curves(TOPIC, "dom", "breadth_first")
    assert (dom.strategy, first.strategy) == ("dom", "breadth_first")
    for found in (dom, first):
        assert found.curves.shape == (1, 30)
        assert (np.diff(found.curves) >= 0).all()
    assert dom.after(10)[0] > first.after(10)[0]


def test_the_topics_own_strategy_keeps_its_options() -> None:
    mine = TOPIC.model_copy(update={"strategy": "dom", "strategy_options": {"alpha": 1.0}})
    (dom, best) = curves(mine, "dom", "best_first")
    assert dom.curves.tolist() == best.curves.tolist()  # dom with alpha = 1 is best_first


def test_systems_of_papers_have_no_defence_against_traps_but_ours_and_that_of_the_topic() -> None:
    topic = TOPIC.model_copy(update={"strategy": "dom", "traps": Traps()})
    crawls = crawls_of(topic, ["dom", "best_first", "adaptive"], STEP_BY_STEP)
    assert {crawl.topic.strategy: crawl.topic.traps.on for crawl in crawls} == {
        "dom": True,
        "best_first": False,
        "adaptive": True,
    }


def test_answers_come_in_another_order_each_time() -> None:
    (found,) = curves(TOPIC, "breadth_first", network=BUSY, orders=3)
    drawn = found.curves.tolist()
    assert len({tuple(curve) for curve in drawn}) == 3
    assert curves(TOPIC, "breadth_first", network=BUSY, orders=3)[0].curves.tolist() == drawn


def test_a_web_without_the_seeds_is_told() -> None:
    with pytest.raises(FocusedError, match="is a seed of the topic recorded"):
        curves(topic_of("http://gone.example/"), "dom")


def test_a_crawl_that_ended_early_keeps_its_last_count() -> None:
    found = ComparedStrategy("dom", np.array([[1.0, 2.0, 2.0]]))
    assert found.after(100) == (2.0, 0.0)


def test_crawls_on_several_cores_are_those_on_one(tmp_path: Path) -> None:
    topic = topic_of("http://sunpower.example/", keywords=("solar",), budget=Budget(pages=40))
    crawls = crawls_of(topic, ["dom", "breadth_first"], BUSY, 2)
    both = [crawl_all(crawls, WebOpener(["demo"], tmp_path), processes) for processes in (1, 2)]
    assert both[0] == both[1]


def test_labels_give_recall_precision_and_the_area_under_recall(tmp_path: Path) -> None:
    found = crawled(TOPIC, "dom")
    pages = found[0].run.urls
    judged = judge(found, [labels(tmp_path, [pages[1], pages[3], "http://a.example/never"], also=[pages[0]])])
    (recall,), (precision,) = judged.recall, judged.precision
    assert recall.mean[:4].tolist() == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3])
    assert precision.mean[:4].tolist() == pytest.approx([1, 1, 2 / 3, 3 / 4])
    assert judged.area("dom") == pytest.approx((1 / 3 * 2 + 2 / 3 * 27) / 30)
    assert judged.unit == ""


def test_targets_that_cannot_be_reached_do_not_count_where_the_labels_say_so(tmp_path: Path) -> None:
    found = crawled(TOPIC, "dom")
    first = found[0].run.urls[0]
    judged = judge(found, [labels(tmp_path, [first, "http://a.example/never"], reachable=[first])])
    assert judged.recall[0].mean[0] == 1


def test_a_label_counts_however_it_is_spelt(tmp_path: Path) -> None:
    found = crawled(TOPIC, "dom")
    url = found[0].run.urls[0]
    judged = judge(found, [labels(tmp_path, [url.replace("http://", "HTTP://") + "?utm_source=x#top"])])
    assert judged.recall[0].mean[0] == 1


def test_the_first_strategy_is_tested_against_the_others_over_orders(tmp_path: Path) -> None:
    found = crawled(TOPIC, "dom", "breadth_first", network=BUSY, orders=4)
    targets = [url for url, relevant in zip(found[0].run.urls, found[0].relevant, strict=True) if relevant]
    judged = judge(found, [labels(tmp_path, targets)])
    assert judged.unit == "orders"
    ((rival, (comparison, t_test, _)),) = judged.tests().items()
    assert (rival, comparison.difference.topics) == ("breadth_first", 4)
    assert comparison.difference.value == pytest.approx(judged.area("dom") - judged.area("breadth_first"))
    assert t_test < 0.05


def test_of_several_topics_the_orders_are_averaged_first(tmp_path: Path) -> None:
    topics = [TOPIC.model_copy(update={"name": name}) for name in ("one", "two", "three")]
    found = [crawl for topic in topics for crawl in crawled(topic, "dom", "breadth_first", network=BUSY, orders=2)]
    targets = found[0].run.urls
    judged = judge(found, [labels(tmp_path, list(targets[:number]), topic) for number, topic in enumerate(topics, 3)])
    assert judged.unit == "topics"
    assert judged.tests()["breadth_first"][0].difference.topics == 3


def test_shuffled_labels_change_no_crawl(tmp_path: Path) -> None:
    """What a crawl fetches depends on nothing that it is judged by."""
    before = crawled(TOPIC, "adaptive", "dom")
    every = sorted({url for crawl in before for url in crawl.run.urls})
    for seed in range(3):
        (tmp_path / str(seed)).mkdir()
        file = labels(tmp_path / str(seed), Random(seed).sample(every, 10))
        topic = file.topic
        again = crawl_all(
            crawls_of(topic, ["adaptive", "dom"], STEP_BY_STEP, part=file.part), cast("WebOpener", InMemory())
        )
        assert again == before
        assert judge(again, [file]).areas.keys() == {"adaptive", "dom"}


def test_a_crawl_that_is_sent_to_another_process_holds_no_label(tmp_path: Path) -> None:
    file = labels(tmp_path, ["http://secret.example/target"], origin={"university": "cornell"})
    (crawl,) = crawls_of(file.topic, ["dom"], STEP_BY_STEP, part=file.part)
    assert "secret" not in repr(crawl)
    assert crawl.part == {"university": "cornell"}


def test_labels_of_another_topic_are_refused(tmp_path: Path) -> None:
    file = labels(tmp_path, [url_of(0)])
    with pytest.raises(EvaluationError, match="'topic' is 'test', not 'other'"):
        labelled(TOPIC.model_copy(update={"name": "other"}), file.labels)


def test_copies_of_a_page_count_once(tmp_path: Path) -> None:
    found = crawled(TOPIC, "dom")[0]
    first, second = found.run.urls[:2]
    copied = replace(found, run=replace(found.run, duplicates={second: first}))
    judged = judge([copied], [labels(tmp_path, [first, second])])
    assert judged.precision[0].mean[1] == 0.5
