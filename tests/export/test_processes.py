"""Pages are read in other processes, and everything is as if they were read in this one."""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focused.collection.collection import open_to_read
from focused.exceptions import ExportError
from focused.export import reading_processes
from focused.export.commands.export import Command
from focused.export.reading_processes import AHEAD, BATCH, PlainCollection, with_contents
from focused.export.row import UnfinishedRow
from focused.export.selection import Selection
from focused.live.child_processes import in_processes
from focused.live.last_run import last_run
from focused.page.page_text import TextRequest
from tests.commands.running import run_command
from tests.export.collections import die


@pytest.fixture(autouse=True)
def every_export_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.export.export.FEW", 0)


def test_two_processes_write_what_one_writes(finished: Path, tmp_path: Path) -> None:
    for name, processes in (("one.jsonl", "1"), ("two.jsonl", "2")):
        argv = ("test", str(tmp_path / name), "--processes", processes)
        assert run_command(Command(), *argv, data_dir=finished) == 0
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_a_damaged_page_is_told(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "test" / "pages" / "pages-00001.warc.gz").write_bytes(b"")
    assert run_command(Command(), "test", str(tmp_path / "a.jsonl"), "--processes", "2", data_dir=data) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "the file is damaged" in line
    assert "scrapy verify test" in line
    assert list(tmp_path.glob("*a.*")) == []


def test_a_process_that_dies_is_told(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_processes, "_read", die)
    folder = finished / "test"
    with closing(open_to_read(folder)) as store, pytest.raises(ExportError, match="a process died"):
        list(with_contents(Selection().pages(store, ""), PlainCollection.of(folder, last_run(store), TextRequest()), 2))


def test_only_a_few_pages_are_taken_before_the_first_is_written(finished: Path) -> None:
    """So memory does not grow with the number of pages."""
    taken = 0
    folder = finished / "test"
    with closing(open_to_read(folder)) as store:

        def counted() -> Iterator[UnfinishedRow]:
            nonlocal taken
            for _ in range(10):
                for page in Selection().pages(store, ""):
                    taken += 1
                    yield page

        for processes in (1, 2):
            taken = 0
            pages = with_contents(counted(), PlainCollection.of(folder, last_run(store), TextRequest()), processes)
            with closing(pages):
                for written in range(1, 125):
                    next(pages)
                    assert taken - written < BATCH * AHEAD * processes


def test_processes_ignore_ctrl_c() -> None:
    """A terminal sends it to them too, and a traceback of theirs would be all that a person sees."""
    assert set(in_processes(signal.getsignal, [(signal.SIGINT,)] * 4, 2)) == {signal.SIG_IGN}


def test_an_export_that_is_stopped_can_be_begun_again(finished: Path) -> None:
    folder = finished / "test"
    with closing(open_to_read(folder)) as store:
        collection = PlainCollection.of(folder, last_run(store), TextRequest())
        with closing(with_contents(Selection().pages(store, ""), collection, 2)) as pages:
            next(pages)
        assert len(list(with_contents(Selection().pages(store, ""), collection, 2))) == 40


@pytest.mark.parametrize("cores", ["1", "2"])
def test_one_process_for_each_core_unless_the_environment_says_otherwise(
    finished: Path, monkeypatch: pytest.MonkeyPatch, cores: str
) -> None:
    asked: list[int] = []
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", cores)

    def counted(work: Callable[..., Any], some: Iterable[tuple[Any, ...]], processes: int) -> Iterator[Any]:
        asked.append(processes)
        yield from (work(*one) for one in some)

    monkeypatch.setattr(reading_processes, "in_processes", counted)
    folder = finished / "test"
    with closing(open_to_read(folder)) as store:
        pages = Selection().pages(store, "")
        assert len(list(with_contents(pages, PlainCollection.of(folder, last_run(store), TextRequest()), 0))) == 40
    assert set(asked) == ({2} if cores == "2" else set())
