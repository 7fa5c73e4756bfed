"""Directives of meta robots and X-Robots-Tag."""

import pytest

from focused.page.page_facts import bars_snippets, directives


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("", {""}),
        ("NoIndex, NOFOLLOW", {"noindex", "nofollow"}),
        ("none", {"none", "noindex", "nofollow"}),
        ("all", {"all"}),
        ("googlebot: noindex, nofollow", set()),
        ("googlebot: noindex\nnofollow", {"nofollow"}),
        ("max-snippet: 20, noindex", {"max-snippet:20", "noindex"}),
    ],
)
def test_only_directives_for_every_crawler_count(value: str, found: set[str]) -> None:
    assert directives(value) - {""} == found - {""}


@pytest.mark.parametrize(
    ("value", "obeyed"),
    [
        ("bugbot: nofollow", {"nofollow"}),
        ("BugBot : NoIndex, NoFollow", {"noindex", "nofollow"}),
        ("otherbot: noindex, bugbot: nofollow", {"nofollow"}),
        ("googlebot: noindex\nbugbot: none", {"noindex", "nofollow"}),
        ("bugbot: all\nnofollow", {"nofollow"}),
        ("bug: nofollow", set()),
        ("bugbot-news: nofollow", set()),
        ("360spider: nofollow, noindex", set()),
        ("otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST, noindex", set()),
        ("bugbot: unavailable_after: Thu, 25 Jun 2010 15:00:00 PST, nofollow", {"nofollow"}),
        ("unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, noindex", {"noindex"}),
        ("unavailable_after: 2010-06-25T15:00:00+00:00, noindex", {"noindex"}),
        ("noindex nofollow", {"noindex", "nofollow"}),
        ("noindex;nofollow", {"noindex", "nofollow"}),
    ],
)
def test_what_is_said_to_our_name_is_said_to_us(value: str, obeyed: set[str]) -> None:
    assert directives(value, robot="bugbot") & {"noindex", "nofollow"} == obeyed


def test_several_values_add_up() -> None:
    assert directives("noindex", "nofollow") == {"noindex", "nofollow"}


@pytest.mark.parametrize(
    ("value", "barred"),
    [
        ("nosnippet", True),
        ("max-snippet:0", True),
        ("noimageindex, Max-Snippet: 0", True),
        ("max-snippet:100", False),
        ("max-snippet:-1", False),
        ("googlebot: nosnippet", False),
        ("", False),
    ],
)
def test_who_wants_no_piece_of_the_text_shown(value: str, barred: bool) -> None:
    assert bars_snippets(value) is barred
