"""The line of progress: harvest with its interval, a warning when it has fallen, and what a person judged."""

import asyncio
import csv
import io
import logging
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from scrapy.settings import Settings

from focused.collection.collection import AUDIT
from focused.explain.progress import Progress
from focused.live.session import Session
from focused.topic.topic import Budget
from tests.small_web import crawl, topic_of


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = Session(topic_of(), tmp_path / "test")
    crawl(session, 20)
    session.commit()
    yield session
    session.close()


@pytest.fixture
def progress(session: Session) -> Progress:
    return asyncio.run(progress_of(session))


async def progress_of(session: Session) -> Progress:
    """To be made where an event loop runs, as in a crawl."""
    crawler = SimpleNamespace(settings=Settings({"FOCUSED_PROGRESS_SECONDS": 10.0}))
    return Progress(crawler, session, io.StringIO())  # type: ignore[arg-type]


def fetched(session: Session, relevant: bool, pages: int) -> None:
    for _ in range(pages):
        session.crawl.totals.count(1, relevant=relevant, verdict="")


def test_the_line_shows_the_last_pages_with_an_interval(progress: Progress, session: Session) -> None:
    fetched(session, False, 100)
    fetched(session, True, 100)
    assert "last 200 50% (" in progress.line()


@pytest.mark.parametrize(
    ("budget", "shown"),
    [
        (Budget(pages=0), ""),
        (Budget(pages=0, hours=2), " | about 2.0 h left"),
        (Budget(pages=10**9, hours=2), " | about 2.0 h left"),  # the pages would take longer
        (Budget(pages=0, hours=1e-9), " | about 0 s left"),  # a crawl that is over its time
    ],
)
def test_the_line_shows_how_long_the_budget_will_last(
    progress: Progress, session: Session, budget: Budget, shown: str
) -> None:
    session.crawl.topic = session.topic.model_copy(update={"budget": budget})
    fetched(session, True, 1)
    assert progress._left(progress._began[0] + 10.0) == shown


def test_a_fall_is_told_once(progress: Progress, session: Session, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    fetched(session, True, 400)
    progress.show()
    fetched(session, False, 200)
    progress.show()
    progress.show()
    (record,) = caplog.records
    assert record.getMessage().startswith("Harvest fell from 100% to ")
    assert record.getMessage().endswith("scrapy judge test --sample 100")


def test_a_run_that_goes_on_does_not_tell_what_was_told(session: Session, caplog: pytest.LogCaptureFixture) -> None:
    fetched(session, True, 400)
    fetched(session, False, 200)
    asyncio.run(progress_of(session)).show()
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_judgements_are_shown_as_soon_as_there_are_any(progress: Progress, session: Session) -> None:
    assert "judged" not in progress.line()
    pages = [
        row[0]
        for row in session.store.execute(
            "SELECT final_url FROM history WHERE duplicate_of IS NULL AND outcome = 'page'"
        )
    ]
    with (session.folder / AUDIT).open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("url", "relevant", "stratum", "stratum_pages"))
        rows.writerows((url, "yes", 1, len(pages)) for url in pages)
    assert f", judged 100% (100-100%) of the first {len(pages)} | " in progress.line()


def test_open_questions_about_backlinks_are_counted(progress: Progress, session: Session) -> None:
    assert "asked" not in progress.line()
    session.crawl.asking = {0: None, 7: None}
    assert ", 2 asked who links to them | " in progress.line()
