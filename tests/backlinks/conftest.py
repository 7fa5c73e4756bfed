"""What the tests of several files share."""

from pathlib import Path

import pytest

from tests.commands.running import crawled


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with one finished crawl, which no test changes."""
    folder = tmp_path_factory.mktemp("data")
    crawled(folder / "test")
    return folder
