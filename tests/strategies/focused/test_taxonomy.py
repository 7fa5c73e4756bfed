"""A taxonomy by hand: probabilities multiply from the top down, and good nodes add up."""

import pytest

from focused.papers.models.taxonomy import Taxonomy, name_of, nested, node_of

PHYSICS, BIOLOGY, SPORT = ("science", "physics"), ("science", "biology"), ("sport",)
TEXTS = [["atom", "law"], ["cell", "law"], ["goal"], ["goal"]]
TAXONOMY = Taxonomy.fit(TEXTS, [PHYSICS, BIOLOGY, SPORT, SPORT], [PHYSICS])


def test_its_nodes_are_all_that_the_documents_name_and_what_is_above_them() -> None:
    assert TAXONOMY.nodes == [("science",), ("sport",), BIOLOGY, PHYSICS]


def test_the_probability_of_a_node_is_that_of_its_parent_times_its_share() -> None:
    # At the root science has 4 terms, sport 2, the vocabulary 4: P(atom | science) = 2/8, P(atom | sport) = 1/6: 3/5.
    # In science physics and biology have 2 terms each, of 3: P(atom | physics) = 2/5, P(atom | biology) = 1/5: 2/3.
    found = TAXONOMY.probabilities(["atom"])
    assert found[()] == 1.0
    assert found["science",] == pytest.approx(3 / 5)
    assert found[PHYSICS] == pytest.approx(3 / 5 * 2 / 3)
    assert found[BIOLOGY] + found[PHYSICS] == pytest.approx(found["science",])


def test_relevance_is_the_sum_over_good_nodes() -> None:
    found = TAXONOMY.probabilities(["atom"])
    assert TAXONOMY.relevance(found) == pytest.approx(2 / 5)
    both = Taxonomy(TAXONOMY.children, TAXONOMY.classifiers, frozenset({PHYSICS, SPORT}))
    assert both.relevance(found) == pytest.approx(2 / 5 + 2 / 5)


def test_the_best_leaf_is_no_inner_node() -> None:
    assert TAXONOMY.best_leaf(TAXONOMY.probabilities(["goal", "goal"])) == SPORT
    # science 3/5 is more probable than each of the leaves: physics 2/5, sport 2/5
    assert TAXONOMY.best_leaf(TAXONOMY.probabilities(["atom"])) == PHYSICS


@pytest.mark.parametrize(("node", "good"), [(PHYSICS, True), ((*PHYSICS, "optics"), True), (("science",), False)])
def test_a_node_is_good_if_it_or_one_above_is(node: tuple[str, ...], good: bool) -> None:
    assert TAXONOMY.is_good(node) is good


def test_a_document_of_an_inner_node_says_nothing_of_what_is_below() -> None:
    taxonomy = Taxonomy.fit([*TEXTS, ["atom"] * 9], [PHYSICS, BIOLOGY, SPORT, SPORT, ("science",)], [PHYSICS])
    before, after = TAXONOMY.probabilities(["atom"]), taxonomy.probabilities(["atom"])
    assert after["science",] > before["science",]
    assert after[PHYSICS] / after["science",] == pytest.approx(before[PHYSICS] / before["science",])


def test_nested_nodes_are_found() -> None:
    assert nested([PHYSICS, SPORT, ("science",)]) == (("science",), PHYSICS)
    assert nested([PHYSICS, SPORT, ("phys",)]) is None


def test_a_node_is_called_by_its_path() -> None:
    assert node_of("science/physics/") == PHYSICS
    assert name_of(PHYSICS) == "science/physics"


def test_terms_of_too_few_texts_are_not_learned() -> None:
    taxonomy = Taxonomy.fit([["atom", "a"], ["atom", "b"]], [PHYSICS, SPORT], [PHYSICS], least=2)
    assert taxonomy.classifiers[()].vocabulary == {"atom": 0}


def test_with_a_length_a_long_text_counts_as_one_of_so_many_terms() -> None:
    short = Taxonomy(TAXONOMY.children, TAXONOMY.classifiers, TAXONOMY.good, length=1)
    assert short.probabilities(["atom"] * 9) == pytest.approx(TAXONOMY.probabilities(["atom"]))


def test_relevance_is_at_most_1_whatever_rounding_does_and_0_of_nothing() -> None:
    both = Taxonomy(TAXONOMY.children, TAXONOMY.classifiers, frozenset({PHYSICS, SPORT}))
    assert both.relevance({PHYSICS: 0.75, SPORT: 0.25 + 1e-15}) == 1.0
    assert both.relevance({PHYSICS: 0.5}) == 0.5
    assert both.best_leaf({}) == ()
