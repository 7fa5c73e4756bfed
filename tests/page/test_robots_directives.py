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
    assert directives(value) == found - {""}


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
