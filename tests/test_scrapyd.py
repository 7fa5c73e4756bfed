"""A real scrapyd on loopback: scrapyd-deploy sends it the project, and its jobs crawl the demo web."""

import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

import pytest

from focused import strategies
from focused.simulation.demo_web import DemoWeb
from focused.simulation.proxy import serving
from focused.simulation.recorded_web import Answer
from focused.topic.topic_file import load_topic

ROOT = Path(__file__).parents[1]
#: All that an egg is made of; copied, so that no build touches the checkout.
SOURCES = ("focused", "models", "LICENSE", "README.md", "pyproject.toml", "requirements.txt", "scrapy.cfg", "setup.py")
SEED, *OTHER_SEEDS = load_topic("demo", strategies).seeds
VERSION = "1"
PATIENCE = 90.0  #: seconds; what takes longer fails the test, as does its own timeout
CONFIG = """\
[scrapyd]
http_port = {port}
poll_interval = 0.1
max_proc = 4
jobs_dir = jobs
"""
WIND = f"""\
[topic]
keywords = ["wind"]
seeds = ["{SEED}"]
seeds_file = "wind/seeds.txt"
[budget]
pages = 5
[settings]
DOWNLOAD_DELAY = 0
"""
FAST = ("FOCUSED_COMMIT_SECONDS=0.2", "REMOTE_CONTROL_ENABLED=0")
direct = build_opener(ProxyHandler({}))


class WatchedWeb(DemoWeb):
    """The demo web, which says when a job has begun to crawl: when it asks for a URL with ``?job=JOB``."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: defaultdict[str, threading.Event] = defaultdict(threading.Event)

    def answer(self, url: str) -> Answer | None:
        self.begun[url.partition("?job=")[2]].set()
        return super().answer(url)


@dataclass(slots=True)
class Scrapyd:
    """A running scrapyd; the working directory of its jobs is ``folder``."""

    folder: Path
    port: int
    process: subprocess.Popen[str]
    web: WatchedWeb
    log: list[str] = field(default_factory=list)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """The first line of scrapyd's own log that matches."""
        assert self.process.stdout is not None
        seen = 0
        while True:
            if seen == len(self.log):
                self.log.append(self.process.stdout.readline())
            line, seen = self.log[seen], seen + 1
            assert line, f"scrapyd ended before it wrote {pattern!r}:\n{''.join(self.log)}"
            if match := re.search(pattern, line):
                return match

    def call(self, path: str, **fields: Any) -> dict[str, Any]:
        """Ask the JSON API; fields are posted."""
        data = urlencode(fields, doseq=True).encode() if fields else None
        with direct.open(f"http://127.0.0.1:{self.port}/{path}", data, timeout=PATIENCE) as answer:
            values: dict[str, Any] = json.load(answer)
        assert values["status"] == "ok", values
        return values

    def schedule(self, job: str, *settings: str, **arguments: str) -> None:
        """Start a job of the topical spider; ``topic__name`` is its argument topic.name."""
        given = {name.replace("__", "."): value for name, value in arguments.items()}
        wanted = [f"FOCUSED_DATA_DIR={self.folder / 'data'}", *FAST, *settings]
        self.call("schedule.json", project="focused", spider="topical", jobid=job, setting=wanted, **given)

    def start(self, job: str, *settings: str, **arguments: str) -> None:
        """Start a job and wait until it crawls."""
        self.schedule(job, *settings, seeds=",".join((f"{SEED}?job={job}", SEED, *OTHER_SEEDS)), **arguments)
        assert self.web.begun[job].wait(PATIENCE)

    def end_of(self, job: str) -> str:
        """Wait for a job and say how it ended."""
        return self.wait_for(rf"Process (finished|died: \S+).* job='{job}'")[1]

    def running(self) -> list[str]:
        return [job["id"] for job in self.call("listjobs.json?project=focused")["running"]]

    def log_of(self, job: str) -> str:
        return (self.folder / "logs" / "focused" / "topical" / f"{job}.log").read_text()

    def rows(self, topic: str, query: str) -> list[Any]:
        """What a collection answers to a query of one column."""
        db = sqlite3.connect(self.folder / "data" / topic / "crawl.db")
        try:
            return [row[0] for row in db.execute(query)]
        finally:
            db.close()

    def fetched(self, topic: str) -> list[str]:
        return self.rows(topic, "SELECT final_url FROM history WHERE outcome = 'page' ORDER BY seq")


def environment(**more: str) -> dict[str, str]:
    """That of this process, without what would lead scrapyd elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not re.search(r"(?i)_proxy$|^SCRAPY|^PYTHON", name)}
    return kept | more


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    """A scrapyd without a project."""
    folder = tmp_path_factory.mktemp("scrapyd")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "scrapyd.conf").write_text(CONFIG.format(port=port))
    web = WatchedWeb()
    with serving(web) as proxy:
        url = f"http://127.0.0.1:{proxy.port}"
        env = environment(HOME=str(folder), http_proxy=url, https_proxy=url, PYTHON_EGG_CACHE=str(folder / "unpacked"))
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"],
            cwd=folder,
            env=env,
            text=True,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            scrapyd = Scrapyd(folder, port, process, web)
            scrapyd.wait_for("Site starting on")
            yield scrapyd
        finally:
            os.killpg(process.pid, 9)  # with its jobs
            process.communicate()


@pytest.fixture(scope="module")
def scrapyd(server: Scrapyd, tmp_path_factory: pytest.TempPathFactory) -> Scrapyd:
    """A scrapyd that scrapyd-deploy sent this project to, with a topic and a model more."""
    project = tmp_path_factory.mktemp("a project")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, project)
    config = project / "scrapy.cfg"
    config.write_text(config.read_text().replace("localhost:6800", f"127.0.0.1:{server.port}"))
    (project / "models" / "wind.json").write_text('{"trained": true}')
    (project / "models" / "wind.npz").write_bytes(b"PK")
    topics = project / "focused" / "topics"
    (topics / "wind.toml").write_text(WIND)
    (topics / "wind").mkdir()
    (topics / "wind" / "seeds.txt").write_text("\n".join(OTHER_SEEDS))
    deploy = [sys.executable, "-m", "scrapyd_client.deploy", "--version", VERSION]
    ended = subprocess.run(deploy, cwd=project, env=environment(), text=True, capture_output=True, timeout=PATIENCE)
    assert '"status": "ok"' in ended.stdout, ended.stdout + ended.stderr
    return server


@pytest.fixture(scope="module")
def endless(scrapyd: Scrapyd) -> str:
    """A job that crawls into the collection of the same name for longer than the tests take."""
    scrapyd.start("endless", "DOWNLOAD_DELAY=1", topic="demo", topic__name="endless", pages="0")
    return "endless"


def test_scrapyd_finds_the_spider_in_the_egg(scrapyd: Scrapyd) -> None:
    assert scrapyd.call("listspiders.json?project=focused")["spiders"] == ["topical"]


def test_the_egg_carries_topics_with_their_files_and_models_and_gives_them_zipped(scrapyd: Scrapyd) -> None:
    egg = scrapyd.folder / "eggs" / "focused" / f"{VERSION}.egg"
    assert zipfile.is_zipfile(egg)
    look = """
import json, sys
from importlib.resources import files
sys.path.insert(0, sys.argv[1])
import focused
from focused import strategies
from focused.topic.topic_file import load_topic, topic_files
models = files("focused") / "models"
json.dump({"from": focused.__file__, "topics": list(topic_files()), "seeds": load_topic("wind", strategies).seeds,
           "model": json.loads((models / "wind.json").read_text()), "bytes": (models / "wind.npz").read_bytes().hex()},
          sys.stdout)
"""
    command, folder = [sys.executable, "-c", look, str(egg)], scrapyd.folder
    found = subprocess.check_output(command, cwd=folder, env=environment(), timeout=PATIENCE)
    assert json.loads(found) == {
        "from": str(egg / "focused" / "__init__.py"),
        "topics": sorted([*(file.stem for file in (ROOT / "focused" / "topics").glob("*.toml")), "wind"]),
        "seeds": [SEED, *OTHER_SEEDS],
        "model": {"trained": True},
        "bytes": "504b",
    }


def test_a_job_crawls_and_the_next_one_goes_on_where_it_ended(scrapyd: Scrapyd) -> None:
    scrapyd.schedule("first", topic="demo", strategy="best_first", pages="20")
    assert scrapyd.end_of("first") == "finished"
    first = scrapyd.fetched("demo")
    assert len(set(first)) == 20

    scrapyd.schedule("second", topic="demo", strategy="best_first", pages="50")
    assert scrapyd.end_of("second") == "finished"
    both = scrapyd.fetched("demo")
    assert (len(set(both)), both[:20]) == (50, first)
    assert "Going on with demo" in scrapyd.log_of("second")
    budgets = ["page budget reached: 20 of 20 pages", "page budget reached: 50 of 50 pages"]
    assert scrapyd.rows("demo", "SELECT reason FROM runs ORDER BY id") == budgets
    assert scrapyd.rows("demo", "SELECT strategy FROM runs") == ["best_first", "best_first"]


def test_state_lies_under_the_data_folder_and_not_under_the_job(scrapyd: Scrapyd) -> None:
    scrapyd.schedule("placed", topic="wind", topic__name="placed")
    assert scrapyd.end_of("placed") == "finished"
    assert len(scrapyd.fetched("placed")) == 5
    assert (scrapyd.folder / "jobs" / "focused" / "topical" / "placed").is_dir()
    found = [path.parent for path in scrapyd.folder.rglob("crawl.db")]
    assert scrapyd.folder / "data" / "placed" in found
    assert {path.parent for path in found} == {scrapyd.folder / "data"}


def test_topics_are_crawled_side_by_side(scrapyd: Scrapyd, endless: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(WIND.replace("wind/seeds.txt", "seeds.txt"))
    (tmp_path / "seeds.txt").write_text("\n".join(OTHER_SEEDS))
    scrapyd.schedule("own", f"FOCUSED_TOPICS_DIR={tmp_path}", topic="mine")
    assert scrapyd.end_of("own") == "finished"
    assert endless in scrapyd.running()
    assert len(scrapyd.fetched("mine")) == 5


def test_a_second_job_of_a_topic_that_is_running_ends_with_one_line_in_its_log(scrapyd: Scrapyd, endless: str) -> None:
    scrapyd.schedule("again", topic="demo", topic__name=endless)
    assert scrapyd.end_of("again") == "died: exitstatus=1"
    told = scrapyd.log_of("again")
    assert told.count("ERROR") == 1
    ours = rf"data/{endless}: another crawl of this topic is running \(process \d+\); wait until it ends or stop it\n$"
    assert re.search(ours, told)
    assert endless in scrapyd.running()


def test_a_job_with_a_mistake_says_so_in_its_log_and_where_it_looked_in_the_egg(scrapyd: Scrapyd) -> None:
    scrapyd.schedule("mistaken", topic="dmeo")
    assert scrapyd.end_of("mistaken") == "died: exitstatus=1"
    egg = f"eggs/focused/{VERSION}.egg/focused/topics"
    assert scrapyd.log_of("mistaken").endswith(f"ERROR: no topic 'dmeo'; did you mean demo? (looked in {egg})\n")
    assert not (scrapyd.folder / "unpacked").exists()


def test_a_cancelled_job_ends_in_order(scrapyd: Scrapyd, endless: str) -> None:
    """The last one: the others need it."""
    assert scrapyd.call("cancel.json", project="focused", job=endless)["prevstate"] == "running"
    assert scrapyd.end_of(endless) == "finished"
    (reason,) = scrapyd.rows(endless, "SELECT reason FROM runs")
    assert reason.startswith("stopped by a signal")
