"""The form of a URL: what is read from its text alone."""

import pytest

from focused.scorers.link_scorer import UrlForm


def form(path: str, host: str = "a.example") -> UrlForm:
    return UrlForm.of(f"http://{host}/{path}", host)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("x/1.html", "x/2.html", {"directory", "pattern"}),
        ("~ann/1.html", "~bob/2.html", {"pattern"}),
        ("~ann/", "~ann/2.html", {"directory"}),
        ("2024/a", "1999/b", {"pattern"}),
        ("x/1.html", "y/1.html", set()),
        ("1", "22?page=3", {"directory", "pattern"}),
        ("", "x", {"directory"}),
        ("x", "x/", set()),
    ],
)
def test_urls_of_one_directory_and_of_one_pattern(one: str, other: str, alike: set[str]) -> None:
    both = form(one), form(other)
    assert {name for name in ("directory", "pattern") if len({getattr(each, name) for each in both}) == 1} == alike


def test_directories_and_patterns_are_of_one_host() -> None:
    one, other = form("x/1"), form("x/1", host="b.example")
    assert (one.directory != other.directory, one.pattern != other.pattern) == (True, True)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("~Ann/Solar-energy/7.html?x=12", "ann solar energy 0 html 00"),
        ("~ann/2024/", "~ ann 0000"),
        ("one/two/three/four/five/six/seven", "two three four five six seven"),
        ("", ""),
    ],
)
def test_words_are_the_last_ones_in_lower_case(path: str, words: str) -> None:
    assert form(path).words == words


@pytest.mark.parametrize(
    ("path", "slashes", "has_user", "is_folder", "has_query"),
    [("", 0, False, True, False), ("x/~ann/", 2, True, True, False), ("x?a=1", 0, False, False, True)],
)
def test_slashes_and_marks(path: str, slashes: int, has_user: bool, is_folder: bool, has_query: bool) -> None:
    found = form(path)
    marks = (found.has_user, found.is_folder, found.has_query)
    assert (found.slashes, *marks) == (slashes, has_user, is_folder, has_query)
