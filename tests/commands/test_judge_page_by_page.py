"""`scrapy judge`: each verdict of a person at a terminal is kept at once, whatever pages say."""

import io
import os
import pty
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.collection.desk import Desk
from focused.desk.commands.judge import Command
from focused.desk.commands.judge import Command as Audit
from focused.desk.judging.labelling import BATCH, END, key
from tests.commands.running import crawled, refusal, run_command

Label = Callable[..., str]


@pytest.fixture
def label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Label:
    """Runs the command on a crawl of the small web, with these lines typed; returns what it says."""
    crawled(tmp_path / "test")
    capsys.readouterr()

    def run(typed: str, *argv: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{letter}\n" for letter in typed)))
        assert run_command(Command(), "test", *argv, data_dir=tmp_path) == 0
        return capsys.readouterr().out

    return run


def verdicts(tmp_path: Path, pile: str = "teach") -> list[bool]:
    return [verdict.relevant for verdict in Desk(tmp_path / "test").verdicts(pile)]


def test_verdicts_are_kept_and_the_opinion_of_the_crawl_comes_after_them(label: Label, tmp_path: Path) -> None:
    said = label("jf q")
    assert verdicts(tmp_path) == [True, False]
    assert said.splitlines()[-1] == "2 pages judged; the next run learns from them"
    assert said.count("http://host") == 4
    assert said.count("the crawl: relevance") == 2
    assert said.index("> j") < said.index("the crawl: relevance")


def test_a_page_is_offered_once_and_the_next_time_no_more(label: Label, tmp_path: Path) -> None:
    first = label("jjjq")
    again = label("fq")
    urls = [[line.strip() for line in said.splitlines() if line.strip().startswith("http")] for said in (first, again)]
    assert not set(urls[0][:3]) & set(urls[1])
    assert len(verdicts(tmp_path)) == 4


def test_undo_takes_the_last_one_back_and_asks_again(label: Label, tmp_path: Path) -> None:
    label("ujuf" + "jq")  # nothing to undo; yes, no, undone: no; yes
    assert verdicts(tmp_path) == [False, True]


def test_what_is_no_key_is_asked_again_and_an_end_of_input_ends_it(label: Label, tmp_path: Path) -> None:
    assert label("xyzj").splitlines()[-1] == "1 page judged; the next run learns from them"
    assert verdicts(tmp_path) == [True]


def test_all_pages_can_be_judged(label: Label, tmp_path: Path) -> None:
    said = label("j" * 60)
    assert "no page is left to be judged" in said
    assert len(verdicts(tmp_path)) > BATCH


def test_the_audit_has_a_pile_of_its_own(label: Label, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--sample 100 draws pages to judge" in label("", "--pile", "audit")
    run_command(Audit(), "test", "--sample", "8", data_dir=tmp_path)
    capsys.readouterr()
    assert "scrapy judge test --findings says what they mean" in label("jfjfjfjf", "--pile", "audit")
    assert (len(verdicts(tmp_path, "audit")), verdicts(tmp_path)) == (8, [])
    run_command(Audit(), "test", "--findings", data_dir=tmp_path)
    assert "8 of 8 drawn pages are judged" in capsys.readouterr().out


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no such collection" in refusal(run_command(Command(), "test", data_dir=tmp_path), capsys)
    with pytest.raises(UsageError, match="--pile both: it is audit or teach"):
        run_command(Command(), "test", "--pile", "both", data_dir=tmp_path)


def test_a_key_of_a_terminal_needs_no_enter() -> None:
    person, terminal = pty.openpty()
    with open(terminal, encoding="utf-8") as stream:  # noqa: PTH123
        pressed: list[str] = []
        for letters in (b"j", b"\x04"):
            reader = threading.Thread(target=lambda: pressed.append(key(stream)))
            reader.start()
            while reader.is_alive():
                os.write(person, letters)
                reader.join(0.05)
                letters = b""
        assert pressed == ["j", END]
    os.close(person)
