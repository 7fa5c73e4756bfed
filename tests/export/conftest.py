import shutil
from pathlib import Path

import pytest

from tests.commands.running import crawled


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with one crawl of forty pages; not to be changed."""
    folder = tmp_path_factory.mktemp("exporting")
    crawled(folder / "test")
    return folder


@pytest.fixture
def data(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(finished, tmp_path / "data")
    return tmp_path / "data"
