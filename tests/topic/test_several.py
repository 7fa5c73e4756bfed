"""What -a topics= may say, and what is refused."""

from pathlib import Path

import pytest

from focused.exceptions import TopicError
from focused.topic.topic_arguments import topics_called


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("wind", "solar", "hydro"):
        (tmp_path / f"{name}.toml").touch()
    (tmp_path / ".hidden.toml").touch()
    (tmp_path / "notes.txt").touch()
    return tmp_path


def test_a_folder_is_all_its_topic_files_in_order(folder: Path) -> None:
    assert topics_called(str(folder)) == {name: str(folder / f"{name}.toml") for name in ("hydro", "solar", "wind")}


def test_names_and_paths_come_in_the_order_given(folder: Path) -> None:
    called = topics_called(f"wind, {folder}/solar.toml,", folder)
    assert list(called.items()) == [("wind", "wind"), ("solar", f"{folder}/solar.toml")]


def test_a_topic_comes_before_a_folder_of_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "solar").mkdir()
    monkeypatch.chdir(folder)
    assert topics_called("solar", folder) == {"solar": "solar"}
    with pytest.raises(TopicError, match="no topic files"):
        topics_called("solar/", folder)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{folder},wind", "are both called wind"),
        ("solar,{folder}/more/SOLAR.toml", "are both called SOLAR"),  # on some systems one folder
        ("solar,winds", "did you mean wind"),
        ("", "name a folder of topic files"),
        ("{folder}/none", "no such folder"),
        ("{folder}/none.toml", "no such topic file"),
    ],
)
def test_what_names_no_topics_is_told(folder: Path, text: str, why: str) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "SOLAR.toml").touch()
    with pytest.raises(TopicError, match=why):
        topics_called(text.format(folder=folder), folder)
