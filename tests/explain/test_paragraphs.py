"""Text on a terminal is wrapped and marked; in a pipe it is as it was."""

import io
from contextlib import redirect_stdout

import pytest

from focused.explain.plain_output import plain_stdout, print_paragraph, print_text
from tests.page.test_plain_text import HOSTILE


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Terminal()


TEXT = "word " * 20


def test_a_paragraph_fits_a_terminal(terminal: Terminal) -> None:
    with redirect_stdout(terminal), plain_stdout():
        print_paragraph([(TEXT, False)], indent=3)
    lines = terminal.getvalue().splitlines()
    assert len(lines) == 3
    assert all(line.startswith("   word") and len(line) <= 40 and line == line.rstrip() for line in lines)


def test_a_label_stands_before_the_first_line_and_the_others_hang_below_the_text(terminal: Terminal) -> None:
    with redirect_stdout(terminal), plain_stdout():
        print_paragraph([(TEXT, False)], indent=4, label="7. ")
    first, *others = terminal.getvalue().splitlines()
    assert first.startswith(" 7. word") and len(others) == 2
    assert all(line.startswith("    word") for line in others)


def test_in_a_pipe_a_paragraph_is_one_line_without_marks(capsys: pytest.CaptureFixture[str]) -> None:
    with plain_stdout():
        print_paragraph([(TEXT, False), ("bold", True)], indent=3)
    assert capsys.readouterr().out == f"   {TEXT}bold\n"


def test_words_are_bold_on_a_terminal(terminal: Terminal) -> None:
    with redirect_stdout(terminal), plain_stdout():
        print_paragraph([("the ", False), ("sun", True), (" shines", False)])
    assert terminal.getvalue() == "the \x1b[1msun\x1b[0m shines\n"


def test_nothing_of_a_page_is_a_command_to_the_terminal(terminal: Terminal) -> None:
    with redirect_stdout(terminal), plain_stdout():
        print_paragraph([(HOSTILE, False), (f"{HOSTILE}\x1b[31m", True)])
        print_text(f"{HOSTILE}\n```\n{HOSTILE}\n```\n")
    text = terminal.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert all(one.isprintable() or one == "\n" for one in text)
    assert "[red]x" in text  # no markup of rich's own either


def test_wide_letters_take_two_columns(terminal: Terminal) -> None:
    with redirect_stdout(terminal):
        print_paragraph([("太陽光發電" * 10, False)])
    assert [len(line) for line in terminal.getvalue().splitlines()] == [20, 20, 10]


def test_lines_keep_their_indentation_and_code_stays_as_it_is(terminal: Terminal) -> None:
    code = "x = " + "1 + " * 20
    with redirect_stdout(terminal):
        print_text(f"# Title\n\n  - {TEXT}\n```python\n{code}\n```\n{TEXT}")
    lines = terminal.getvalue().splitlines()
    assert lines[:3] == ["# Title", "", "  - word word word word word word word"]
    assert lines[3].startswith("  word")
    assert code.rstrip() in lines
    assert len(lines[-1]) <= 40


def test_a_text_in_a_pipe_keeps_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    print_text(f"one\n  {TEXT}\n\nthree")
    assert capsys.readouterr().out == f"one\n  {TEXT.rstrip()}\n\nthree\n"
