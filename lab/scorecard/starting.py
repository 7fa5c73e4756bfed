"""What a command costs to start, against the same command in an empty project, in pairs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from focused.simulation.proxy.server import ADDRESS, serving
from lab.benchmarks.generated_web import GeneratedWeb
from lab.benchmarks.measured import RunError

PAIRS = 5
EMPTY = {
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
        pairs = {
            "list_ratio": (["list"], ["list"]),
            "help_ratio": (["--help"], ["--help"]),
            "crawl_ratio": (["crawl", "topical", *topical], ["crawl", "one", "-a", f"url={seed}"]),
        }
        found = {}
        for figure, (ours, theirs) in pairs.items():
            costs = [(cpu(ours, root, server.port), cpu(theirs, folder, server.port)) for _ in range(PAIRS)]
            found[figure] = min(own for own, _ in costs) / min(other for _, other in costs)
    return found


def cpu(command: Sequence[str], folder: Path, port: int) -> float:
    """CPU seconds, user and system, of ``scrapy COMMAND`` in a folder."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment |= dict.fromkeys(("http_proxy", "https_proxy"), f"http://{ADDRESS}:{port}")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *command], cwd=folder, env=environment, capture_output=True, check=False
    )
    if done.returncode:
        raise RunError(f"scrapy {' '.join(command)}: exit code {done.returncode}\n{done.stderr.decode()[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
