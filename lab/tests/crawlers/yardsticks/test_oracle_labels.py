"""Oracle of labels: targets, then what stands on relevant pages, then the rest."""

from __future__ import annotations

from lab.crawlers.web_links import WebLinks
from lab.crawlers.yardstick import JudgedWorld
from lab.crawlers.yardsticks.oracle_labels import OracleLabels
from tests.contract.world import key_of, make_page, visit_of

TARGET, ALSO, OTHER = "http://a.example/target", "http://a.example/also", "http://a.example/"


def no_links() -> WebLinks:
    raise AssertionError("labels are all that it asks for")


WORLD = JudgedWorld(
    {},
    words=(),
    targets=frozenset({key_of(TARGET)}),
    relevant=frozenset({key_of(TARGET), key_of(ALSO)}),
    links=no_links,
)


def answer(page: str, *urls: str) -> tuple[list[float], list[list[float]]]:
    scores, parts = OracleLabels(OracleLabels.Options(), WORLD).score(visit_of(make_page(page, ("", urls))))
    return scores.tolist(), parts.tolist()


def test_a_target_is_best_wherever_its_link_stands():
    assert answer(OTHER, TARGET, ALSO) == ([1.0, 0.0], [[1.0, 0.0], [0.0, 0.0]])


def test_links_of_a_relevant_page_come_next():
    assert answer(ALSO, TARGET, OTHER) == ([1.0, 0.5], [[1.0, 1.0], [0.0, 1.0]])
    assert answer(TARGET, ALSO)[0] == [0.5]
