"""The script of docs/how-to/get-results-out.md does what it says when cron runs it."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from focused.collection.collection import hold
from focused.export.writers import zstd
from tests.installed.test_tutorials import checkout, run
from tests.recipes import recipe

pytestmark = [pytest.mark.timeout(600), pytest.mark.slow]
PROGRAMS = Path(sys.executable).parent
TOPIC = """
rm focused/topics/solar.toml
scrapy topics solar new --keywords "solar panel, solar cell" --seed http://sunpower.example/
printf 'DOWNLOAD_DELAY = 0\\nCONCURRENT_REQUESTS = 1\\n' >> focused/topics/solar.toml
chmod +x weekly.sh
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with the script, which fetches fewer pages here, after two weeks."""
    folder = tmp_path_factory.mktemp("corpus")
    checkout(folder)
    script = recipe("sh", "#!/bin/sh")
    assert "ITEMCOUNT=5000" in script
    (folder / "weekly.sh").write_text(script.replace("ITEMCOUNT=5000", "ITEMCOUNT=30"))
    run(TOPIC + 2 * "scrapy serve-web demo -- ./weekly.sh\n", folder, PROGRAMS)
    return folder


def urls(part: Path) -> list[str]:
    with zstd.open(part, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["final_url"] for line in lines]


def test_each_week_adds_a_part_with_what_is_new(corpus: Path) -> None:
    parts = [urls(corpus / "corpus" / name) for name in ("solar.jsonl.zst", "solar.2.jsonl.zst")]
    assert min(map(len, parts)) > 10
    query = "SELECT final_url FROM history WHERE relevant ORDER BY seq"
    with closing(sqlite3.connect(corpus / "data" / "solar" / "crawl.db")) as db:
        assert [url for part in parts for url in part] == [url for (url,) in db.execute(query)]
    assert [path.suffix for path in (corpus / "log").iterdir()] == [".log"]


def test_a_run_while_another_one_goes_on_says_so_and_changes_nothing(corpus: Path) -> None:
    before = sorted((corpus / "corpus").iterdir())
    with closing(hold(corpus / "data" / "solar")):
        told = run("! scrapy serve-web demo -- ./weekly.sh", corpus, PROGRAMS)
    assert "another crawl of this topic is running" in told
    assert sorted((corpus / "corpus").iterdir()) == before
