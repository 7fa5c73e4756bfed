"""The how-tos with a try on the demo web do what they say: their commands run as a reader types them, in a checkout.

What a reader does in a browser is done by `tests/dashboard/browser` and `tests/browsing`.
"""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.browsing.agent_process import free_port
from tests.crawls.crawling import ROOT, wait_until
from tests.installed.test_tutorials import checkout, run

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
PROGRAMS = Path(sys.executable).parent
HOW_TOS = ROOT / "docs" / "how-to"
BLOCK = re.compile(r"^( *)```sh\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def blocks(how_to: str) -> list[str]:
    """What a reader types, block by block."""
    text = (HOW_TOS / f"{how_to}.md").read_text()
    return [re.sub(rf"^{indent}", "", code, flags=re.MULTILINE) for indent, code in BLOCK.findall(text)]


def block(how_to: str, holding: str, at: int = 0) -> str:
    """The block that holds some words, or one of several."""
    return [code for code in blocks(how_to) if holding in code][at]


def instead(script: str, others: Mapping[str, str]) -> str:
    """A script with other words, all of which stand in it."""
    for word, other in others.items():
        assert word in script
        script = script.replace(word, other)
    return script


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout whose crawls do not wait between requests: they all go to this machine."""
    checkout(tmp_path)
    with (tmp_path / "focused" / "settings.py").open("a") as settings:
        settings.write("\nDOWNLOAD_DELAY = 0\n")
    return tmp_path


@contextmanager
def running(command: str, folder: Path) -> Iterator[list[str]]:
    """A command that runs until Ctrl-C, and the lines that it has printed up to the one that says how to end it."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SCRAPY"))}
    environment["PATH"] = f"{PROGRAMS}:{environment['PATH']}"
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        lines: list[str] = []
        try:
            for line in process.stdout:
                lines.append(line)
                if "Ctrl-C" in line:
                    break
            assert process.poll() is None, lines
            yield lines
            os.killpg(process.pid, signal.SIGINT)
            lines += process.stdout.readlines()
            assert process.wait(60) in (0, -signal.SIGINT, 130)
            assert "Traceback" not in "".join(lines), lines
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def test_ask_and_crawl(folder: Path) -> None:
    with running(block("look-at-a-crawl", "demo -- scrapy dashboard"), folder) as told:
        address = re.findall(r"http://127\.0\.0\.1:\d+", "".join(told))[-1]
        with urllib.request.urlopen(f"{address}/search?q=solar+energy+panels", timeout=60) as page:
            (token,) = set(re.findall(r'name="token" value="([^"]+)"', page.read().decode()))
        seeds = re.search(r"```text\n(.*?)```", (HOW_TOS / "look-at-a-crawl.md").read_text(), re.DOTALL)
        assert seeds is not None
        form = {"token": token, "q": "solar energy panels", "urls": seeds[1], "strategy": "info_spiders", "pages": "40"}
        with urllib.request.urlopen(f"{address}/crawl", urllib.parse.urlencode(form).encode(), timeout=60) as page:
            assert page.url.endswith("/c/solar-energy-panels/hits")
        crawled = folder / "data" / "solar-energy-panels"
        wait_until(lambda: asked(crawled, "SELECT 1 FROM runs WHERE reason LIKE 'page budget reached%'"))
    told_then = run(
        f"scrapy serve-web demo -- {block('look-at-a-crawl', 'solar-energy-panels.toml')}", folder, PROGRAMS
    )
    assert "page budget reached: 40 of 40 pages" in told_then


def test_map_a_site(folder: Path) -> None:
    run(block("look-at-a-crawl", "scrapy map forum"), folder, PROGRAMS)
    assert "panelforum.example/thread/" in (folder / "forum.html").read_text()
    hosts = "SELECT DISTINCT substr(final_url, 1, 26) FROM history WHERE outcome = 'page'"
    assert asked(folder / "data" / "forum", hosts) == [("http://panelforum.example/",)]


def test_find_companies(folder: Path) -> None:
    demo = {"a": "heliopedia", "b": "sunpower", "c": "panelforum"}
    others = {f"https://{name}.example/": f"http://{site}.example/" for name, site in demo.items()}
    others |= {
        "heat pump, ground source": "solar panel, solar energy",
        "scrapy crawl": "scrapy serve-web demo -- scrapy crawl",
    }
    run(instead(block("find-companies", "topics heat new"), others).strip() + " -a pages=150", folder, PROGRAMS)
    run(block("find-companies", "companies heat"), folder, PROGRAMS)
    first, *sites = (folder / "sites.csv").read_text().splitlines()
    assert "rating" in first
    assert len(sites) > 3
    assert not {line.partition(",")[0] for line in sites} & {f"{site}.example" for site in demo.values()}
    shown = run(block("find-companies", "--seeds"), folder, PROGRAMS)
    assert re.search(r"^sunpower\.example \* ", shown, re.MULTILINE)


def test_read_with_an_agent(folder: Path) -> None:
    new, agent = block("read-with-an-agent", "topics reading new").splitlines()
    run(new, folder, PROGRAMS)
    ports = {"8080": str(free_port()), "agent reading": f"agent reading --port {free_port()}"}
    with running(instead(agent, ports), folder) as told:
        found = re.search(r"Load the extension from (\S+) and enter this code there", "".join(told))
        assert found is not None, told
        assert (Path(found[1]) / "manifest.json").is_file()
    for option in block("read-with-an-agent", "--pair").splitlines():
        given = option.replace("9000", str(free_port())).replace("--pair", f"--pair --port {free_port()}")
        with running(given, folder) as told:
            assert "Reading along for reading" in told[-1]
    assert "page budget reached: 50 of 50 pages" in run(block("read-with-an-agent", "pages=50"), folder, PROGRAMS)


def test_watch_a_topic(folder: Path) -> None:
    first, later = (block("keep-it-fresh", "serve-web", at) for at in (0, 1))
    assert re.search(r"^demo: \d+ new pages$", run(f"{first}scrapy report demo --new", folder, PROGRAMS), re.MULTILINE)
    told = run(later, folder, PROGRAMS)
    shown = re.search(r"```text\n(demo: .*)\n", (HOW_TOS / "keep-it-fresh.md").read_text())
    assert shown is not None
    assert re.sub(r"\d+", "0", shown[1]) in re.sub(r"\d+", "0", told)
    assert re.search(r"^New\n  \S.*\n    https?://", told, re.MULTILINE)


def test_watch_a_topic_every_morning(folder: Path) -> None:
    """The lines for cron, with a mail program of our own."""
    programs = folder / "programs"
    programs.mkdir()
    (programs / "mail").write_text(f"#!/bin/sh\nprintf '%s|' \"$@\" > {folder}/mailed\ncat >> {folder}/mailed\n")
    (programs / "mail").chmod(0o755)
    crawl, watch = re.findall(r"^[\d* ]+ (cd .*)$", block("keep-it-fresh", "0 6 * * *"), re.MULTILINE)
    others = {"/home/me/project": str(folder), "solar": "demo"}
    crawl = instead(crawl, others | {"scrapy crawl": "scrapy serve-web demo -- scrapy crawl"})
    run(f"{crawl} -a pages=50\nPATH={programs}:$PATH\n{instead(watch, others)}", folder, PROGRAMS)
    mailed = (folder / "mailed").read_text()
    assert mailed.startswith("-s|Solar: news|me@example.org|demo: ")


def asked(collection: Path, query: str) -> list[tuple[object, ...]]:
    """What a collection answers to a query."""
    with closing(sqlite3.connect(f"file:{collection}/crawl.db?mode=ro", uri=True)) as db:
        return db.execute(query).fetchall()
