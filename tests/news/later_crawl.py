"""A crawl of the small web that ended ten days ago, and one of today that finds pages new, changed and gone."""

from pathlib import Path

from focused.live.session import Session
from focused.topic.topic import Topic
from tests.live.test_recrawl import fetch_later, fresh_topic, grown

TOPIC: Topic = fresh_topic()


def first_crawl(folder: Path) -> None:
    grown(folder, TOPIC)


def later_crawl(folder: Path) -> None:
    session = Session(TOPIC, folder)
    fetch_later(session)
    session.close()
