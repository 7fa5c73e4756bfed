"""The core works without each of the wings, and without all: a project whose copy of focused lacks one crawls and reports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from focused.wings import WINGS
from tests.crawls.mock_web import MockWeb, page, serving

ROOT = Path(__file__).parent.parent
URL = "http://a.example/"


def scrapy_without(
    wings: tuple[str, ...], folder: Path, *command: str, port: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command of a project whose copy of focused has none of these wings."""
    if not (folder / "focused").exists():
        left_out = shutil.ignore_patterns("__pycache__", "static", "templates")
        shutil.copytree(ROOT / "focused", folder / "focused", ignore=left_out)
        shutil.copy(ROOT / "scrapy.cfg", folder)
        for wing in wings:
            shutil.rmtree(folder / "focused" / wing)
    environment = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SCRAPY_SETTINGS_MODULE")
    }
    return subprocess.run(
        [sys.executable, "-c", "from scrapy.cmdline import execute; execute()", *command],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(folder), "http_proxy": f"http://127.0.0.1:{port}"},
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.mark.parametrize("wings", [*((wing,) for wing in WINGS), WINGS], ids=[*WINGS, "all"])
def test_without_a_wing_a_crawl_runs_and_reports(wings: tuple[str, ...], tmp_path: Path) -> None:
    with serving(MockWeb({URL: page("solar energy")})) as web:
        options = ("-a", "keywords=solar", "-a", f"seeds={URL}", "-a", "name=t", "-s", "DOWNLOAD_DELAY=0")
        crawl = scrapy_without(wings, tmp_path, "crawl", "topical", *options, port=web.port)
    assert crawl.returncode == 0, crawl.stderr[-2000:]
    report = scrapy_without(wings, tmp_path, "report", "t")
    assert report.returncode == 0, report.stderr[-2000:]
    assert "1 page" in report.stdout


def test_who_asks_for_what_a_missing_wing_brings_is_told(tmp_path: Path) -> None:
    told = scrapy_without(("seeds",), tmp_path, "crawl", "topical", "-a", "topic=heat pumps")
    assert told.returncode == 1
    assert "this installation of focused comes without its part 'seeds'" in told.stderr
    assert "Traceback" not in told.stderr
