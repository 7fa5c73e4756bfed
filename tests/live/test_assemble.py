"""What a topic gives to its crawl: keywords, examples, a description."""

from __future__ import annotations

import pytest

from focused.exceptions import TopicError
from focused.live.assemble import assemble
from focused.topic.topic import Example, Relevance
from tests.small_web import topic_of

PAGE = Example(source="sun.txt", body=b"Photovoltaic roofs")


def test_examples_are_files_and_a_description_is_none() -> None:
    topic = topic_of(description="Energy of the sun", examples=(PAGE, Example(source="http://a.example/")))
    world = assemble(topic)[1].world
    assert world.examples == [["photovolta", "roof"]]
    assert world.texts == [["energi", "sun"], ["photovolta", "roof"]]


@pytest.mark.parametrize(("description", "moves"), [("", False), ("football", True)])
def test_a_description_says_what_pages_are_relevant_where_the_model_is_centroid(description: str, moves: bool) -> None:
    topic = topic_of(description=description, relevance=Relevance(model="centroid"))
    reader, crawl = assemble(topic)
    page = reader.read("http://a.example/", b"football", "text/plain", "")
    assert (crawl.judge.model(page) > 0) == moves


@pytest.mark.parametrize("body", [b"", b"\x00\x01\xff", b"<html></html>"])
def test_an_example_without_words_is_a_mistake(body: bytes) -> None:
    with pytest.raises(TopicError, match=r"examples: no words are found in 'empty.html'; leave it out"):
        assemble(topic_of(examples=(Example(source="empty.html", body=body),)))
