"""The wheel in a fresh environment, without any extra: a project of somebody's own crawls a topic with it.

Installing takes half a minute and needs the index of packages. All that needs it stands here: tests of a file run in one process,
and each process would install it anew.
"""

import json
import re
import socket
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from tests.installed.conftest import Fresh
from tests.installed.test_tutorials import assert_shown, run, script_of

MOST_MEGABYTES = 350  #: of the smallest installation, Scrapy and the tools of a virtual environment included
PAGES = 30

pytestmark = [pytest.mark.timeout(600), pytest.mark.slow]

#: What the project has besides: a middleware, a pipeline and an extension of its own, and a spider that crawls no topic.
OWN = """
from scrapy import Spider, signals
from focused.spiders.topical import TopicalSpider

class Counting:
    @classmethod
    def from_crawler(cls, crawler):
        own = cls()
        own.stats = crawler.stats
        return own

class Middleware(Counting):
    async def process_spider_output(self, response, result):
        self.stats.inc_value("own/answers")
        async for each in result:
            yield each

class Pipeline(Counting):
    def process_item(self, item):
        self.stats.inc_value("own/items")
        return item

class Extension:
    @classmethod
    def from_crawler(cls, crawler):
        crawler.signals.connect(lambda: crawler.stats.inc_value("own/opened"), signals.spider_opened, weak=False)
        return cls()

class Titles(TopicalSpider):
    name = "titles"

    def parse(self, response, **kwargs):
        yield {"title": response.meta["page"].title}

class Plain(Spider):
    name = "plain"
"""
SETTINGS = """
ADDONS = {"focused.Addon": 300}
SPIDER_MIDDLEWARES = {"mine.spiders.own.Middleware": 500}
ITEM_PIPELINES = {"mine.spiders.own.Pipeline": 300}
EXTENSIONS = {"mine.spiders.own.Extension": 500}
DOWNLOAD_DELAY = 0
STATS_DUMP = True
"""


@pytest.fixture(scope="module")
def project(fresh: Fresh) -> Path:
    """A project made by `scrapy startproject`, with components of its own."""
    assert fresh.run("scrapy", "startproject", "mine", "project").returncode == 0
    project = fresh.folder / "project"
    (project / "mine" / "spiders" / "own.py").write_text(OWN)
    with (project / "mine" / "settings.py").open("a") as settings:
        settings.write(SETTINGS)
    return project


def test_the_wheel_holds_the_package_and_no_laboratory(fresh: Fresh) -> None:
    with zipfile.ZipFile(fresh.wheel) as wheel:
        tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {re.sub(r"-.*\.", ".", top) for top in tops} == {"focused", "scrapy_focused.dist-info"}
    assert "No module named 'lab'" in fresh.run("python", "-c", "import lab").stderr


def test_the_smallest_installation_is_small(fresh: Fresh) -> None:
    sizes = [path.lstat().st_size for path in fresh.environment.rglob("*") if path.is_file() and not path.is_symlink()]
    print(f"{sum(sizes) / 1e6:.0f} MB")
    assert sum(sizes) / 1e6 < MOST_MEGABYTES


@pytest.mark.parametrize("spider", ["topical", "titles"])
def test_a_project_with_components_of_its_own_crawls_a_topic(fresh: Fresh, project: Path, spider: str) -> None:
    crawl = ("scrapy", "crawl", spider, "-a", "topic=demo", "-a", f"name={spider}", "-a", f"pages={PAGES}")
    no_probes = ("-a", "traps.soft_404=false")  # the middleware counts all answers
    done = fresh.run("scrapy", "serve-web", "demo", "--", *crawl, *no_probes, "-o", f"{spider}.jsonl", folder=project)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    stats = dict(re.findall(r"^ '([\w/]+)': (.*),$", done.stderr, re.MULTILINE))
    items = PAGES if spider == "topical" else 2 * PAGES
    assert [stats[f"own/{name}"] for name in ("opened", "answers", "items")] == ["1", str(PAGES), str(items)]
    assert len((project / f"{spider}.jsonl").read_text().splitlines()) == items
    with closing(sqlite3.connect(project / "data" / spider / "crawl.db")) as history:
        assert history.execute("SELECT count(*) FROM history WHERE outcome = 'page'").fetchone() == (PAGES,)
    assert list((project / "data" / spider / "pages").iterdir())


CONTRACT = """
from scrapy import Spider

class Checked(Spider):
    name = "checked"

    def parse(self, response):
        \"\"\"@url http://127.0.0.1:9/
        @returns items 1 1
        \"\"\"
"""


@pytest.mark.parametrize("line", ["", 'ADDONS = {"focused.Addon": 300}\n'])
def test_the_commands_of_scrapy_stay_its_own_in_any_project(fresh: Fresh, line: str) -> None:
    name = f"guest{len(line)}"
    assert fresh.run("scrapy", "startproject", name).returncode == 0
    guest = fresh.folder / name
    (guest / name / "spiders" / "checked.py").write_text(CONTRACT)
    with (guest / name / "settings.py").open("a") as settings:
        settings.write(f"ROBOTSTXT_OBEY = False\nRETRY_ENABLED = False\n{line}")
    checked = fresh.run("scrapy", "check", "checked", folder=guest)
    assert "[checked] parse" in checked.stderr + checked.stdout  # a contract was run, and failed: nothing listens there
    assert checked.returncode == 1
    assert fresh.run("scrapy", "list", folder=guest).stdout.split() == ["checked", *(["topical"] if line else [])]
    assert "--callback" in fresh.run("scrapy", "parse", "--help", folder=guest).stdout
    assert fresh.run("scrapy", "settings", "--get", "BOT_NAME", folder=guest).stdout.strip() == name
    assert "focused" not in fresh.run("scrapy", "bench", "--help", folder=guest).stdout


def test_other_spiders_are_left_alone(fresh: Fresh, project: Path) -> None:
    done = fresh.run("scrapy", "crawl", "plain", folder=project)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    assert "mine.spiders.own.Extension" in done.stderr  # Scrapy lists what is enabled
    assert set(re.findall(r"focused\.[\w.]+", done.stderr)) <= {
        "focused.Addon",
        "focused.addon.Addon",
        "focused.spiders",
    }


def test_the_commands_are_found_and_an_extra_that_is_missing_is_named(fresh: Fresh, project: Path) -> None:
    commands = set(re.findall(r"^  ([\w-]+) ", fresh.run("scrapy", folder=project).stdout, re.MULTILINE))
    assert commands >= {"compare", "explain", "judge", "report", "serve-web", "topics", "verify"}
    done = fresh.run("scrapy", "report", "topical", "--plot", "curve.png", folder=project)
    assert done.returncode != 0
    assert "pip install 'scrapy-focused[plots]" in done.stderr.splitlines()[-1], done.stderr


def test_a_crawl_there_says_what_it_did(fresh: Fresh, project: Path) -> None:
    (first, *_) = map(json.loads, (project / "topical.jsonl").read_text().splitlines())
    done = fresh.run("scrapy", "explain", first["url"], "-a", "topic=demo", "-a", "name=topical", folder=project)
    assert (done.returncode, "fetched as page 1" in done.stdout) == (0, True), done.stdout + done.stderr


def test_a_spider_of_ones_own_on_scrapyd(fresh: Fresh, tmp_path: Path) -> None:
    fresh.install("scrapyd", "scrapyd-client")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    script = script_of("own-spider").replace("6800", port)
    made = "mkdir ../server\n"
    assert made in script
    script = script.replace(made, f"{made}printf '[scrapyd]\\nhttp_port = {port}\\n' > ../server/scrapyd.conf\n")
    told = run(f"trap 'kill $(jobs -p) || true' EXIT\n{script}", tmp_path, fresh.environment / "bin")
    assert_shown("own-spider", told)
    assert told.count("page budget reached: 40 of 40 pages") == 2


def test_a_strategy_of_ones_own_is_compared(fresh: Fresh, tmp_path: Path) -> None:
    told = run(script_of("own-strategy"), tmp_path, fresh.environment / "bin")
    assert_shown("own-strategy", told)
