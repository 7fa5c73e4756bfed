"""A recorded web is read on all cores as one core reads it, and whoever ends it leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from focused.exceptions import WebError
from focused.page.reader import Reader, ReadingOptions
from focused.simulation import first_reading
from focused.simulation.analysed_web import AnalysedWeb, AnalysisCache
from focused.simulation.first_reading import read_all
from focused.simulation.recorded_web import Answer
from tests.crawls.crawling import wait_until
from tests.crawls.mock_web import page
from tests.simulation.simulated import SmallWeb

URLS = [f"http://a.example/{number}" for number in range(100)]
ANSWERS = {url: page(f"solar energy {url}", *URLS[:9]) for url in URLS}


class DyingReader(Reader):
    def read(self, *_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class SlowReader(Reader):
    def read(self, *_: Any) -> Any:
        Path(os.environ["BEGUN"]).touch()
        time.sleep(60)


class DamagedWeb(SmallWeb):
    def answer(self, url: str) -> Answer | None:
        if url == URLS[50]:
            raise WebError("damaged")
        return super().answer(url)


@pytest.fixture(autouse=True)
def every_web_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_reading, "FEW", 0)


def web_of(file: Path, kind: type[Reader] = Reader, web: type[SmallWeb] = SmallWeb) -> AnalysedWeb:
    reader = kind(ReadingOptions(), keep=["the sun"])
    return AnalysedWeb(web(ANSWERS), reader, AnalysisCache(file))


def rows(web: AnalysedWeb) -> dict[str, Any]:
    """All that is kept, once it is written."""
    assert web.cache
    web.cache.close()
    kept = AnalysisCache(web.cache.path)
    found = {key: kept.get(key) for key in sorted(kept.keys())}
    kept.close()
    return found


def test_two_processes_keep_what_one_keeps_and_say_how_far_they_are(tmp_path: Path) -> None:
    one, two = (web_of(tmp_path / f"{name}.sqlite", web=DamagedWeb) for name in ("one", "two"))
    for url in {*URLS} - {URLS[50]}:
        one.ask(url)
    two.ask(URLS[3])
    assert two.cache
    two.cache.save()
    told: list[tuple[int, int]] = []
    read_all(two, lambda done, total: told.append((done, total)), processes=2)
    assert told == [(32, 99), (64, 99), (96, 99), (99, 99)]
    with pytest.raises(WebError, match="damaged"):  # is left to who asks for it
        two.ask(URLS[50])
    found = rows(two)
    assert rows(one) == found
    assert {*URLS} - found.keys() == {URLS[50]}


def test_several_runs_may_read_into_one_cache(tmp_path: Path) -> None:
    one, two = web_of(tmp_path / "cache.sqlite"), web_of(tmp_path / "cache.sqlite")
    read_all(one, lambda *_: read_all(two, processes=2), processes=2)
    found = rows(two)
    assert rows(one) == found
    assert found.keys() == {*URLS}


def test_a_process_that_dies_is_told_in_one_line(tmp_path: Path) -> None:
    web = web_of(tmp_path / "cache.sqlite", DyingReader)
    with pytest.raises(WebError, match=r"^a process died .*LOKY_MAX_CPU_COUNT=1[^\n]*$"):
        read_all(web, processes=2)
    assert rows(web) == {}


def read_slowly(file: str) -> None:
    """What is interrupted below, as a command is (`focused.explain.command`)."""
    first_reading.FEW = 0
    web = web_of(Path(file), SlowReader)
    try:
        read_all(web, processes=2)
    except KeyboardInterrupt:
        raise SystemExit("Interrupted") from None


@pytest.mark.parametrize(
    "stop",
    [
        pytest.param(lambda process: os.killpg(process.pid, signal.SIGINT), id="Ctrl-C"),
        pytest.param(subprocess.Popen.kill, id="killed"),
    ],
)
def test_no_process_is_left_where_the_first_is_stopped_and_ctrl_c_gives_one_line(
    stop: Callable[[subprocess.Popen[str]], None], tmp_path: Path
) -> None:
    code = f"from tests.simulation.test_first_reading import read_slowly; read_slowly({str(tmp_path / 'a.sqlite')!r})"
    process = subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {code}"],
        env={**os.environ, "BEGUN": str(tmp_path / "begun")},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until((tmp_path / "begun").exists)
    stop(process)
    _, told = process.communicate(timeout=30)
    assert told == "Interrupted\n" or process.returncode == -signal.SIGKILL
    wait_until(lambda: not _is_alive(process.pid))


def _is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
