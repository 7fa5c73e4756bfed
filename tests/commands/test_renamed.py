"""An old name of a command says the new one in our project, and takes no command from anybody else's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from focused.commands import RENAMED

ROOT = Path(__file__).parents[2]
OWN = """
from scrapy.commands import ScrapyCommand

from focused import commands  # as Scrapy does where the package is installed

class Command(ScrapyCommand):
    def short_desc(self):
        return "of this project"

    def run(self, args, opts):
        print("our own", len(commands.RENAMED))
"""


def scrapy(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "SCRAPY_SETTINGS_MODULE"}
    program = Path(sys.executable).with_name("scrapy")
    return subprocess.run(
        [program, name], cwd=folder, env=environment | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )


@pytest.mark.parametrize("name", ["audit", "watch"])
def test_an_old_name_says_the_new_one_in_a_line(name: str) -> None:
    ended = scrapy(name, ROOT)
    assert (ended.returncode, ended.stderr) == (1, f"scrapy {name} is now: scrapy {RENAMED[name]}\n")


def test_a_command_of_that_name_in_another_project_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "__init__.py").touch()
    (tmp_path / "mine" / "watch.py").write_text(OWN)
    (tmp_path / "mine" / "settings.py").write_text("BOT_NAME = 'mine'\nCOMMANDS_MODULE = 'mine'\n")
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = mine.settings\n")
    ended = scrapy("watch", tmp_path)
    assert (ended.returncode, ended.stdout) == (0, f"our own {len(RENAMED)}\n"), ended.stderr
