"""The documentation is true: whatever can be set, run, queried or exported is described, and nothing else is."""

import dataclasses
import json
import pkgutil
import re
import shlex
import sqlite3
import tomllib
from ast import literal_eval
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel
from pydantic_core import to_jsonable_python
from scrapy import Request
from scrapy.cmdline import execute
from scrapy.http import HtmlResponse
from scrapy.settings import default_settings

import focused
import focused.commands
import focused.settings
from focused import strategies
from focused.collection.desk import bring_up_to_date
from focused.collection.migrations import migrate
from focused.crawl.strategy import Strategy, StrategyOptions, Visit
from focused.crawl.world import World
from focused.explain.command import FocusedCommand
from focused.export.commands.export import Command as Export
from focused.export.formats import FORMATS
from focused.export.row import FIELDS
from focused.extensions import SENTENCES
from focused.inspection.commands.report import Command as Report
from focused.items import PageFields
from focused.live.reasons import WORDS
from focused.page.page import Page
from focused.page.reader import Reader, ReadingOptions
from focused.page.urls import TRACKING_PARAMETERS
from focused.papers.commands.taxonomy import VERBS
from focused.papers.taxonomies.taxonomy_store import SCHEMA
from focused.spiders.topical import RUN_ARGUMENTS, TopicalSpider
from focused.strategies import get_strategy, names
from focused.topic.mistakes import Mistakes
from focused.topic.topic import TABLE_MODELS
from focused.topic.topic_arguments import SHORT
from focused.topic.topic_tables import TABLES, build_topic
from lab.experiment.experiment import TABLES as EXPERIMENT_TABLES
from lab.experiment.experiment import experiment_of
from lab.reference import PAGES, made
from tests.commands.running import parser_of

ROOT = Path(__file__).parent.parent
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text()
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("lab/notes/*.md"))
}
COMMANDS = sorted(module.name for module in pkgutil.iter_modules(focused.commands.__path__))
OF_LAB = sorted(module.name for module in pkgutil.iter_modules([str(ROOT / "lab" / "commands")]))
GONE = "lab/notes/gone.md"  #: names what the history alone has
SOURCE = "\n".join(path.read_text() for path in (ROOT / "focused").rglob("*.py"))
#: The stats that are named in the code; of failures and drops there are as many as kinds.
STATS = {
    *re.findall(r'"((?:focused|scheduler)/[\w/]+)"', SOURCE),
    *(f"focused/{counted}/KIND" for counted in ("failures", "drops", "unstored", "revisits")),
}
SAME_COLUMNS = "has the columns of [history]"  #: says a view of which no more need be explained
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def section(document: str, heading: str) -> str:
    """The text under a heading, up to the next one of any level."""
    level = re.escape(heading)
    found = re.search(rf"^#+ {level}\n(.*?)(?=^#+ |\Z)", without_code(DOCUMENTS[document]), re.MULTILINE | re.DOTALL)
    assert found, f"{document} has no heading {heading!r}"
    return found[1]


def without_code(text: str) -> str:
    return FENCE.sub("", text)


def rows(text: str, header: str) -> list[list[str]]:
    """Cells of the table whose first column has this header; none where there is no such table."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith(f"| {header} |"):
            next(lines)
            break
    table = []
    for line in lines:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return table


def words(cell: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def listed(text: str) -> list[str]:
    """What a list explains: the words between backticks at the beginning of its items, up to the colon or a bracket."""
    heads = re.findall(r"^- ((?:`[^`]+`(?:, )?)+)", text, re.MULTILINE)
    return [word for head in heads for word in words(head)]


def first_column(text: str, header: str) -> list[str]:
    return [word for row in rows(text, header) for word in words(row[0])]


def blocks(language: str) -> list[Any]:
    """All blocks of code in one language, by place."""
    return [
        pytest.param(block[2], id=f"{document}-{text.count(chr(10), 0, block.start()) + 1}")
        for document, text in DOCUMENTS.items()
        for block in FENCE.finditer(text)
        if block[1] == language
    ]


def defaults(model: type[BaseModel]) -> dict[str, Any]:
    fields = model.model_fields.items()
    return {key: to_jsonable_python(field.get_default(call_default_factory=True)) for key, field in fields}


class TestTopics:
    def test_every_table_has_a_section(self) -> None:
        headings = re.findall(r"^## \[(\w+)\]$", DOCUMENTS["docs/reference/topics.md"], re.MULTILINE)
        assert headings == list(TABLES)

    def test_every_key_is_told(self) -> None:
        told = re.findall(r"<!--made:table:(\w+)-->", DOCUMENTS["docs/reference/topics.md"])
        assert sorted(told) == sorted([*TABLE_MODELS, "strategy"])

    def test_every_parameter_that_is_stripped_is_listed(self) -> None:
        assert words(section("docs/reference/topics.md", "Stripped parameters")) == list(TRACKING_PARAMETERS)

    def test_every_argument_is_explained(self) -> None:
        described = listed(section("docs/reference/topics.md", "Arguments"))
        public = [name for name in RUN_ARGUMENTS if not name.startswith("_")]
        assert sorted(described) == sorted([*SHORT, *public, "topic", "name", "topic.name", "TABLE.KEY"])

    @pytest.mark.parametrize("text", blocks("toml"))
    def test_every_example_of_a_topic_or_an_experiment_is_valid(self, text: str) -> None:
        tables = tomllib.loads(text)
        if "experiment" in tables:
            experiment_of(tables)
            return
        needed = {"keywords": ["any"], "seeds": ["https://any.example/"]}
        topic = build_topic(
            "example", tables | {"topic": needed | tables.get("topic", {})}, strategies, Mistakes("example")
        )
        assert topic.name == "example"


class TestExperiments:
    @pytest.mark.parametrize("table", EXPERIMENT_TABLES)
    def test_every_key_is_explained_with_its_default(self, table: str) -> None:
        text = section("lab/notes/evaluation.md", "The experiment file")
        described = {words(row[0])[0]: words(row[1]) for row in rows(text, f"key of [{table}]")}
        fields = EXPERIMENT_TABLES[table].model_fields.items()
        expected = {
            key: [] if field.is_required() else [to_jsonable_python(field.get_default())] for key, field in fields
        }
        assert {key: [json.loads(value) for value in default] for key, default in described.items()} == expected


class TestStrategies:
    def test_every_strategy_has_a_section_and_a_place_in_the_list(self) -> None:
        text = DOCUMENTS["docs/reference/strategies.md"]
        assert sorted(re.findall(r"^## (\w+)\n\n<!--made:strategy:\1-->$", text, re.MULTILINE)) == names()
        assert sorted(re.findall(r"\[(\w+)\]\(#\1\)", text.partition("\n## ")[0])) == names()

    @pytest.mark.parametrize("name", names())
    def test_every_part_and_option_is_told(self, name: str) -> None:
        strategy, text = get_strategy(name), section("docs/reference/strategies.md", name)
        assert "\nSource: " in text
        assert {*strategy.parts, *strategy.Options.model_fields} - {*StrategyOptions.model_fields} <= {*words(text)}


SETTINGS = {name: value for name, value in vars(focused.settings).items() if name.isupper()}


class TestSettings:
    def test_every_setting_is_told(self) -> None:
        assert {*listed(DOCUMENTS["docs/reference/settings.md"])} >= SETTINGS.keys()

    def test_every_extension_is_explained_with_its_order(self) -> None:
        told = re.findall(r"^- `([\w.]+)` \((\w+)\)", section("docs/reference/settings.md", "Extensions"), re.MULTILINE)
        assert {name: literal_eval(order) for name, order in told} == focused.settings.EXTENSIONS

    def test_every_setting_that_is_mentioned_exists(self) -> None:
        known = {*SETTINGS, *vars(default_settings), "NAME"}
        text = "\n".join(DOCUMENTS.values())
        mentioned = {*re.findall(r"-s ([A-Z_]+)=", text), *re.findall(r"`(FOCUSED_[A-Z_]+)", text)}
        assert mentioned - known == set()


class TestCommands:
    def test_every_command_is_listed(self) -> None:
        assert sorted(listed(DOCUMENTS["docs/reference/commands.md"])) == [
            *(f"python -m lab {name}" for name in OF_LAB),
            *(f"scrapy {name}" for name in COMMANDS),
        ]

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_command_explains_itself_with_an_example_on_a_terminal_of_any_width(
        self, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "focused.settings")
        shown = []
        for columns in ("80", "10000"):
            monkeypatch.setenv("COLUMNS", columns)
            with pytest.raises(SystemExit) as end:
                execute(["scrapy", name, "--help"])
            assert end.value.code == 0
            shown.append(capsys.readouterr().out)
        narrow, wide = ("".join(text.split()) for text in shown)
        assert narrow == wide
        usage, _, rest = shown[0].partition(f"scrapy {name}")
        assert usage.strip().startswith("Usage")
        assert re.search(rf"\bscrapy\s+{name}\b", rest)

    def test_every_command_and_argument_in_an_example_exists(self) -> None:
        tables = {table: set(model.model_fields) for table, model in TABLE_MODELS.items()}
        tables["strategy"] = {"name"}.union(*(get_strategy(name).Options.model_fields for name in names()))
        dotted = {f"{table}.{key}" for table, keys in tables.items() for key in keys}
        known = {*SHORT, *RUN_ARGUMENTS, "topic", "name", *dotted, "NAME"}
        for command in commands():
            arguments = re.findall(r"-a '?([\w.]+)=", command)
            assert set(arguments) <= known, command
            for used in re.findall(r"(?<![\w/.-])scrapy ([a-z][\w-]*)", command):
                assert used in (*COMMANDS, "startproject"), command
            for used in re.findall(r"python -m lab ([a-z][\w-]*)", command):
                assert used in (*COMMANDS, *OF_LAB), command

    def test_every_make_target_that_is_mentioned_exists(self) -> None:
        targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
        mentioned = {target for command in commands() for target in re.findall(r"(?:^|`)make ([\w-]+)", command)}
        assert mentioned
        assert mentioned <= targets


def commands() -> Iterator[str]:
    """Command lines: those in blocks, and those between backticks."""
    for document, text in DOCUMENTS.items():
        # Of commands that are no more; run by a test; notes, which name the commit of what was run once.
        if document == "CHANGELOG.md" or "/tutorials/" in document:
            continue
        for block in FENCE.finditer(text):
            if block[1] in ("sh", "ini", "text"):
                yield from block[2].replace("\\\n", " ").splitlines()
        yield from words(without_code(text))


@pytest.fixture(scope="module")
def database() -> Iterator[sqlite3.Connection]:
    """An empty crawl.db."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db, ":memory:")
    yield db
    db.close()


class TestStorage:
    def test_every_table_view_and_column_is_explained_in_order(self, database: sqlite3.Connection) -> None:
        tables = [
            name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
        ]
        described = [
            heading
            for heading in re.findall(r"^### (\w+)$", DOCUMENTS["docs/reference/storage.md"], re.MULTILINE)
            if heading in tables
        ]
        assert sorted(described) == sorted(tables)
        for table in tables:
            text = section("docs/reference/storage.md", table)
            described_as = section("docs/reference/storage.md", "history") if SAME_COLUMNS in text else text
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            assert listed(described_as) == columns, table

    def test_every_table_and_column_of_a_desk_is_explained(self) -> None:
        text = section("docs/reference/storage.md", "desk.db")
        with closing(sqlite3.connect(":memory:")) as desk:
            bring_up_to_date(desk, ":memory:")
            tables = [name for (name,) in desk.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
            assert first_column(text, "table") == tables
            for table, line in zip(tables, [row for row in text.splitlines() if row.startswith("| `")], strict=True):
                columns = {row[1] for row in desk.execute(f"PRAGMA table_info({table})")}
                assert columns <= set(re.findall(r"`(\w+)`", line)), table

    @pytest.mark.parametrize("query", blocks("sql"))
    def test_every_query_runs(self, database: sqlite3.Connection, query: str) -> None:
        assert database.execute(query).fetchall() is not None

    def test_every_query_on_a_command_line_runs(self, database: sqlite3.Connection) -> None:
        lines = [shlex.split(command) for command in commands() if re.match(r"sqlite3 \S+ \"SELECT", command)]
        assert lines
        for _, _, query in lines:
            database.execute(query)

    def test_every_field_of_a_feed_is_explained_in_order(self) -> None:
        fields = [field.name for field in dataclasses.fields(PageFields)]
        assert listed(section("docs/reference/storage.md", "feeds")) == fields

    def test_every_field_of_an_export_is_explained_in_order(self) -> None:
        assert tuple(listed(section("docs/reference/storage.md", "exports"))) == FIELDS

    def test_every_option_format_and_ending_of_an_export_is_explained(self) -> None:
        text = section("docs/how-to/get-results-out.md", "Export the pages as a data set")
        told = {word.partition(" ")[0] for word in words(text) if word.startswith("--")} | {
            "--chunks"
        }  # which has a section of its own
        common = options_of(Report()) - {"--since"}
        assert told == options_of(Export()) - common
        assert set(FORMATS) <= set(words(text))
        endings = {ending for kind in FORMATS.values() for ending in kind.endings}
        assert {name.removeprefix("solar") for name in first_column(text, "name")} == endings

    def test_every_reason_of_a_failure_that_has_a_name_is_listed(self) -> None:
        assert set(WORDS.values()) <= set(words(section("docs/reference/storage.md", "failures")))


def options_of(command: FocusedCommand) -> set[str]:
    return {option for action in parser_of(command)._actions for option in action.option_strings}


class TestTaxonomies:
    PAGE = "docs/reference/taxonomies.md"

    def test_every_table_view_and_column_is_explained_in_order(self) -> None:
        with closing(sqlite3.connect(":memory:")) as db:
            for statement in SCHEMA:
                db.execute(statement)
            tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
            assert re.findall(r"^### (\w+)$", DOCUMENTS[self.PAGE], re.MULTILINE) == tables
            for table in tables:
                columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
                assert listed(section(self.PAGE, table)) == columns, table

    def test_the_guide_names_every_verb(self) -> None:
        text = DOCUMENTS["docs/how-to/train-a-model.md"]
        assert [verb for verb in VERBS if not re.search(rf"scrapy taxonomy \S+ {verb}\b", text)] == []


class TestExtending:
    """The examples of docs/how-to/extend.md, run."""

    URL = "https://pv.example/"
    BODY = b"""<title>Cells</title><p>An efficiency of 25.7 % was measured.
        <a class=datasheet href=/sheet>the solar cell</a>"""

    def test_the_spider_takes_its_items_and_asks_for_more(self) -> None:
        spider = example("EfficiencySpider")()
        assert isinstance(spider, TopicalSpider)
        request = Request(self.URL, meta={"page": self.page()})
        response = HtmlResponse(self.URL, body=self.BODY, request=request)
        item, more = spider.parse(response)
        assert item == {"url": self.URL, "title": "Cells", "efficiency": 25.7}
        assert (more.url, more.meta["score"], more.callback) == (f"{self.URL}sheet", 2.0, spider.parse_datasheet)
        assert list(spider.parse_datasheet(response)) == [{"url": self.URL, "table": []}]

    def test_the_strategy_scores_links(self) -> None:
        anchor = example("Anchor")
        assert issubclass(anchor, Strategy)
        visit = Visit(0, self.page(), depth=2, relevance=1.0, relevant=True, targets=np.array([1]))
        scores, parts = anchor(anchor.Options(decay=0.5), World({"solar": 1})).score(visit)
        assert scores.tolist() == [0.5 * 0.5**2]
        assert parts.tolist() == [[0.5, 2.0]]

    def page(self) -> Page:
        page = Reader(ReadingOptions()).read(self.URL, self.BODY, "text/html")
        assert isinstance(page, Page)
        return page

    @pytest.mark.parametrize("code", blocks("python"))
    def test_every_example_is_python(self, code: str) -> None:
        assert isinstance(compile(code, "example", "exec"), CodeType)


def example(name: str) -> Any:
    """The class of that name in the examples, with what stands above it in its block."""
    (code,) = (
        block[2] for block in FENCE.finditer(DOCUMENTS["docs/how-to/extend.md"]) if f"\nclass {name}(" in block[2]
    )
    scope: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, "docs/how-to/extend.md", "exec"), scope)
    return scope[name]


class TestLinks:
    @pytest.mark.parametrize("document", DOCUMENTS)
    def test_every_link_within_the_documentation_leads_somewhere(self, document: str) -> None:
        folder = (ROOT / document).parent
        for target in re.findall(r"\]\(([^)]+)\)", without_code(DOCUMENTS[document])):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            file = (folder / path).resolve() if path else ROOT / document
            assert file.exists(), target
            if anchor:
                assert anchor in anchors(file.read_text()), target

    def test_every_document_is_linked_from_a_list(self) -> None:
        linked = {"README.md"}
        for index in ("README.md", "docs/index.md", "lab/notes/README.md"):
            folder = (ROOT / index).parent.relative_to(ROOT)
            linked |= {(folder / path).as_posix() for path in re.findall(r"\]\(([^)#]+)\)", DOCUMENTS[index])}
        assert DOCUMENTS.keys() - linked == set()

    @pytest.mark.parametrize("document", [name for name in DOCUMENTS if name.startswith("docs/")])
    def test_no_page_of_the_site_links_to_a_note(self, document: str) -> None:
        """The site does not hold the notes."""
        assert "lab/notes/" not in "".join(re.findall(r"\]\(([^)]+)\)", DOCUMENTS[document]))

    @pytest.mark.parametrize("document", [name for name in DOCUMENTS if "/tutorials/" not in name and name != GONE])
    def test_every_file_of_the_package_that_is_named_exists(self, document: str) -> None:
        for path in re.findall(r"(?<![\w/])(?:focused|lab|tests)/[a-z][\w/.*-]*\w", DOCUMENTS[document]):
            assert is_stat(path) or list(ROOT.glob(path)), path


def is_stat(name: str) -> bool:
    return name in STATS or re.sub("/[^/]*$", "/KIND", name) in STATS or f"{name}/KIND" in STATS


class TestStats:
    def test_every_stat_is_described_and_nothing_else_is(self) -> None:
        assert set(listed(section("docs/reference/stats.md", "Stats"))) == STATS

    def test_every_reason_to_finish_is_described_and_nothing_else_is(self) -> None:
        described = first_column(section("docs/reference/stats.md", "Finish reasons"), "finish reason")
        assert set(described) == {*re.findall(r'Stop\(\s*"(\w+)"', SOURCE), *SENTENCES}


def anchors(text: str) -> set[str]:
    """Anchors of the headings of a document, as GitHub and GitLab make them."""
    headings = re.findall(r"^#+ (.+)$", without_code(text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_changelog_tells_of_this_version() -> None:
    assert f"\n## [{focused.__version__}] - " in DOCUMENTS["CHANGELOG.md"]


def test_pictures_are_small() -> None:
    pictures = [*(ROOT / "docs/images").iterdir(), *(ROOT / "lab/notes/images").iterdir()]
    assert pictures
    assert all(picture.stat().st_size < 150_000 for picture in pictures)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_is_made_from_the_code_is_up_to_date(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == made(page.read_text(encoding="utf-8")), "run make reference"


def test_the_documents_are_short_enough_to_be_read() -> None:
    documents = [text for name, text in DOCUMENTS.items() if not name.startswith("lab/")]
    assert sum(len(text.split()) for text in documents) < 54_600
