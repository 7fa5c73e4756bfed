"""Where editors moved some pages of a theme, those like them follow."""

import json

from focused.desk.portal.editing import ACCEPTED, Placement
from focused.desk.portal.entry import PortalEntry, words_of
from focused.desk.portal.publishing import FEWEST_MOVES, corrected
from focused.page.text import TextAnalyser

TEXTS = {"wind": "wind turbine rotor blades gale offshore mast", "sun": "solar panel roof photovoltaic cell inverter"}
WIND = Placement(True, "Wind power")


def entry(number: int, subject: str) -> PortalEntry:
    words = [part for pair in words_of([(f"energy power {TEXTS[subject]} page", 1)]) for part in pair]
    url = f"http://{subject}.example/{number}"
    return PortalEntry(number, url, number, "", url, "", "", "2026-01-01", "", "en", 1.0, json.dumps(words))


SUN = [entry(number, "sun") for number in range(12)]
WINDY = [entry(number, "wind") for number in range(12, 24)]
THEMES = {one.url: "Energy" for one in SUN + WINDY}
STEMS = TextAnalyser("en")


def moved(count: int) -> dict[str, Placement]:
    return {one.url: WIND for one in WINDY[:count]}


def test_pages_like_those_that_were_moved_follow_and_the_others_stay() -> None:
    found = corrected(SUN + WINDY, THEMES, moved(FEWEST_MOVES), STEMS)
    assert {found[one.url] for one in WINDY} == {"Wind power"}
    assert {found[one.url] for one in SUN} == {"Energy"}


def test_a_few_moves_teach_nothing() -> None:
    assert corrected(SUN + WINDY, THEMES, moved(FEWEST_MOVES - 1), STEMS) == THEMES


def test_what_was_only_accepted_is_no_move() -> None:
    assert corrected(SUN + WINDY, THEMES, {one.url: ACCEPTED for one in WINDY}, STEMS) == THEMES


def test_other_themes_stay_as_they_are() -> None:
    themes = THEMES | {one.url: "Technology" for one in WINDY[-2:]}
    found = corrected(SUN + WINDY, themes, moved(FEWEST_MOVES), STEMS)
    assert {found[one.url] for one in WINDY[-2:]} == {"Technology"}


def test_a_theme_of_which_all_was_moved_is_left() -> None:
    themes = {one.url: "Energy" for one in WINDY}
    assert corrected(WINDY, themes, moved(len(WINDY)), STEMS) == themes


def test_a_page_that_is_no_more_is_no_example() -> None:
    gone = {f"http://gone.example/{number}": WIND for number in range(20)}
    assert corrected(SUN + WINDY, THEMES, gone, STEMS) == THEMES
