"""Combined: the scoring pipeline with fixed weights."""

import numpy as np
import pytest

from focused.crawl.strategy import Changes
from focused.exceptions import TopicError
from focused.strategies.combined import WEIGHTS, Combined
from focused.testing.toy_world import KEYWORDS, Visits, arrive, make_page, toy_world

GOOD, BAD = "http://host0.example/good", "http://host1.example/bad"
PAGE = make_page("http://a.example/", ("solar cell solar", [GOOD]), ("tax law", [BAD]))


def scored(**options: object) -> tuple[Combined, Changes]:
    strategy, visits = Combined(Combined.Options(**options), toy_world(KEYWORDS)), Visits(KEYWORDS)
    return strategy, arrive(strategy, visits.of(PAGE), visits)


def test_context_and_hub_score_are_those_of_the_paper_and_weighed_as_it_says() -> None:
    strategy, changes = scored()
    parts = dict(zip(strategy.parts, changes.parts.T, strict=True))
    # it points to two seed hosts: 2 · 1 / (1 + 4)
    assert parts["hubs"] == pytest.approx([0.3 * 0.4, 0.3 * 0.4])
    # "solar cell solar" of the keywords, by term frequencies: see test_similarity
    assert parts["context"][0] > parts["context"][1] == 0.0
    assert changes.scores == pytest.approx(parts["context"] + parts["hubs"])


def test_what_is_given_no_weight_adds_nothing() -> None:
    strategy, changes = scored(weights={"anchor_keywords": 2.0})
    own = changes.parts[:, strategy.parts.index("anchor")]
    assert changes.scores == pytest.approx(own)
    assert own[0] > own[1] == 0.0


def test_words_that_led_to_relevant_pages_speak_for_a_link() -> None:
    strategy, visits = Combined(Combined.Options(), toy_world(KEYWORDS)), Visits(KEYWORDS)
    for number in range(30):
        texts = {"solar energy": f"http://g.example/{number}", "football": f"http://b.example/{number}"}
        links = [("roof", [texts["solar energy"]]), ("cup", [texts["football"]])]
        arrive(strategy, visits.of(make_page(f"http://n.example/{number}", *links)), visits)
        for text, url in texts.items():
            arrive(strategy, visits.of(make_page(url, (f"{text} {number}", []))), visits)
    last = make_page("http://n.example/last", ("roof", ["http://x.example/"]), ("cup", ["http://y.example/"]))
    words = arrive(strategy, visits.of(last), visits).parts[:, strategy.parts.index("words")]
    assert words[0] > 0.0 > words[1]


def test_a_weight_for_a_column_that_no_scorer_has_is_refused() -> None:
    with pytest.raises(TopicError, match="no scorer has a column contxt; there are: anchor_keywords"):
        scored(weights={"contxt": 1.0})


def test_the_weights_are_of_columns_that_there_are() -> None:
    assert np.count_nonzero(scored()[0].weights[1]) == len(WEIGHTS)
