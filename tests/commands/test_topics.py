"""The command `scrapy topics`, and what all our commands share: mistakes end with a line and exit code 1."""

import argparse
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.exceptions import UsageError

from focused import strategies
from focused.commands.topics import Command
from focused.explain.command import FocusedCommand
from focused.explain.topic_list import budget_in_words
from focused.strategies import get_strategy, names
from focused.topic import topic_file
from focused.topic.plain_files import write_new
from focused.topic.topic import OPTION_TABLES, About, Budget
from focused.topic.topic_file import load_topic, toml_value, topic_files, topic_template
from tests.commands.running import parser_of, run_command

ROOT = Path(__file__).parents[2]
NEW = ("--keywords", "wind power, turbine", "--seed", "https://wind.example/")
GOOD = '[topic]\nkeywords = "wind"\nseeds = ["https://wind.example/"]\n'


def run(*argv: str, topics_dir: Path | None = None, command: FocusedCommand | None = None) -> int:
    """Run `scrapy topics`, or another command; return its exit code."""
    return run_command(command or Command(), *argv, topics_dir=topics_dir)


class TestList:
    def test_all_topics_are_shown_with_what_matters(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "wind.toml").write_text(GOOD + "[budget]\npages = 5\nhours = 2.5\n")
        assert run(topics_dir=tmp_path) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0].split() == ["topic", "state", "keywords", "seeds", "strategy", "budget", "file"]
        assert [line.split()[0] for line in lines[1:]] == sorted({*topic_files(), "wind"})
        cells = re.split(r"\s{2,}", lines[-1])
        assert cells == ["wind", "OK", "wind", "1", "adaptive", "5 pages, 2.5 hours", str(tmp_path / "wind.toml")]

    def test_mistakes_follow_the_list_and_the_exit_code_is_1(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "wind.toml").write_text("[topic]\nkeywords = 3\n[budget]\npage = 5\n")
        assert run(topics_dir=tmp_path) == 1
        out, err = capsys.readouterr()
        assert re.search(r"^wind +2 mistakes +" + re.escape(str(tmp_path)), out, re.MULTILINE)
        file = tmp_path / "wind.toml"
        assert err.splitlines() == [
            f'scrapy topics: {file}: [topic] keywords: must be a list such as ["a", "b"], not 3',
            f"scrapy topics: {file}: [budget] page: unknown; did you mean pages?",
        ]

    def test_a_model_that_is_not_there_is_a_mistake(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "wind.toml").write_text(GOOD + '[strategy]\nmodel = "missing"\n')
        assert run("wind", topics_dir=tmp_path) == 1
        out, err = capsys.readouterr()
        assert "1 mistake" in out
        assert "missing" in err

    def test_what_is_hardly_meant_is_told(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "wind.toml").write_text(GOOD + "[relevance]\nthreshold = 0\n")
        assert run("wind", topics_dir=tmp_path) == 0
        assert "\nwind: [relevance] threshold is 0: every page counts as relevant" in capsys.readouterr().out

    def test_named_topics_alone_are_checked(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "broken.toml").write_text("[")
        assert run("solar", topics_dir=tmp_path) == 0
        assert len(capsys.readouterr().out.splitlines()) == 2
        assert run("solar", "slar", "broken", topics_dir=tmp_path) == 1
        out, err = capsys.readouterr()
        assert [line.split()[:2] for line in out.splitlines()[1:]] == [["solar", "OK"], ["slar", "1"], ["broken", "1"]]
        assert "no topic 'slar'; did you mean solar?" in err
        assert "broken.toml: not valid TOML" in err

    def test_a_folder_of_topics_that_does_not_exist_is_told(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(topics_dir=tmp_path / "no") == 1
        assert f"FOCUSED_TOPICS_DIR: no folder {tmp_path / 'no'}" in capsys.readouterr().err

    def test_long_keywords_are_cut(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "wind.toml").write_text(GOOD.replace('"wind"', f'"{"w" * 200}"'))
        assert run("wind", topics_dir=tmp_path) == 0
        assert " " + "w" * 37 + "... " in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("budget", "words"),
        [
            (Budget(pages=0), "none"),
            (Budget(pages=3, megabytes=4, relevant_pages=5), "3 pages, 4 MB, 5 relevant pages"),
            (Budget(pages=0, hours=8, harvest_floor=0.1), "8 hours, harvest below 0.1"),
        ],
    )
    def test_a_budget_in_words(self, budget: Budget, words: str) -> None:
        assert budget_in_words(budget) == words


class TestNew:
    def test_the_written_file_loads_with_what_was_said(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = tmp_path / "made" / "here"
        seeds = ("--seed", "https://b.example/")
        assert run("new", "wind", *NEW, *seeds, "--pages", "7", "--strategy", "dom", topics_dir=folder) == 0
        topic = load_topic("wind", strategies, topics_dir=folder)
        assert topic.keywords == ("wind power", "turbine")
        assert topic.seeds == ("https://wind.example/", "https://b.example/")
        assert (topic.budget.pages, topic.strategy) == (7, "dom")
        assert capsys.readouterr().out.endswith("scrapy crawl topical -a topic=wind\n")

    def test_keywords_may_be_a_table_by_language(self, tmp_path: Path) -> None:
        table = '{de = ["Windkraft"], en = ["wind power", "turbine"]}'
        assert run("new", "wind", "--keywords", table, "--seed", "https://wind.example/", topics_dir=tmp_path) == 0
        topic = load_topic("wind", strategies, topics_dir=tmp_path)
        assert topic.own_keywords == {"de": ("Windkraft",), "en": ("wind power", "turbine")}

    def test_a_folder_named_on_the_command_line_alone_is_part_of_the_advice(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run("new", "wind", *NEW, "-s", f"FOCUSED_TOPICS_DIR={tmp_path}") == 0
        assert capsys.readouterr().out.endswith(f"scrapy crawl topical -a topic={tmp_path}/wind.toml\n")

    def test_without_a_folder_an_installed_package_is_not_written_to(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(topic_file, "is_checkout", lambda: False)
        monkeypatch.chdir(tmp_path)
        assert run("new", "wind", *NEW) == 0
        assert capsys.readouterr().out.endswith("scrapy crawl topical -a topic=topics/wind.toml\n")
        assert load_topic("topics/wind.toml", strategies).keywords == ("wind power", "turbine")

    def test_a_file_that_exists_is_not_overwritten(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "wind.toml"
        file.write_text("mine")
        assert run("new", "wind", *NEW, topics_dir=tmp_path) == 1
        assert file.read_text() == "mine"
        told = capsys.readouterr().err
        assert (
            f"{file}: there is a topic of this name; choose another one, remove the file, or write yours into" in told
        )
        assert told.endswith("-s FOCUSED_TOPICS_DIR=FOLDER\n")

    @pytest.mark.parametrize(
        ("argv", "told"),
        [
            (("new", "wind"), "--keywords: at least one keyword is needed"),
            (("new", "wind", "--keywords", "a", "--seed", "htp://x"), "--seed[0]: 'htp://x' is not an http(s) URL"),
            (
                ("new", "wind", *NEW, "--keywords", "{de = [wind"),
                "--keywords: begins with {, but is no table; write it as in {de",
            ),
            (("new", "wind", *NEW, "--pages", "-1"), "--pages: must be at least 0, not -1"),
            (("new", "wind", *NEW, "--strategy", "dmo"), "--strategy: 'dmo' is unknown; did you mean dom?"),
            (("new", "a/b", *NEW), "'a/b' cannot be the name of a topic"),
            (("new", "new", *NEW), "'new' cannot be the name of a topic: it is a word of this command"),
        ],
    )
    def test_nothing_is_written_for_a_topic_with_mistakes(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], told: str
    ) -> None:
        assert run(*argv, topics_dir=tmp_path) == 1
        assert f"scrapy topics: {told}" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []

    def test_a_file_that_cannot_be_written_whole_is_not_left_behind(self, tmp_path: Path) -> None:
        with pytest.raises(UnicodeEncodeError):
            write_new(tmp_path / "a.toml", "\udce9")
        assert not list(tmp_path.iterdir())

    def test_a_folder_that_cannot_be_made_is_told(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "file").touch()
        assert run("new", "wind", *NEW, topics_dir=tmp_path / "file") == 1
        assert "wind.toml: cannot be written: " in capsys.readouterr().err

    @pytest.mark.parametrize("argv", [("new",), ("new", "a", "b")])
    def test_one_name_is_needed(self, tmp_path: Path, argv: tuple[str, ...]) -> None:
        with pytest.raises(UsageError, match="new: give one name"):
            run(*argv, topics_dir=tmp_path)


def template(name: str) -> str:
    strategy = get_strategy(name)
    return topic_template("wind", {}, strategy.name, strategy.summary(), strategy.Options)


class TestTemplate:
    @pytest.mark.parametrize("strategy", names())
    def test_every_option_stands_there_with_its_default(self, strategy: str) -> None:
        options = get_strategy(strategy).Options
        text = template(strategy)
        tables = tomllib.loads(re.sub(r"^#(?=\w)", "", text, flags=re.MULTILINE))
        assert tables["strategy"].keys() == {"name", *options.model_fields}
        for table, model in {"topic": About, **OPTION_TABLES}.items():
            assert tables[table].keys() == set(model.model_fields)
            assert model.model_validate(tables[table]) == model()

    def test_every_option_is_explained(self) -> None:
        lines = template("hub_seeking").splitlines()
        options = [number for number, line in enumerate(lines) if re.match(r"#?\w+ = ", line)]
        assert len(options) > 25
        assert all(lines[number - 1].startswith("# ") for number in options)

    @given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
    def test_any_text_is_written_as_toml_reads_it(self, texts: list[str]) -> None:
        assert tomllib.loads(f"value = {toml_value(texts)}") == {"value": texts}


class Failing(FocusedCommand):
    """A command that ends as it is told."""

    error: BaseException
    summary = "fail"

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        raise self.error


class TestCommandBase:
    def test_help_ends_with_examples_on_lines_of_their_own(self) -> None:
        text = parser_of(Command()).format_help()
        assert "\n  scrapy topics solar\n" in text
        assert "List" in Command().short_desc()
        assert "\nWith names: the same for these topics.\n" in text

    def test_an_unknown_option_names_the_nearest(self) -> None:
        with pytest.raises(UsageError, match=r"--seeds=x: unknown; did you mean --seed\?"):
            run("new", "a", "--seeds=x")

    def test_an_interrupted_command_leaves_a_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        command = Failing()
        command.error = KeyboardInterrupt()
        assert run(command=command) == 130
        assert capsys.readouterr().err == "scrapy test_topics: interrupted\n"

    def test_the_command_line_of_scrapy_runs_it(self, tmp_path: Path) -> None:
        (tmp_path / "smoke.py").write_text('COMMANDS_MODULE = "focused.commands"\nBOT_NAME = "smoke"\n')
        environment = {
            **os.environ,
            "SCRAPY_SETTINGS_MODULE": "smoke",
            "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
        }
        argv = [sys.executable, "-m", "scrapy", "topics", "slar", "-s", f"FOCUSED_TOPICS_DIR={tmp_path}"]
        done = subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert re.fullmatch(r"scrapy topics: no topic 'slar'; did you mean solar\? \(looked in .*\)\n", done.stderr)


class TestPresets:
    def test_a_preset_gives_way_to_what_is_asked_for(self, tmp_path: Path) -> None:
        assert run("new", "plain", *NEW, "--preset", "companies", topics_dir=tmp_path) == 0
        assert run("new", "own", *NEW, "--preset", "companies", "--strategy", "dom", topics_dir=tmp_path) == 0
        plain, own = (load_topic(name, strategies, topics_dir=tmp_path) for name in ("plain", "own"))
        assert (plain.strategy, plain.scope.pages_per_host) == ("hub_seeking", 20)
        assert (own.strategy, own.scope.pages_per_host) == ("dom", 20)

    def test_an_unknown_one_is_one_line(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert run("new", "wind", *NEW, "--preset", "company", topics_dir=tmp_path) == 1
        assert "--preset company: unknown; " in capsys.readouterr().err
        assert not list(tmp_path.iterdir())
