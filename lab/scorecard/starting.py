"""What a command costs to start, against the same command in an empty project, in pairs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from focused.simulation.proxy import ADDRESS, serving
from lab.benchmarks.generated_web import GeneratedWeb
from lab.benchmarks.measured import RunError

PAIRS = 5
#: What both crawls have beside their own: it says what CPU was used when the first request is sent, and ends the crawl.
FIRST_REQUEST = """
import os, sys, time
from scrapy import signals

class Addon:
    @classmethod
    def update_settings(cls, settings):
        settings["EXTENSIONS"]["first_request.FirstRequest"] = 0

class FirstRequest:
    @classmethod
    def from_crawler(cls, crawler):
        extension = cls()
        crawler.signals.connect(extension.tell, signals.request_reached_downloader)
        return extension

    def tell(self):
        print(time.process_time(), file=sys.stderr, flush=True)
        os._exit(0)
"""
EMPTY = {
    "first_request.py": FIRST_REQUEST,
    "scrapy.cfg": "[settings]\ndefault = empty.settings\n",
    "empty/__init__.py": "",
    "empty/settings.py": 'BOT_NAME = "empty"\nSPIDER_MODULES = ["empty.spiders"]\nROBOTSTXT_OBEY = True\n',
    "empty/spiders/__init__.py": "",
    "empty/spiders/one.py": (
        "import scrapy\n\n\nclass One(scrapy.Spider):\n"
        '    name = "one"\n\n    async def start(self):\n        yield scrapy.Request(self.url)\n\n'
        '    def parse(self, response):\n        yield {"url": response.url}\n'
    ),
}


def starting(root: Path) -> dict[str, float]:
    """Ratios of CPU, each of the least of several runs that take turns. Raises RunError where a command fails."""
    web = GeneratedWeb(1000, 1)
    with serving(web) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in EMPTY.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        seed = web.seeds[0]
        topical = ["-a", "keywords=solar", "-a", f"seeds={seed}", "-a", "pages=1", "-a", "name=one"]
        topical += ["-s", f"FOCUSED_DATA_DIR={folder / 'data'}", "-a", "fresh=true"]
        first = ["-s", 'ADDONS={"first_request.Addon": 1}']
        pairs = {
            "list_ratio": (["list"], ["list"]),
            "help_ratio": (["--help"], ["--help"]),
            "crawl_ratio": (["crawl", "topical", *topical, *first], ["crawl", "one", "-a", f"url={seed}", *first]),
        }
        found = {}
        for figure, (ours, theirs) in pairs.items():
            costs = [
                (cpu(ours, root, server.port, folder), cpu(theirs, folder, server.port, folder)) for _ in range(PAIRS)
            ]
            found[figure] = min(own for own, _ in costs) / min(other for _, other in costs)
    return found


def cpu(command: Sequence[str], cwd: Path, port: int, modules: Path) -> float:
    """CPU seconds, user and system, of ``scrapy COMMAND`` in a folder; of a crawl until its first request.

    modules : folder of `FIRST_REQUEST`
    """
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a person has what Python keeps of a module
    environment |= dict.fromkeys(("http_proxy", "https_proxy"), f"http://{ADDRESS}:{port}")
    environment["PYTHONPATH"] = str(modules)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RunError(f"scrapy {' '.join(command)}: exit code {done.returncode}\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if command[0] == "crawl":
        return float(done.stderr.split()[-1])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
