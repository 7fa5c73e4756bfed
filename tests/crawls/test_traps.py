"""A crawl among traps that is killed again and again stands where one stands that is told its journal from the start."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest

from focused import strategies
from focused.collection.collection import open_repository
from focused.collection.snapshot import decode
from focused.collection.store import Store
from focused.crawl.traps import BARREN
from focused.live.assemble import assemble, tell_what_is_asked
from focused.live.forms import Rereading
from focused.live.resume import replay, restore
from focused.page.page_kind import KINDS
from focused.simulation.proxy import serving
from focused.simulation.recorded_web import Answer
from focused.topic.topic_arguments import topic_from_arguments
from lab.webs.traps import TrapOptions, TrapWeb
from tests.crawls.crawling import column, crawl, end, reasons, rows, start

KILLS = 4
PAGES = 240
SETTINGS = ("FOCUSED_COMMIT_REQUESTS=10", "FOCUSED_COMMIT_SECONDS=60", "FOCUSED_SNAPSHOT_PAGES=15", "RETRY_TIMES=0")


class AskedWeb(TrapWeb):
    """A trap web that knows what it was asked for."""

    def __init__(self) -> None:
        super().__init__(TrapOptions(good=60, others=120))
        self.asked: list[str] = []

    def answer(self, url: str) -> Answer | None:
        self.asked.append(url)
        return super().answer(url)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with a collection as the last kill left it (cut) and as the crawl ended (whole), and the arguments of the crawl."""
    folder, web, random = tmp_path_factory.mktemp("killed") / "whole", AskedWeb(), Random(5)
    arguments = {
        "name": "test",
        "traps.on": "true",
        "pages": str(PAGES),
        "relevance.also": ",".join(KINDS),
        **web.topic,
    }
    given: dict[str, Any] = {name.replace(".", "__"): value for name, value in arguments.items()}
    given["seeds"] = arguments["seeds"].split(",")
    with serving(web, latency=0.01) as server:
        for kill in range(KILLS):
            process = start(server.port, folder, settings=SETTINGS, **given)
            wanted, deadline = len(web.asked) + random.randrange(30, 60), monotonic() + 60
            while process.poll() is None and monotonic() < deadline:
                if len(web.asked) >= wanted and (kill < KILLS - 1 or is_ahead(folder)):
                    break
                sleep(0.005)
            assert process.poll() is None, end(process).log
            process.kill()
            end(process)
        shutil.copytree(folder, folder.with_name("cut"))
        ended = crawl(server.port, folder, settings=SETTINGS, **given)
    assert (ended.code, ended.plain) == (0, True), ended.log
    return folder, arguments


def is_ahead(folder: Path) -> bool:
    """Whether the journal on disk goes on after the saved state."""
    (ahead,) = column(folder, "SELECT (SELECT max(seq) FROM fetches) > (SELECT max(seq) FROM snapshots)")
    return bool(ahead)


def told_again(folder: Path, arguments: dict[str, str], *, snapshot: bool) -> tuple[dict[str, Any], list[Any]]:
    """The state of a core that is told the journal, from its snapshot on or from the start; what came of each event."""
    topic = topic_from_arguments(arguments, strategies)
    reader, core = assemble(topic)
    tell_what_is_asked(core, topic)
    store = Store(folder / "test" / "crawl.db", read_only=True)
    repository = open_repository("warc", folder / "test" / "pages")
    outcomes: list[Any] = []
    if snapshot:
        restore(core, reader, store, repository)
    else:
        keys, hosts = store.url_keys()
        core.load(keys, hosts, [name for name, _ in store.hosts()])
        outcomes = list(replay(core, Rereading(core, reader, store, repository), store))
    store.close()
    return core.snapshot(), outcomes


@pytest.mark.slow
@pytest.mark.timeout(300)
class TestKilled:
    def test_it_was_killed_among_traps(self, killed) -> None:
        folder = killed[0]
        assert reasons(folder).count("cut off") == KILLS
        assert len(column(folder, "SELECT DISTINCT verdict FROM history WHERE verdict IS NOT NULL")) > 2
        assert column(folder, "SELECT count(*) FROM history WHERE outcome = 'probe'")[0] > 5
        assert BARREN in column(folder, "SELECT DISTINCT reason FROM drops")

    def test_what_is_read_after_a_kill_from_the_saved_state_on_is_what_the_whole_journal_gives(self, killed) -> None:
        folder, arguments = killed[0].with_name("cut"), killed[1]
        (saved,) = column(folder, "SELECT seq FROM snapshots")
        assert 0 < saved < column(folder, "SELECT max(seq) FROM fetches")[0]
        assert_same(*(told_again(folder, arguments, snapshot=snapshot)[0] for snapshot in (True, False)))

    def test_the_state_that_it_ends_with_is_that_of_its_journal(self, killed) -> None:
        folder, arguments = killed
        (saved,) = column(folder, "SELECT state FROM snapshots")
        assert_same(decode(saved), told_again(folder, arguments, snapshot=False)[0])

    def test_what_it_wrote_of_pages_and_drops_is_what_its_journal_says(self, killed) -> None:
        folder, arguments = killed
        pages, drops = {}, {}
        for outcome in told_again(folder, arguments, snapshot=False)[1]:
            if (came := outcome.arrival) is not None:
                pages[outcome.seq] = came.visit.verdict or None, came.visit.relevance, came.duplicate_of
            drops.update(outcome.drops)
        query = "SELECT seq, verdict, relevance, duplicate_of FROM fetches WHERE outcome = 'page'"
        assert {seq: tuple(values) for seq, *values in rows(folder, query)} == pages
        assert dict(rows(folder, "SELECT url, reason FROM drops")) == drops


def assert_same(state: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    """Two things may differ that decide nothing: which URLs were met that redirects only passed through, as no event names
    them, and the best score that a pick under way passed over, as one that is told again chooses nothing.
    """
    state, other = (
        {**one, "in_flight": [{**pick, "parts": list(pick["parts"]), "passed_over": None} for pick in one["in_flight"]]}
        for one in (state, other)
    )
    assert set(differences(state, other)) <= {"/urls/met"}


def differences(kept: Any, told: Any, where: str = "") -> Iterator[str]:
    """Places at which two states differ."""
    if isinstance(kept, Mapping) and isinstance(told, Mapping):
        for name in kept.keys() | {str(name) for name in told}:
            yield from differences(kept.get(name), told.get(name), f"{where}/{name}")
    elif isinstance(kept, np.ndarray) or isinstance(told, np.ndarray):
        if not np.array_equal(kept, told, equal_nan=np.asarray(kept).dtype.kind == "f"):
            yield where
    elif kept != told and not (isinstance(kept, list) and kept == [*map(_plain, told)]):
        yield where


def _plain(value: Any) -> Any:
    """As JSON gives it back."""
    return list(value) if isinstance(value, tuple) else value
