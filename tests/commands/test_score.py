"""`scrapy score`: how relevant a page is, and why; here of files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.commands.score import Command
from tests.commands.running import run_command

TOPIC = ("-a", "keywords=solar energy, wind")
PAGE = (
    "<title>Panels</title><p>Solar panels give solar energy to all of us; a panel lasts for many years on the roof of a house, "
    "without shade and with hardly any care. "
    "Rain washes the dust away twice a month, and snow slides down in winter.</p><a href=/more>more</a>"
)


def score(*arguments: str) -> int:
    return run_command(Command(), *arguments)


def test_it_says_how_relevant_a_page_is_and_which_words_make_it_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    assert score(str(tmp_path / "page.html"), *TOPIC) == 0
    title, verdict, *rest = capsys.readouterr().out.splitlines()
    assert title == "Panels"
    found = re.match(r"(0\.\d{3}) by the page model cosine: relevant \(threshold 0\.1; .* 1 links\)", verdict)
    assert found
    shares = dict(re.findall(r"^(solar|energi) +\d +(0\.\d+)$", "\n".join(rest), re.MULTILINE))
    assert sum(map(float, shares.values())) == pytest.approx(float(found[1]), abs=0.002)
    assert rest[-1] == "Not on the page: wind"


def test_it_says_of_a_page_that_hardly_says_anything_why_it_does_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.html").write_text("<title>Solar energy</title><p>Solar energy: coming soon.")
    assert score(str(tmp_path / "page.html"), *TOPIC) == 0
    _, verdict, kind, *_ = capsys.readouterr().out.splitlines()
    assert ": not relevant (threshold" in verdict
    assert kind == "stub: hardly a word of its own, so it does not count as relevant"
    assert score(str(tmp_path / "page.html"), *TOPIC, "-a", "relevance.also=stub,index") == 0
    _, verdict, kind, *_ = capsys.readouterr().out.splitlines()
    assert ": relevant (threshold" in verdict
    assert kind == "stub: hardly a word of its own"


def test_plain_text_is_read_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.txt").write_text("football")
    assert score(str(tmp_path / "page.txt"), *TOPIC) == 0
    assert "not relevant" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "told"), [("gone.html", "cannot be read: No such file"), ("ftp://a.example/", "not an http(s) URL")]
)
def test_what_is_no_page_is_told(capsys: pytest.CaptureFixture[str], name: str, told: str) -> None:
    assert score(name, *TOPIC) == 1
    assert told in capsys.readouterr().err


def test_one_page_is_needed() -> None:
    with pytest.raises(UsageError, match="give one URL or file"):
        score(*TOPIC)
