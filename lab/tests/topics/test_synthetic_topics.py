"""Topics of a synthetic web: labels are its truth, and a crawl needs nothing but keywords and seeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused import strategies
from focused.run.assemble import assemble
from focused.simulation.labels import read_labels
from focused.simulation.simulator import Network, Simulator
from focused.simulation.web_opener import analysed_web
from focused.topic.topic import Budget
from focused.topic.topic_file import load_topic
from lab.topics.data_set_topics import synthetic_topics
from lab.topics.labelled_topics import write_topics
from lab.webs.synthetic import SyntheticOptions, SyntheticWeb
from tests.simulation.simulated import topic_of

NAME = "synthetic:pages=200,topics=2"


@pytest.fixture(scope="module")
def web() -> SyntheticWeb:
    return SyntheticWeb(SyntheticOptions(2000, 4))


def test_labels_are_the_truth_and_seeds_are_none_of_the_targets(web: SyntheticWeb, tmp_path: Path) -> None:
    write_topics(synthetic_topics(web), tmp_path)
    for number in range(4):
        topic = load_topic(f"topic-{number}", strategies, topics_dir=tmp_path)
        found = read_labels(tmp_path / f"topic-{number}.labels.json")
        labels = found.judgements
        assert topic.keywords == web.keywords(number)
        assert labels.targets | set(topic.seeds) == set(web.relevant_urls(number))
        assert labels.neutral == set(topic.seeds)
        assert len(labels.targets) == 495
        assert labels.also == set(web.mirror_urls(number))
        assert topic.keywords[0] in found.description
    assert any(any(web.mirror_urls(number)) for number in range(4))


def simulated(tmp_path: Path, pages: int, network: Network | None = None) -> Simulator:
    topic = synthetic_topics(SyntheticWeb(SyntheticOptions(200, 2)))[0]
    crawled = topic_of(*topic.seeds, keywords=topic.keywords, strategy="breadth_first", budget=Budget(pages=pages))
    reader, crawl = assemble(crawled)
    with analysed_web([NAME], crawled, reader, tmp_path / "cache") as opened:
        simulator = Simulator(crawl, opened, network)
        fetches = list(simulator.fetches())
    assert len(fetches) == pages
    return simulator
