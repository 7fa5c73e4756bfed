"""The topics of Wikispeedia: keywords, seeds, targets, and the split that keeps 36 topics apart."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from focused.exceptions import EvaluationError
from lab.topics.labelled_topics import LabelledTopic
from lab.topics.wikispeedia_topics import (
    MEMBERS,
    SEEDS,
    categories,
    development,
    keywords,
    report,
    scorecard,
    split_of,
    wikispeedia_topics,
)
from lab.webs.wikispeedia import Wikispeedia
from tests.small_topics import LEAD, write_birds
from tests.small_wikispeedia import full_data

ALL = (*development(), *scorecard(), *report())

BIRDS = "subject.Science.Biology.Birds"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Wikispeedia:
    return Wikispeedia(write_birds(tmp_path_factory.mktemp("birds"), [BIRDS]), "article")


def topic(web: Wikispeedia, nearness: str, seed: int = 0) -> LabelledTopic:
    (made,) = wikispeedia_topics(web, [BIRDS], nearness, seed, report_topics=True)
    return made


class TestSplit:
    def test_there_are_12_topics_to_develop_with_12_of_the_scorecard_and_36_to_report_on_of_different_names(
        self,
    ) -> None:
        assert [len(set(part())) for part in (development, scorecard, report)] == [12, 12, 36]
        assert len({category.rpartition(".")[2] for category in ALL}) == 60

    def test_the_hash_of_a_name_decides_and_nobody_else(self) -> None:
        digests = {
            part: [sha256(name.encode()).hexdigest() for name in part()] for part in (development, scorecard, report)
        }
        assert max(digests[development]) < min(digests[scorecard])
        assert max(digests[scorecard]) < min(digests[report])


class TestKeywords:
    @pytest.mark.parametrize(
        ("category", "expected"),
        [
            ("subject.Science.Physics.Space_Astronomy", ("physics", "space", "astronomy")),
            ("subject.Language_and_literature.Poetry_and_Opera", ("poetry", "opera")),
            ("subject.Geography.Geography_of_Asia.Asian_Countries", ("geography", "asia", "asian", "countries")),
            ("subject.Countries", ("countries",)),
            ("subject.Art.Art", ("art",)),
        ],
    )
    def test_the_words_of_the_path_but_for_its_top_level(self, category: str, expected: tuple[str, ...]) -> None:
        assert keywords(category) == expected

    def test_every_topic_has_some(self) -> None:
        assert all(keywords(category) for category in ALL)


class TestNear:
    def test_seeds_are_of_the_topic_and_no_targets(self, web: Wikispeedia) -> None:
        made = topic(web, "near")
        members = {article.url for article in categories(web)[BIRDS]}
        assert len(made.seeds) == SEEDS
        assert members.difference(made.seeds) == made.judgements.targets
        assert made.judgements.neutral == set(made.seeds) < members


class TestFar:
    def test_seeds_are_two_or_three_links_away(self, web: Wikispeedia) -> None:
        seeds = {url for seed in range(40) for url in topic(web, "far", seed).seeds}
        paths = [f"http://way-{n}-2.example/" for n in range(8)] + [f"http://far-{n}-3.example/" for n in range(8)]
        assert seeds == set(paths)


def test_the_description_is_made_of_titles_and_first_paragraphs_of_targets(web: Wikispeedia) -> None:
    made = topic(web, "near")
    lines = made.description.splitlines()
    assert len(lines) == len(made.judgements.targets)
    assert lines[-1] == f"Dodo. {' '.join(LEAD.split())}"


def test_no_label_reaches_a_page(web: Wikispeedia) -> None:
    for url in web.urls():
        answer = web.answer(url)
        assert answer is not None
        assert b"Birds" not in answer.body
        assert b"ubject" not in answer.body


def test_topics_to_report_on_are_made_only_for_who_asks_for_them(web: Wikispeedia) -> None:
    with pytest.raises(
        EvaluationError, match=r"Biology\.Birds is kept for final figures, .* report_topics=True makes it"
    ):
        wikispeedia_topics(web, [BIRDS])


def test_a_topic_says_which_split_and_which_layout_it_is_of(web: Wikispeedia) -> None:
    origin = topic(web, "near").origin
    assert (origin["split"], origin["layout"]) == ("report", "article")
    assert [split_of(category) for category in ("subject.People.Artists", "subject.Gulls")] == ["development", ""]


def test_a_data_set_that_is_too_small_is_told(tmp_path: Path) -> None:
    folder = write_birds(tmp_path, [BIRDS])
    with pytest.raises(EvaluationError, match=r"subject\.Gulls: 0 articles in this data set, a topic has 30 or more"):
        wikispeedia_topics(Wikispeedia(folder), ["subject.Gulls"])
    (folder / "links.tsv").write_text("Bird_01\tBird_02\nWay_1_1\tBird_02\n")
    for nearness, count in (("near", 1), ("far", 0)):
        with pytest.raises(EvaluationError, match=f"{count} articles can be {nearness} seeds, 5 are needed"):
            wikispeedia_topics(Wikispeedia(folder), [BIRDS], nearness, report_topics=True)


@pytest.fixture(scope="module")
def full() -> Wikispeedia:
    return Wikispeedia(full_data("wikispeedia"))


def test_the_full_data_has_exactly_these_60_topics(full: Wikispeedia) -> None:
    large = [name for name, members in categories(full).items() if len(members) >= MEMBERS]
    assert sorted(ALL) == large
    assert len(large) == 60
