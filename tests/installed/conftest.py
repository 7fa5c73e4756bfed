"""The wheel in a fresh environment, with nothing else."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.test_scrapyd import SOURCES

ROOT = Path(__file__).parents[2]
QUIETLY = ("--quiet", "--disable-pip-version-check")


@dataclass(frozen=True, slots=True)
class Fresh:
    """A virtual environment with nothing but the wheel, not even pip, and a folder to work in."""

    wheel: Path
    environment: Path
    folder: Path

    def install(self, *packages: str) -> None:
        """Install with the pip of the tests. What is compiled is compiled where it is used: most of it never is."""
        pip = (sys.executable, "-m", "pip", "--python", str(self.environment / "bin" / "python"), "install")
        subprocess.run([*pip, *QUIETLY, "--no-compile", *packages], check=True, capture_output=True)

    def run(self, *command: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, with its output."""
        programs = self.environment / "bin"
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SCRAPY", "FOCUSED"))
        }
        return subprocess.run(
            command,
            cwd=folder or self.folder,
            env=kept | {"PATH": f"{programs}:{kept['PATH']}"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, source / name)
    build = ["wheel", *QUIETLY, "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)]
    subprocess.run([sys.executable, "-m", "pip", *build], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "environment"], check=True)
    fresh = Fresh(wheel, folder / "environment", folder)
    fresh.install(str(wheel))
    return fresh
