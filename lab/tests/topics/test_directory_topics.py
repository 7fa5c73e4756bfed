"""A category of a directory is a topic: some of its URLs at random are seeds, the others are to be found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focused import strategies
from focused.exceptions import EvaluationError
from focused.papers.models.taxonomy import node_of
from focused.papers.taxonomies.taxonomy_store import Listing
from focused.simulation.labels import read_labels
from focused.topic.topic_file import load_topic
from lab.commands.datasets import Command
from lab.topics.directory_topics import Choice, directory_topics, keywords
from lab.topics.labelled_topics import LabelledTopic
from tests.commands.running import refusal, run_command
from tests.simulation.test_warc_web import Recording
from tests.taxonomies.dumps import table, write

MAKERS = "Top/Business/Gambling/Equipment/Card_Manufacturers"


def listings(category: str, count: int) -> list[Listing]:
    host = category.rpartition("/")[2].lower().replace("_", "-")
    return [Listing(category, f"http://{host}.example/{n}", f"Title {n}", f"About {n}.") for n in range(count)]


def topics(*given: list[Listing], **choice: object) -> list[LabelledTopic]:
    return directory_topics([one for some in given for one in some], Choice(**choice), "test")  # type: ignore[arg-type]


def test_seeds_and_targets_are_disjoint_and_complete() -> None:
    (topic,) = topics(listings(MAKERS, 25))
    urls = {listing.url for listing in listings(MAKERS, 25)}
    assert len(topic.seeds) == 10
    assert topic.judgements.targets == urls.difference(topic.seeds)
    assert topic.judgements.neutral == set(topic.seeds)
    assert topic.judgements.reachable is None
    assert topic.name == "equipment-card-manufacturers"


def test_keywords_are_the_words_of_the_category_without_its_topmost_level() -> None:
    assert keywords(node_of("Business/Gambling/Equipment_and_Cards/R&D")) == (
        *("Gambling", "Equipment", "and", "Cards", "R", "D"),
    )
    assert keywords(node_of("Arts")) == ("Arts",)


def test_the_description_is_what_editors_say_of_seeds_and_targets() -> None:
    (topic,) = topics(listings(MAKERS, 25))
    assert sorted(topic.description.split("\n")) == sorted(f"Title {n} About {n}." for n in range(25))


def test_categories_are_chosen_as_in_the_paper() -> None:
    regional, adverb = "Top/Business/Regional/Toy_Manufacturers", "Top/Business/Manufacturers_of_Cards"
    given = [listings(category, 21) for category in (MAKERS, regional, adverb)]
    small = listings("Top/Business/Small_Manufacturers", 20)
    assert [topic.origin["category"] for topic in topics(*given, small, endings=("Companies", "Manufacturers"))] == [
        MAKERS.removeprefix("Top/")
    ]
    assert len(topics(*given, small)) == 2


def test_the_same_seed_gives_the_same_topics_whatever_the_order_and_another_gives_others() -> None:
    some = listings(MAKERS, 25)
    assert topics(some) == topics(some[::-1], some)
    assert topics(some)[0].seeds != topics(some, seed=1)[0].seeds


def test_two_categories_of_one_name_are_two_topics() -> None:
    given = [listings(f"Top/{top}/Cards/Makers", 25) for top in ("Arts", "Business")]
    assert [topic.name for topic in topics(*given)] == ["cards-makers", "cards-makers-2"]


def test_too_few_urls_are_told() -> None:
    with pytest.raises(
        EvaluationError, match="the largest has 5 URLs and 21 are needed; see --under, --ending, --least"
    ):
        topics(listings(MAKERS, 5))
    with pytest.raises(EvaluationError, match="--seeds 3, --least 3: a category needs at least one seed"):
        topics(listings(MAKERS, 5), seeds=3, least=3)


def test_the_command_writes_topics_that_crawls_and_judges_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path / "sites.tsv", table({"A/Sun": [f"http://sun.example/{n}" for n in range(6)]}))
    argv = ("topics", str(file), "--out", str(tmp_path / "out"), "--seeds", "2", "--least", "3")
    assert run_command(Command(), *argv, "--under", "A") == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["a-sun", "2", "4", "4", "Sun"]
    topic = load_topic("a-sun", strategies, topics_dir=tmp_path / "out")
    labels = read_labels(tmp_path / "out" / "a-sun.labels.json")
    assert labels.judgements.neutral == set(topic.seeds)
    assert labels.origin["data set"] == "sites.tsv"
    assert topic.description == ""
    assert "few: give the number" in refusal(run_command(Command(), *argv, "--seeds", "few"), capsys)


def test_a_recorded_web_tells_which_urls_count_and_which_can_be_reached(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "web.warc.gz")
    links = "".join(f'<a href="/{n}">x</a>' for n in range(3))
    for number in range(4):
        recording.add(f"http://sun.example/{number}", f"<p>sun{links}".encode(), Content_Type="text/html")
    web = recording.save()
    file = write(tmp_path / "sites.tsv", table({"A/Sun": [f"http://sun.example/{n}" for n in range(9)]}))
    argv = ("--seeds", "1", "--least", "3", "--web", str(web), "--out", str(tmp_path / "out"))
    assert run_command(Command(), "topics", str(file), *argv, data_dir=tmp_path / "data") == 0
    labels = json.loads((tmp_path / "out" / "a-sun.labels.json").read_text())
    known = {f"http://sun.example/{n}" for n in range(4)}
    assert {*labels["targets"], *labels["neutral"]} == known
    assert set(labels["reachable"]) == set(labels["targets"]) - {"http://sun.example/3"}
