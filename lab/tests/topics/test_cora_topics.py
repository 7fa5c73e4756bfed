"""The topics of Cora: a class each; what the crawler is told is drawn from the seeds."""

from __future__ import annotations

from pathlib import Path

from lab.tests.webs.small_cora import write_cora
from lab.topics.cora_topics import KEYWORDS, SEEDS, cora_topics, half_of
from lab.webs.cora import Cora


def test_seeds_are_papers_of_the_class_and_the_others_are_to_be_found(tmp_path: Path) -> None:
    web = Cora(write_cora(tmp_path))
    rules, theory = cora_topics(web)
    assert [rules.name, theory.name] == ["rule-learning", "theory"]
    members = {url for url, paper in web.papers.items() if paper.category == "Theory"}
    assert len(theory.seeds) == SEEDS
    assert theory.judgements.neutral == set(theory.seeds) < members
    assert theory.judgements.targets == theory.judgements.reachable == members - set(theory.seeds)


def test_papers_that_a_model_has_read_are_no_targets_and_no_mistakes(tmp_path: Path) -> None:
    web = Cora(write_cora(tmp_path))
    taught = half_of(web)
    assert len(taught) == len(web.papers) / 2
    for topic, whole in zip(cora_topics(web, taught), cora_topics(web), strict=True):
        assert topic.judgements.targets == whole.judgements.targets - taught
        assert topic.judgements.neutral == taught | set(topic.seeds)
        assert (topic.seeds, topic.keywords) == (whole.seeds, whole.keywords)


def test_keywords_are_what_most_seeds_say_and_few_others(tmp_path: Path) -> None:
    web = Cora(write_cora(tmp_path))
    _, theory = cora_topics(web)
    said = {word for url in theory.seeds for word in web.papers[url].words}
    assert theory.keywords[0] == "w0000"  # of the class; all others stand on one seed each
    assert len(theory.keywords) == KEYWORDS
    assert said > set(theory.keywords)
