"""`scrapy parse`: how relevant a page is, and why; here of files."""

import re
from pathlib import Path

import pytest

from tests.crawls.crawling import Ended, end, scrapy

TOPIC = ("-a", "keywords=solar energy, wind")
PAGE = (
    "<title>Panels</title><p>Solar panels give solar energy to all of us; a panel lasts for many years on the roof of a house, "
    "without shade and with hardly any care. "
    "Rain washes the dust away twice a month, and snow slides down in winter. "
    "Nobody needs to climb up there with a broom or a hose, says the woman who put them up.</p><a href=/more>more</a>"
)


def parse(*arguments: str) -> Ended:
    return end(scrapy("parse", *arguments))


def test_it_says_how_relevant_a_page_is_and_which_words_make_it_so(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    ended = parse(str(tmp_path / "page.html"), *TOPIC)
    assert ended.code == 0
    title, verdict, *rest = ended.output.partition("\n\nItem")[0].splitlines()
    assert title == "Panels"
    found = re.match(r"(0\.\d{3}) by the page model cosine: relevant \(threshold 0\.1; .* 1 links\)", verdict)
    assert found
    shares = dict(re.findall(r"^(solar|energi) +\d +(0\.\d+)$", "\n".join(rest), re.MULTILINE))
    assert sum(map(float, shares.values())) == pytest.approx(float(found[1]), abs=0.002)
    assert rest[-1] == "Not on the page: wind"


def test_it_says_of_a_page_that_hardly_says_anything_why_it_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<title>Solar energy</title><p>Solar energy: coming soon.")
    _, verdict, kind, *_ = parse(str(tmp_path / "page.html"), *TOPIC).output.splitlines()
    assert ": not relevant (threshold" in verdict
    assert kind == "stub: hardly a word of its own, so it does not count as relevant"
    counted = parse(str(tmp_path / "page.html"), *TOPIC, "-a", "relevance.also=stub,index")
    _, verdict, kind, *_ = counted.output.splitlines()
    assert ": relevant (threshold" in verdict
    assert kind == "stub: hardly a word of its own"


def test_plain_text_is_read_as_such(tmp_path: Path) -> None:
    (tmp_path / "page.txt").write_text("football")
    assert "not relevant" in parse(str(tmp_path / "page.txt"), *TOPIC).output


@pytest.mark.parametrize(
    ("name", "told"), [("gone.html", "cannot be read: No such file"), ("ftp://a.example/", "not an http(s) URL")]
)
def test_what_is_no_page_is_told(name: str, told: str) -> None:
    ended = parse(name, *TOPIC)
    assert (ended.code, ended.log.count("\n")) == (1, 1)
    assert told in ended.log


def test_one_page_is_needed() -> None:
    ended = parse(*TOPIC)
    assert ended.code == 2
    assert "give one URL or file" in ended.output + ended.log
