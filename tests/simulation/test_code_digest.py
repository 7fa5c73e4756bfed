"""A digest of code tells one version of it from another."""

from pathlib import Path

import pytest

from focused.simulation import analysed_web as module
from focused.simulation.analysed_web import DIGITS, code_digest


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only module of a package that stands in for ours."""
    monkeypatch.setattr(module, "files", {"focused.page": tmp_path / "reading"}.__getitem__)
    file = tmp_path / "reading" / "text.py"
    file.parent.mkdir()
    file.write_text("terms = 1\n")
    return file


def digest(*modules: str) -> str:
    return code_digest.__wrapped__(("focused.page",), modules)


def test_a_changed_module_of_a_package_changes_it(source: Path) -> None:
    before = digest()
    assert digest() == before
    source.write_text("terms = 2\n")
    assert digest() != before


def test_other_files_of_a_package_do_not_change_it(source: Path) -> None:
    before = digest()
    source.with_suffix(".txt").write_text("notes")
    assert digest() == before


@pytest.mark.usefixtures("source")
def test_single_modules_count() -> None:
    assert len({digest(), digest("focused.exceptions"), digest("focused.topic.topic")}) == 3
    assert len(digest("focused.exceptions")) == DIGITS
