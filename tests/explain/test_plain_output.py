"""What commands print and what is logged: control characters of others never reach a terminal."""

import argparse
import io
import logging
import sys

import pytest

from focused.exceptions import FocusedError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import ProgressLine
from focused.live.logs import PlainLines, write_plain_logs
from tests.commands.running import run_command
from tests.page.test_plain_text import HOSTILE


class Saying(FocusedCommand):
    """Prints what a server has said, and then fails with it."""

    summary = "says"

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        print(f"one\n\ttwo {HOSTILE}")
        raise FocusedError(f"refused: {HOSTILE.replace(chr(13), '').replace(chr(10), '')}")


def is_plain(text: str) -> bool:
    return all(one.isprintable() or one in "\n\t" for one in text)


def test_a_command_prints_plain_text_and_its_mistakes_are_plain(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    assert run_command(Saying(), "x") == 1
    assert sys.stdout is before
    out, err = capsys.readouterr()
    assert out.startswith("one\n\ttwo ") and is_plain(out)
    assert err.count("\n") == 1 and is_plain(err)


def test_logs_are_plain_with_their_tracebacks() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    logging.root.addHandler(handler)
    try:
        write_plain_logs()
        write_plain_logs()
        assert isinstance(handler.formatter, PlainLines) and not isinstance(handler.formatter._formatter, PlainLines)
        try:
            raise ValueError(HOSTILE)
        except ValueError:
            logging.getLogger("somebody").error("unsupported encoding %s", HOSTILE, exc_info=True)
    finally:
        logging.root.removeHandler(handler)
        for other in logging.root.handlers:
            if isinstance(other.formatter, PlainLines):
                other.setFormatter(other.formatter._formatter)
    assert "Traceback" in stream.getvalue() and is_plain(stream.getvalue())


@pytest.mark.parametrize(
    ("said", "written"),
    [
        (
            "to <GET http://me:hunter2@b.example/x> from <GET http://a.example/@y>",
            "to <GET http://b.example/x> from <GET http://a.example/@y>",
        ),
        ("proxy https://me:hu@nter2@proxy.example:8080 fails", "proxy https://proxy.example:8080 fails"),
        ("http://a.example/?to=me@b.example, me@c.example", "http://a.example/?to=me@b.example, me@c.example"),
    ],
)
def test_logs_hold_no_credentials_of_urls(said: str, written: str) -> None:
    record = logging.LogRecord("scrapy", logging.DEBUG, "", 0, "%s", (said,), None)
    assert PlainLines(logging.Formatter()).format(record) == written


def test_markup_in_a_line_of_progress_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    line = ProgressLine(0)
    line._due = 0
    line.show(lambda: "reading [red]x[/red] \\[bold]y \x1b]52;c;evil\x07")
    line.close()
    assert "[red]x[/red]" in stream.getvalue() and "[bold]y" in stream.getvalue()
    assert "\x1b]52" not in stream.getvalue()
