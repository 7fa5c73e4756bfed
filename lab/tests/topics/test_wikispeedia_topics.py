"""The topics of Wikispeedia: keywords, seeds, targets, and the split that keeps 36 topics apart."""

from __future__ import annotations

import pytest

from lab.topics.labelled_topics import LabelledTopic
from lab.topics.wikispeedia_topics import (
    MEMBERS,
    SEEDS,
    categories,
    development,
    keywords,
    report,
    wikispeedia_topics,
)
from lab.webs.wikispeedia import Wikispeedia
from tests.small_topics import LEAD, write_birds
from tests.small_wikispeedia import full_data

BIRDS = "subject.Science.Biology.Birds"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Wikispeedia:
    return Wikispeedia(write_birds(tmp_path_factory.mktemp("birds"), [BIRDS]), "article")


def topic(web: Wikispeedia, nearness: str, seed: int = 0) -> LabelledTopic:
    (made,) = wikispeedia_topics(web, [BIRDS], nearness, seed, report_topics=True)
    return made


class TestSplit:
    def test_there_are_24_topics_to_develop_with_and_36_to_report_on_of_different_names(self) -> None:
        assert (len(set(development())), len(set(report()))) == (24, 36)
        assert not set(development()) & set(report())
        assert len({category.rpartition(".")[2] for category in (*development(), *report())}) == 60


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


@pytest.fixture(scope="module")
def full() -> Wikispeedia:
    return Wikispeedia(full_data("wikispeedia"))


def test_the_full_data_has_exactly_these_60_topics(full: Wikispeedia) -> None:
    large = [name for name, members in categories(full).items() if len(members) >= MEMBERS]
    assert sorted((*development(), *report())) == large
    assert len(large) == 60
