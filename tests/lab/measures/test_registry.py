"""The registry finds every measure by its file alone, and answers a misspelt name."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.exceptions import FocusedError
from lab import measures
from lab.measures import get_measure, names
from lab.measures.harvest_rate import harvest_rate


def test_names_are_the_files_of_the_package_in_alphabetical_order() -> None:
    (directory,) = measures.__path__
    assert names() == sorted(file.stem for file in Path(directory).glob("*.py") if file.stem != "__init__")


def test_a_measure_is_found_by_its_name() -> None:
    assert get_measure("harvest_rate") is harvest_rate


@pytest.mark.parametrize("name", names())
def test_every_measure_says_what_it_is(name: str) -> None:
    measure = get_measure(name)
    assert measure.__name__ == name
    assert measure.__doc__


def test_an_unknown_name_is_refused_the_nearest_named_and_all_listed() -> None:
    with pytest.raises(FocusedError) as refusal:
        get_measure("harvest")
    assert str(refusal.value) == (
        f"measure 'harvest' is unknown; did you mean harvest_rate? Measures: {', '.join(names())}"
    )


@pytest.mark.parametrize("name", ["", "__init__", "os", "x" * 1000])
def test_no_name_leads_out_of_the_package(name: str) -> None:
    with pytest.raises(FocusedError, match=r"is unknown\. Measures: "):
        get_measure(name)
