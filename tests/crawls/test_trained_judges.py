"""A trained model judges a crawl: what commands say of it, and what a crawl that goes on makes of another."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from focused.collection.trained_model import MODELS, save_model
from focused.exceptions import ModelError
from focused.live.session import Session
from focused.papers.models.taxonomy import Taxonomy
from focused.topic.topic import Relevance, Topic
from tests.crawls.crawling import end, rows, scrapy
from tests.small_web import SHORT_PAGES, crawl, topic_of, url_of
from tests.training.models import card_of

SUN, GAME = ["solar", "energi", "panel"], ["footbal", "cook", "match"]


def save(folder: Path, name: str, on_topic: list[str], other: list[str]) -> None:
    texts = [*[on_topic] * 6, *[other] * 6]
    made = Taxonomy.fit(texts, [("relevant",)] * 6 + [("other",)] * 6, [("relevant",)])
    save_model(folder / MODELS, card_of("classifier", name), made)


def judged_by(name: str) -> Topic:
    return topic_of(strategy="breadth_first", relevance=Relevance(model=name, threshold=0.6, also=SHORT_PAGES.also))


def relevant(folder: Path) -> set[str]:
    return {url for (url,) in rows(folder, "SELECT final_url FROM history WHERE relevant")}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A collection of twenty pages that a model of sunny words has judged."""
    save(tmp_path, "sun", SUN, GAME)
    save(tmp_path, "game", GAME, SUN)
    session = Session(judged_by("sun"), tmp_path / "test", models=tmp_path / MODELS)
    crawl(session, 20)
    session.close()
    return tmp_path


def test_a_crawl_that_goes_on_with_another_model_judges_all_anew_and_says_so(data, caplog):
    before = relevant(data)
    assert before
    with caplog.at_level(logging.INFO):
        Session(judged_by("game"), data / "test", models=data / MODELS).close()
    assert "[relevance] model" in caplog.text and "Rescoring all pages" in caplog.text
    assert relevant(data) and not relevant(data) & before


def test_a_model_trained_anew_under_its_name_judges_all_anew(data, caplog):
    before = relevant(data)
    save(data, "sun", GAME, SUN)
    with caplog.at_level(logging.INFO):
        Session(judged_by("sun"), data / "test", models=data / MODELS).close()
    assert "Rescoring all pages: the trained model changed" in caplog.text
    assert relevant(data) and not relevant(data) & before


def test_a_crawl_whose_model_is_gone_ends_in_a_line_and_is_left_as_it_was(data):
    before = relevant(data)
    for file in (data / MODELS).iterdir():
        file.unlink()
    with pytest.raises(ModelError, match=r"\[relevance\] model: .*sun") as refused:
        Session(judged_by("sun"), data / "test", models=data / MODELS)
    assert "\n" not in str(refused.value)
    assert relevant(data) == before
    for words in ("explain test " + url_of(0), "export test all.jsonl", "report test", "show test", "map test m.html"):
        ended = end(scrapy(*words.split(), folder=data, cwd=data))
        assert ended.plain, ended.log


def test_explain_parse_and_exports_name_the_model(data):
    url = min(relevant(data))
    told = end(scrapy("explain", "test", url, folder=data))
    assert (told.code, "relevant by model sun" in told.output) == (0, True), told.log
    page = data / "page.html"
    page.write_text("<title>Sun</title><p>solar energy panel</p>")
    given = ("-a", "keywords=solar", "-a", "relevance.model=sun")
    told = end(scrapy("parse", str(page), *given, folder=data))
    assert (told.code, "by the page model sun: " in told.output) == (0, True), told.log
    done = end(scrapy("export", "test", str(data / "all.jsonl"), folder=data))
    assert done.code == 0, done.log
    assert {json.loads(line)["model"] for line in (data / "all.jsonl").read_text().splitlines()} == {"sun"}
