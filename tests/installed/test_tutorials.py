"""Each tutorial does what it says: its files are written and its commands run, in order, as a reader does.

Here are those that begin in a checkout, in `test_project` those that begin with the wheel.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed.conftest import ROOT
from tests.test_scrapyd import SOURCES

pytestmark = pytest.mark.timeout(600)
TUTORIALS = ROOT / "docs" / "tutorials"
#: A block of code; before one in Python stands where to save it.
BLOCK = re.compile(r"(?:`([\w./]+\.py)`[^`]*\n)?^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def script_of(tutorial: str) -> str:
    """All that a reader types after "Before you start", as one script."""
    text = (TUTORIALS / f"{tutorial}.md").read_text()
    steps = []
    for file, language, code in BLOCK.findall(text[text.index("\n## 1. ") :]):
        steps.append(f"cat > {file} <<'FILE'\n{code}FILE\n" if language == "python" else code)
    return "set -eux -o pipefail\n" + "".join(steps)


def run(script: str, folder: Path, programs: Path) -> str:
    """Run a script with the programs of an environment; what it prints and says."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SCRAPY", "FOCUSED"))}
    environment = kept | {"PATH": f"{programs}:{kept['PATH']}"}
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, timeout=120, check=False, **told)
    assert (done.returncode, "Traceback" in done.stdout) == (0, False), done.stdout
    return done.stdout


def shown(tutorial: str) -> list[str]:
    """The lines of output that a tutorial shows."""
    blocks = re.findall(r"^```text\n(.*?)^```$", (TUTORIALS / f"{tutorial}.md").read_text(), re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def assert_shown(tutorial: str, told: str) -> None:
    """A reader sees what the tutorial shows."""
    assert shown(tutorial)
    told_lines = re.sub(r"\d+", "0", told)  # figures depend a little on which answer arrives first
    assert [line for line in shown(tutorial) if re.sub(r"\d+", "0", line) not in told_lines] == [], told


def checkout(folder: Path) -> None:
    """What lies in a checkout, for the commands of a reader who works there."""
    for name in SOURCES:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, folder / name)


def test_every_tutorial_is_run() -> None:
    assert {path.stem for path in TUTORIALS.glob("*.md")} == {
        *("first-collection", "keywords-to-data-frame", "own-spider", "own-strategy")
    }


@pytest.mark.slow
def test_a_first_collection_in_a_checkout(tmp_path: Path) -> None:
    checkout(tmp_path)
    told = run(script_of("first-collection"), tmp_path, Path(sys.executable).parent)
    assert_shown("first-collection", told)
    assert "page budget reached: 120 of 120 pages" in told
    assert (tmp_path / "wind.png").stat().st_size > 10_000
    assert len((tmp_path / "wind.csv").read_text().splitlines()) > 40


@pytest.mark.slow
def test_from_keywords_to_a_data_frame(tmp_path: Path) -> None:
    checkout(tmp_path)
    told = run(script_of("keywords-to-data-frame"), tmp_path, Path(sys.executable).parent)
    assert_shown("keywords-to-data-frame", told)
    assert "page budget reached: 250 of 250 pages" in told
    assert re.search(r"^\d{2,3} pages, stars: 0$", told, re.MULTILINE)
