"""What is taken of a file, and under which names."""

import pytest

from focused.exceptions import TaxonomyError
from focused.papers.models.taxonomy import node_of
from focused.papers.taxonomies.importing import ImportFilter, category_of, checked_good, known_category
from focused.papers.taxonomies.taxonomy_store import Listing

CATEGORIES = ("Top/Science/Physics/Quantum/Dots", "Top/Science/Physics", "Top/Sports/Ball/Goal", "Top/Arts")
LISTINGS = [Listing(category, f"http://a.example/{number}#part") for number, category in enumerate(CATEGORIES)]


def places(selection: ImportFilter) -> list[str]:
    return [listing.category for listing in selection.taken(LISTINGS)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Top/Science/ Physics /", "Science/Physics"),
        ("Top", ""),
        ("/", ""),
        ("Solar\x1b[31m power", "Solar [31m power"),
        ("x" * 501, ""),
    ],
)
def test_a_category_has_one_name(text: str, name: str) -> None:
    assert category_of(text) == name


def test_all_is_taken_unless_a_person_says_what() -> None:
    assert places(ImportFilter()) == ["Science/Physics/Quantum/Dots", "Science/Physics", "Sports/Ball/Goal", "Arts"]


def test_only_what_lies_under_these_categories_is_taken() -> None:
    under = (node_of("Science/Physics"), node_of("Arts"), node_of("Sports/Bal"))
    assert places(ImportFilter(under)) == ["Science/Physics/Quantum/Dots", "Science/Physics", "Arts"]


def test_what_lies_deeper_counts_above() -> None:
    assert places(ImportFilter(depth=2)) == ["Science/Physics", "Science/Physics", "Sports/Ball", "Arts"]
    assert places(ImportFilter((node_of("Science"),), depth=2)) == ["Science/Physics/Quantum", "Science/Physics"]


def test_urls_are_canonical_and_what_has_none_is_counted() -> None:
    selection = ImportFilter()
    taken = list(selection.taken([*LISTINGS[:1], Listing("A", "ftp://a.example/"), Listing("", "http://b.example/")]))
    assert [listing.url for listing in taken] == ["http://a.example/0"]
    assert (selection.read, selection.passed_over) == (3, 2)


def test_a_misspelt_category_names_the_nearest() -> None:
    with pytest.raises(TaxonomyError, match=r"'Sience' is unknown; did you mean Science\?"):
        known_category("Sience", {("Science",), ("Science", "Physics")})


def test_good_categories_are_never_nested() -> None:
    assert checked_good(["B", "A/C", "A/D"]) == ["A/C", "A/D", "B"]
    with pytest.raises(TaxonomyError, match="'A/C' lies below 'A': only one of them can be good"):
        checked_good(["A/C", "A"])
