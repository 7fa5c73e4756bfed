"""Crawls a scene with `scrapy crawl`, in a process of its own, as a person does; looks at the log of the server afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

from lab.benchmarks.measured import options
from lab.chaos.access_log import read_log
from lab.chaos.checker import REACHED, Finding, Promise, check
from lab.chaos.namespace import can_be_made, prepare, run_inside
from lab.chaos.outcome import Outcome
from lab.chaos.pulse import options_of_pulse, read_pulse
from lab.chaos.scene import Scenario, Scene
from lab.chaos.server import ADDRESS, ChaosServer, serving
from lab.chaos.sinks import watching

ROOT = Path(__file__).parents[2]
#: Seconds: on a busy machine the server notices one request so much later than the next that the gap seems shorter. Half the usual
#: delay: a crawl that keeps no delay is found, one whose bytes left late is not blamed.
SLACK = 0.2
NAME = "chaos"  #: of the collection
ACCESS_LOG, CRAWL_LOG, PULSE = "access.jsonl", "crawl.log", "pulse.csv"
FINDINGS = "findings.txt"
ARGUMENTS: dict[str, object] = {"name": NAME, "keywords": "solar energy,solar panel,inverter", "pages": 0}
SETTINGS: dict[str, object] = {
    "DOWNLOAD_TIMEOUT": 4,
    "DOWNLOAD_MAXSIZE": 2_000_000,
    "FOCUSED_COMMIT_SECONDS": 0.5,
    "FOCUSED_ROBOTS_RETRY_SECONDS": 0.5,  # a host whose robots.txt cannot be reached is given up soon
    "LOG_LEVEL": "INFO",
}


def lacking(scenario: Scenario) -> list[str]:
    """What this machine lacks for a scenario."""
    if "unshare" in scenario.needs and not can_be_made():
        return ["network namespaces"]
    return [name for name in scenario.needs if not (find_spec(name) or shutil.which(name))]


def run(scenario: Scenario, folder: Path) -> Outcome:
    """Build and crawl a scene; all that was written lies in ``folder``, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return run_inside(scenario.name, folder) if "unshare" in scenario.needs else run_here(scenario, folder)


def run_here(scenario: Scenario, folder: Path) -> Outcome:
    """The same in the network that we are in."""
    scene = scenario.build()
    scene.prepare(folder)
    start = monotonic()
    with ExitStack() as stack:
        if scene.names:
            prepare(scene.names, stack)
        sinks = stack.enter_context(watching())
        if scene.sinks:
            scene.sinks(sinks.port)
        server = stack.enter_context(serving(scene.web, folder / ACCESS_LOG, is_proxy=not scene.names))
        codes = [_crawl(scene, server, folder, kill) for kill in (*scene.kills, None)]
    outcome = Outcome(codes, (folder / CRAWL_LOG).read_text(errors="replace"), monotonic() - start, scene.inputs)
    outcome.good = scene.good
    outcome.read_collection(folder / NAME)
    pulse = read_pulse(folder / PULSE)
    outcome.block = max((sample.block for sample in pulse), default=0.0)
    outcome.memory = max((sample.peak for sample in pulse), default=0.0)
    outcome.asked = read_log(folder / ACCESS_LOG)
    outcome.findings = check(outcome.asked, promise_of(scene))
    outcome.findings += [Finding(REACHED, "this machine", arrived) for arrived in sinks.arrived]
    outcome.more += scene.more(outcome)
    lines = [f"{one.kind}: {one.text}\n" for one in outcome.findings] + [f"more: {text}\n" for text in outcome.more]
    (folder / FINDINGS).write_text("".join(lines))
    return outcome


def promise_of(scene: Scene) -> Promise:
    return Promise(
        slack=SLACK, delay=scene.delay, longest_wait=scene.longest_wait, secrets=scene.secrets, hosts=scene.web.rules
    )


def _crawl(scene: Scene, server: ChaosServer, folder: Path, kill: int | None) -> int | None:
    """Crawl until it ends, or is killed after ``kill`` more requests; the exit code, None where it took too long."""
    arguments = ARGUMENTS | {"seeds": ",".join(scene.seeds)} | dict(scene.arguments)
    settings = SETTINGS | {"DOWNLOAD_DELAY": scene.delay, "FOCUSED_DATA_DIR": folder} | options_of_pulse(folder / PULSE)
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    command = [sys.executable, "-m", "scrapy", "crawl", "topical", *options(settings | dict(scene.settings)), *words]
    with (folder / CRAWL_LOG).open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(0 if scene.names else server.port),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            if kill is not None:
                server.wait_for(len(server.asked) + kill, lambda: process.poll() is not None, scene.seconds)
                return _kill(process)
            return process.wait(scene.seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            return None
        finally:
            if process.poll() is None:  # such as after Ctrl-C
                _kill(process)


def environment(port: int) -> Mapping[str, str]:
    """Of a process that sees our server in place of the Web; without a proxy if its port is 0."""
    others = ("_proxy", "scrapy_settings_module")
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith(others)}
    proxies = dict.fromkeys(("http_proxy", "https_proxy"), f"http://{ADDRESS}:{port}") if port else {}
    return kept | proxies | {"PYTHONPATH": str(ROOT), "SCRAPY_PROJECT": "default"}


def _kill(process: subprocess.Popen[bytes]) -> int:
    """Kill a crawl and what it started, a browser for instance."""
    os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
