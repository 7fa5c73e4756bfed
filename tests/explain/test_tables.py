"""Tables: plain and whole in a pipe, as wide as the terminal on one, and nothing of a server's text commands the terminal."""

import io

import pytest

from focused.explain import plain_output
from focused.explain.plain_output import TableColumn, table_text
from focused.page.plain_text import plain

COLUMNS = (TableColumn("pages", is_number=True), "host")
ROWS = [(1234, "a.example"), (None, "b" * 300)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_pipe_nothing_is_cut_and_no_line_is_drawn() -> None:
    lines = table_text(COLUMNS, ROWS, "Hosts").splitlines()
    assert lines[:3] == ["Hosts", "pages  host", "1,234  a.example"]
    assert lines[3] == "       " + "b" * 300


def test_a_terminal_is_not_exceeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = table_text(COLUMNS, ROWS, stream=Terminal()).splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[-1].endswith("…")
    assert any("1,234" in line for line in lines)


def test_without_rows_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    plain_output.print_table(COLUMNS, [], "Hosts")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\rb", "two\nlines", "\x9b2J", "[bold]not markup[/bold]"])
def test_text_of_a_server_stays_on_its_line_and_is_no_command(text: str) -> None:
    assert plain(text).isprintable()
    (_, line) = table_text(["title"], [(text,)]).splitlines()
    assert line == plain(text).rstrip()
