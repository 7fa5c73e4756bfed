"""Where examples come from: a topic, a folder of classes, an earlier crawl, a recorded web, files of labels."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from focused.exceptions import FocusedError, StorageError, TrainingError
from focused.live.session import Session
from focused.page.reader import Reader, ReadingOptions
from focused.papers.training.examples import OTHER, RELEVANT
from focused.papers.training.sources import (
    crawl_documents,
    folder_documents,
    link_outcomes,
    read_url_labels,
    reading_of,
    topic_documents,
    web_documents,
)
from focused.simulation.demo_web import DemoWeb
from focused.topic.topic import Example
from lab.webs.webkb import WebKB
from lab.webs.wikispeedia import Wikispeedia
from tests.small_topics import UNIVERSITIES, write_webkb
from tests.small_web import WEB, crawl, topic_of, url_of
from tests.small_wikispeedia import Entry, write_wikispeedia

READER = Reader(ReadingOptions())


class TestTopic:
    def test_its_description_and_its_example_files_are_relevant(self) -> None:
        examples = (
            Example(source="a.html", body=b"<title>Solar</title><p>panels"),
            Example(source="b.txt", body=b"photovoltaic modules"),
            Example(source="http://a.example/"),
        )
        found = list(topic_documents(topic_of(description="Energy of the sun", examples=examples), READER))
        assert [document.page.terms for document in found] == [
            ["energi", "sun"],
            ["solar", "panel"],
            ["photovolta", "modul"],
        ]
        assert {document.node for document in found} == {RELEVANT}
        assert len({document.page.url for document in found}) == 3

    def test_a_topic_that_says_nothing_of_itself_gives_nothing(self) -> None:
        assert list(topic_documents(topic_of(), READER)) == []


class TestFolder:
    def test_nested_folders_are_a_taxonomy(self, tmp_path: Path) -> None:
        names = "science/physics/atom.html", "science/a b.txt", "sport/goal.HTM", "sport/picture.png", "loose.txt"
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("<p>some words" if "txt" not in name else "some words")
        found = {document.page.url: document.node for document in folder_documents(tmp_path, READER)}
        assert sorted(found.values()) == [("science",), ("science", "physics"), ("sport",)]
        assert found["http://folder.invalid/science/a%20b.txt"] == ("science",)

    def test_a_folder_without_classes_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "loose.txt").write_text("words")
        with pytest.raises(TrainingError, match="make one subfolder for each class"):
            list(folder_documents(tmp_path, READER))
        with pytest.raises(TrainingError, match="no such folder"):
            list(folder_documents(tmp_path / "nowhere", READER))


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished crawl of the small web."""
    folder = tmp_path_factory.mktemp("data") / "sun"
    session = Session(topic_of(), folder)
    crawl(session)
    session.close()
    return folder


class TestEarlierCrawl:
    def test_its_pages_are_relevant_or_not_as_it_judged_them(self, collection: Path) -> None:
        found = list(crawl_documents(collection, READER))
        assert {document.page.url for document in found} == set(WEB)
        for document in found:
            about = "solar energy" in WEB[document.page.url]
            assert document.node == RELEVANT or not about
        assert {OTHER, RELEVANT} == {document.node for document in found}
        assert any(document.page.links for document in found)

    def test_labels_come_before_its_own_judgement(self, collection: Path, tmp_path: Path) -> None:
        labels = tmp_path / "labels.csv"
        labels.write_text(f"url,class\n{url_of(1)},sport/football\n{url_of(3)},energy\n")
        found = crawl_documents(collection, READER, read_url_labels(labels, READER.rules))
        assert {document.page.url: document.node for document in found} == {
            url_of(1): ("sport", "football"),
            url_of(3): ("energy",),
        }

    def test_it_says_how_it_read_pages(self, collection: Path) -> None:
        assert reading_of(collection) == ReadingOptions()

    def test_no_collection_and_an_empty_one_are_told(self, tmp_path: Path) -> None:
        with pytest.raises(StorageError, match="no such collection"):
            reading_of(tmp_path)
        Session(topic_of(), tmp_path / "empty").close()
        with pytest.raises(TrainingError, match="no page was fetched"):
            list(crawl_documents(tmp_path / "empty", READER))


class TestWhatLinksLedTo:
    def test_it_is_the_same_from_a_snapshot_and_from_the_stored_pages(self, tmp_path: Path) -> None:
        session = Session(topic_of(strategy="adaptive"), tmp_path / "sun")
        crawl(session)
        session.close()
        from_snapshot = link_outcomes(tmp_path / "sun")
        with closing(sqlite3.connect(tmp_path / "sun" / "crawl.db")) as store:
            assert store.execute("DELETE FROM snapshots").rowcount == 1
            store.commit()
        from_pages = link_outcomes(tmp_path / "sun")
        assert len(from_pages.links) > 30 and from_pages.relevance.max() > from_pages.relevance.min()
        for name in ("words", "links", "relevance"):
            np.testing.assert_array_equal(getattr(from_snapshot, name), getattr(from_pages, name))

    def test_adaptive_looks_at_a_crawl_by_another_strategy(self, tmp_path: Path) -> None:
        session = Session(topic_of(strategy="breadth_first"), tmp_path / "sun")
        pages = crawl(session)
        session.close()
        assert 30 < len(link_outcomes(tmp_path / "sun").links) <= len(pages)

    def test_a_crawl_without_pages_is_told(self, tmp_path: Path) -> None:
        Session(topic_of(), tmp_path / "empty").close()
        with pytest.raises(TrainingError, match="no page was fetched"):
            link_outcomes(tmp_path / "empty")


class TestRecordedWeb:
    def test_webkb_has_its_categories_of_all_universities_but_those_left_out(self, tmp_path: Path) -> None:
        web = WebKB(write_webkb(tmp_path))
        found = list(web_documents(web, READER, without=["cornell"]))
        assert Counter(name for document in found for name in document.node) == dict.fromkeys(
            ("course", "department", "faculty", "project", "student"), len(UNIVERSITIES) - 1
        )
        assert not any("cornell" in document.page.url for document in found)

    def test_wikispeedia_has_its_subjects(self, tmp_path: Path) -> None:
        entries = {
            "Atom": Entry("   Small.", ["subject.Science.Physics"], ["Goal"]),
            "Goal": Entry("   Ball.", ["subject.Sport"]),
            "None": Entry("   Nothing."),
        }
        found = list(web_documents(Wikispeedia(write_wikispeedia(tmp_path, entries)), READER))
        assert sorted(document.node for document in found) == [("Science", "Physics"), ("Sport",)]

    def test_any_web_may_have_a_file_of_labels(self, tmp_path: Path) -> None:
        url = next(iter(DemoWeb().urls()))
        labels = tmp_path / "labels.toml"
        labels.write_text(f'"start/here" = ["{url}"]\n')
        found = list(web_documents(DemoWeb(), READER, read_url_labels(labels, READER.rules)))
        assert [(document.page.url, document.node) for document in found] == [(url, ("start", "here"))]

    def test_what_has_no_classes_or_universities_is_told(self, tmp_path: Path) -> None:
        unclassified: Any = SimpleNamespace(urls=list)
        with pytest.raises(TrainingError, match="no classes of its own: give --labels"):
            list(web_documents(unclassified, READER))
        with pytest.raises(TrainingError, match="--without cornell: no part of this web: it has none"):
            list(web_documents(unclassified, READER, without=["cornell"]))
        with pytest.raises(TrainingError, match="--without oxford: no part of this web: cornell, texas"):
            list(web_documents(WebKB(write_webkb(tmp_path)), READER, without=["oxford"]))


class TestLabels:
    def test_the_label_file_of_a_data_set_says_relevant_or_not(self, tmp_path: Path) -> None:
        file = tmp_path / "sun.labels.json"
        a, b, c, d = (f"http://{name}.example/" for name in "abcd")
        file.write_text(json.dumps({"topic": "sun", "targets": [a], "also": [b], "neutral": [c]}))
        label = read_url_labels(file, READER.rules)
        assert [label(url) for url in (a, b, c, d)] == [RELEVANT, RELEVANT, None, OTHER]

    def test_urls_are_made_canonical(self, tmp_path: Path) -> None:
        file = tmp_path / "sun.csv"
        file.write_text("HTTP://A.example:80/x#y , sun\n\n")
        assert read_url_labels(file, READER.rules)("http://a.example/x") == ("sun",)

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("a.csv", "http://a.example/\n", "line 1 has 1 columns"),
            ("a.csv", "http://a.example/, \n", "the class is empty"),
            ("a.csv", "url,class\nnothing,sun\n", "'nothing' is not an http"),
            ("a.csv", "", "holds no label"),
            ("a.toml", "sun = 5", "sun must be a list of URLs"),
            ("a.toml", "sun = ", "not valid TOML"),
            ("a.txt", "", r"labels are read from \.csv, \.toml"),
            ("a.labels.json", "[]", "not a label file"),
        ],
    )
    def test_a_file_that_is_none_is_told_in_one_line(self, tmp_path: Path, name: str, text: str, message: str) -> None:
        (tmp_path / name).write_text(text)
        with pytest.raises(FocusedError, match=message) as told:
            read_url_labels(tmp_path / name, READER.rules)
        assert len(str(told.value).splitlines()) == 1

    def test_a_file_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(FocusedError, match="cannot be read: No such file"):
            read_url_labels(tmp_path / "a.csv", READER.rules)
