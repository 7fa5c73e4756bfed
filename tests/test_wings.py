"""The core works without each of the wings, and without all: a project whose focused lacks one crawls."""

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

#: Runs commands of Scrapy in one process, up to the first that fails.
PROGRAM = """
import sys
from scrapy.cmdline import execute
for command in "\\n".join(sys.argv[1:]).split("\\n--\\n"):
    try:
        execute(["scrapy", *command.split("\\n")])
    except SystemExit as end:
        if end.code:
            raise
"""


def scrapy_without(
    wings: tuple[str, ...], folder: Path, *commands: str, port: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run commands, with "--" between them, of a project whose focused has none of these wings."""
    (folder / "focused").mkdir()
    for path in (ROOT / "focused").iterdir():
        if path.name not in (*wings, "__pycache__"):
            (folder / "focused" / path.name).symlink_to(path)
    shutil.copy(ROOT / "scrapy.cfg", folder)
    kept = {name: value for name, value in os.environ.items() if name != "SCRAPY_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *commands],
        cwd=folder,
        env=kept | {"PYTHONPATH": str(folder), "http_proxy": f"http://127.0.0.1:{port}"},
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.mark.parametrize(
    "wings", [WINGS, *(pytest.param((wing,), marks=pytest.mark.slow) for wing in WINGS)], ids=["all", *WINGS]
)
def test_without_a_wing_a_crawl_runs_and_others_report(wings: tuple[str, ...], tmp_path: Path) -> None:
    with serving(MockWeb({URL: page("solar energy")})) as web:
        options = ("-a", "keywords=solar", "-a", f"seeds={URL}", "-a", "name=t", "-s", "DOWNLOAD_DELAY=0")
        report = () if "inspection" in wings else ("--", "report", "t")
        done = scrapy_without(wings, tmp_path, "crawl", "topical", *options, *report, port=web.port)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "fetched   1 pages" in done.stderr
    assert ("1 page" in done.stdout) == bool(report)


def test_who_asks_for_what_a_missing_wing_brings_is_told(tmp_path: Path) -> None:
    told = scrapy_without(("seeds",), tmp_path, "crawl", "topical", "-a", "topic=heat pumps")
    assert told.returncode == 1
    assert "this installation of focused comes without its part 'seeds'" in told.stderr
    assert "Traceback" not in told.stderr
