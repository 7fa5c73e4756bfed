"""Directives of meta robots and X-Robots-Tag."""

import pytest

from focused.reading.robots_directives import directives


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("", {""}),
        ("NoIndex, NOFOLLOW", {"noindex", "nofollow"}),
        ("none", {"none", "noindex", "nofollow"}),
        ("all", {"all"}),
        ("googlebot: noindex, nofollow", set()),
        ("googlebot: noindex\nnofollow", {"nofollow"}),
        ("max-snippet: 20, noindex", {"max-snippet", "noindex"}),
    ],
)
def test_only_directives_for_every_crawler_count(value: str, found: set[str]) -> None:
    assert directives(value) == found - {""}


def test_several_values_add_up() -> None:
    assert directives("noindex", "nofollow") == {"noindex", "nofollow"}
