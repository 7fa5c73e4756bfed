"""The examples of a topic: its description and its example files are on topic."""

from __future__ import annotations

from collections.abc import Iterator

from focused.page.page import Page
from focused.page.reader import Reader
from focused.papers.training.examples import RELEVANT, Document
from focused.topic.topic import Topic

PLACE = "http://topic.invalid/"  #: such URLs name what has no place in the Web (RFC 2606)


def topic_documents(topic: Topic, reader: Reader) -> Iterator[Document]:
    """What a topic says it is about. An example that is given by its URL is not fetched: it is left out."""
    texts = [("description", topic.description.encode(), "text/plain; charset=utf-8")]
    texts += [(example.source, example.body, "") for example in topic.examples if example.body is not None]
    for number, (_, body, content_type) in enumerate(texts):
        page = reader.read(f"{PLACE}{number}", body, content_type)
        if isinstance(page, Page) and page.terms:
            yield Document(page, RELEVANT)
