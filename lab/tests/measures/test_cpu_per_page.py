"""CPU per page, against a number computed by hand."""

from __future__ import annotations

import pytest

from focused.exceptions import FocusedError
from lab.judging.run import Run
from lab.measures import cpu_per_page
from lab.tests.measures.crawls import page

URLS = [page(name) for name in "abcd"]


def test_it_is_in_milliseconds() -> None:
    assert cpu_per_page(Run("dom", "solar", 0, URLS, cpu_seconds=0.01)) == pytest.approx(2.5)


@pytest.mark.parametrize(("urls", "seconds", "lack"), [(URLS, None, "no CPU seconds"), ([], 0.01, "no pages")])
def test_what_was_not_measured_is_told(urls: list[str], seconds: float | None, lack: str) -> None:
    with pytest.raises(FocusedError) as refusal:
        cpu_per_page(Run("dom", "solar", 0, urls, cpu_seconds=seconds))
    assert str(refusal.value) == f"run of dom on topic solar, seed 0: there are {lack}, so there is no CPU per page"
