"""`scrapy train`: from each source to a model that a strategy loads, and one clear line for every mistake."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError

from focused.collection.trained_model import load_model, shipped_weights
from focused.papers.commands.train import Command
from focused.papers.models.taxonomy import Taxonomy
from focused.simulation.commands.compare import Command as Compare
from tests.commands.running import crawled, refusal, run_command
from tests.small_topics import write_webkb
from tests.small_web import url_of
from tests.small_wikispeedia import write_files


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with one finished crawl, and a folder of pages beside it."""
    folder = tmp_path_factory.mktemp("project")
    crawled(folder / "data" / "sun")
    texts = {"energy/sun": "solar panel", "energy/wind": "wind rotor", "sport": "football goal"}
    pages = {f"{name}/{n}.txt": f"{text} number{n}" for name, text in texts.items() for n in range(8)}
    write_files(folder / "pages", pages)
    return folder / "data"


def train(data: Path, line: str) -> int:
    return run_command(Command(), *shlex.split(line), data_dir=data)


def card(data: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data / "models" / f"{name}.json").read_text())
    return found


def test_a_classifier_is_learned_from_a_folder_and_told_with_its_quality(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(data, f"classifier sun --folder {data.parent}/pages --good energy/sun --set length=10") == 0
    model = load_model("sun", "classifier", "en", data / "models", model_class=Taxonomy)
    assert isinstance(model, Taxonomy)
    assert (model.good, model.length) == (frozenset({("energy", "sun")}), 10)
    told = capsys.readouterr().out
    assert re.search(
        r"^Quality, on pages not learned from \(5-fold cross-validation\)\nmeasure\naccuracy +1\.000$", told, re.M
    )
    assert "pages of energy/wind" in told
    assert told.splitlines()[-1].endswith("sun.json is written. Use it with: -a strategy.model=sun")


def test_what_a_crawl_guessed_is_called_a_guess(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert train(data, "classifier guessed --crawl sun") == 0
    told = capsys.readouterr().out
    assert "Agreement with what the crawl guessed, on pages not learned from" in told
    assert "Quality" not in told
    assert card(data, "guessed")["counts"]["pages"] == 40
    assert card(data, "guessed")["sources"] == [f"crawl {data / 'sun'} as it judged its pages itself"]


def test_a_model_is_overwritten_by_the_same_command_or_when_asked_to(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(data, "kept corpus --crawl sun") == 0
    assert train(data, "kept corpus --crawl sun") == 0
    assert "kept.json is written in place of the one made 20" in capsys.readouterr().out
    made = card(data, "kept")
    assert train(data, "kept classifier --crawl sun") == 1
    assert "was made by: scrapy train kept corpus --crawl sun; give this one another name" in capsys.readouterr().err
    assert card(data, "kept") == made
    assert train(data, "kept classifier --crawl sun --replace") == 0
    assert card(data, "kept")["kind"] == "classifier"


def test_its_card_says_how_to_make_it_again(data: Path) -> None:
    line = (
        f"again classifier --folder {data.parent}/pages --good energy --folds 4 --set least=1 --licence 'as you like'"
    )
    assert train(data, line) == 0
    about = card(data, "again")
    assert about["licence"] == "as you like"
    assert shlex.join(about["command"]) == line
    assert about["options"] == {"least": 1, "length": 50}
    assert about["counts"]["pages"] == 24
    assert about["scores"]["ROC-AUC of R(p)"] == 1.0
    assert train(data, line.replace("again classifier", "classifier again")) == 0  # the order of version 0.1
    assert card(data, "again") | {"made": about["made"]} == about


def test_a_space_is_learned_from_an_earlier_crawl_by_its_name_or_its_folder(data: Path) -> None:
    for name, crawl in {"by-name": "sun", "by-folder": data / "sun"}.items():
        assert train(data, f"space {name} --crawl {crawl} -a keywords='solar energy'") == 0
        assert card(data, name)["counts"]["pages in the space"] > 0


def test_a_model_counts_words_as_the_topic_does(data: Path) -> None:
    assert train(data, f"corpus whole --folder {data.parent}/pages -a keywords=solar -a reading.stemming=false") == 0
    assert train(data, f"corpus stems --folder {data.parent}/pages -a keywords=solar") == 0
    assert [card(data, name)["stemming"] for name in ("whole", "stems")] == [False, True]


def test_a_recorded_web_teaches_without_a_university(data: Path, tmp_path: Path) -> None:
    web = write_webkb(tmp_path)
    assert train(data, f"classifier courses --web {web} --without cornell --good course --folds 3") == 0
    assert card(data, "courses")["sources"] == [f"web {web} without cornell"]
    assert card(data, "courses")["counts"]["pages"] == 15


def test_topic_and_folder_add_up(data: Path, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text(f"solar panel {number}")
    examples = ",".join(str(tmp_path / f"{number}.txt") for number in range(5))
    line = f"classifier both -a keywords=solar -a examples={examples} -a description='The sun' --folder {data.parent}/pages"
    assert train(data, line) == 0
    counts = card(data, "both")["counts"]
    assert (counts["pages of relevant"], counts["pages of sport"]) == (6, 8)


@pytest.mark.parametrize(("strategy", "kind"), [("focused", "classifier"), ("rl_spider", "paths")])
def test_a_strategy_crawls_with_what_was_trained(
    data: Path, capsys: pytest.CaptureFixture[str], strategy: str, kind: str
) -> None:
    assert train(data, f"{kind} mine-{kind} --crawl sun") == 0
    topic = ("-a", "keywords=solar energy", "-a", f"seeds={url_of(0)}", "-a", f"strategy={strategy}")
    assert (
        run_command(Compare(), "--alone", *topic, "-a", f"strategy.model=mine-{kind}", str(data / "sun"), data_dir=data)
        == 0
    )
    assert f"by {strategy}; ended: dead end" in capsys.readouterr().out


def test_knowledge_comes_from_crawls_and_stays_when_they_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A crawl goes on as if nothing had happened when the collections that taught it are deleted."""
    for name, tables in {"moon": {"strategy": "best_first"}, "mars": {}}.items():
        crawled(tmp_path / name, **tables)
    assert train(tmp_path, "knowledge mine --crawl moon --crawl mars") == 0
    told = capsys.readouterr().out
    assert "as it judged its pages itself" in told and "Agreement with what the crawl guessed" in told
    assert "--labels" not in told, "it takes none"
    assert told.splitlines()[-1].endswith("mine.json is written. Use it with: -a strategy.knowledge=mine")
    assert {"crawls": 2}.items() <= card(tmp_path, "mine")["counts"].items()
    knowing = {"strategy_options": {"knowledge": "mine"}, "models": tmp_path / "models"}
    whole = crawled(tmp_path / "whole", **knowing)
    begun = crawled(tmp_path / "begun", most=12, **knowing)
    for name in ("moon", "mars"):
        shutil.rmtree(tmp_path / name)
    assert begun + crawled(tmp_path / "begun", **knowing) == whole


def test_weights_come_from_whole_crawls_by_any_strategy_and_are_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, tables in {
        "moon": {"strategy": "best_first"},
        "mars": {},
        "erde": {"reading": {"language": "german"}},
    }.items():
        crawled(tmp_path / name, **tables)
    assert train(tmp_path, "weights mine --crawl moon --crawl mars --crawl erde --set strength=10") == 0
    told = capsys.readouterr().out
    assert told.splitlines()[-1].endswith("mine.json is written. Use it with: -a strategy.weights=mine")
    assert "ROC-AUC of links to better than average pages" in told
    about = card(tmp_path, "mine")
    assert (about["strength"], about["weights"].keys()) == (10.0, shipped_weights().weights.keys())
    assert about["counts"]["pages"] > 30, "links of all pages, not only of those after a snapshot"
    assert not (tmp_path / "models" / "mine.npz").exists()
    topic = ("-a", "keywords=solar energy", "-a", f"seeds={url_of(0)}", "-a", "strategy.weights=mine")
    assert run_command(Compare(), "--alone", *topic, str(tmp_path / "moon"), data_dir=tmp_path) == 0


@pytest.mark.parametrize(
    ("reading", "terms"), [({"language": "german"}, "'de'"), ({"stemming": False}, "'en' without stemming")]
)
def test_knowledge_comes_from_crawls_that_read_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], reading: dict[str, Any], terms: str
) -> None:
    crawled(tmp_path / "sun")
    crawled(tmp_path / "other", reading=reading)
    told = refusal(train(tmp_path, "knowledge mine --crawl sun --crawl other"), capsys)
    assert f"/other: its words are {terms}, and those of {tmp_path}/sun 'en': learn from crawls" in told


def test_a_strategy_that_needs_a_model_says_so_before_it_crawls(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topic = ("-a", "keywords=solar energy", "-a", f"seeds={url_of(0)}", "-a", "strategy=rl_spider")
    told = refusal(run_command(Compare(), "--alone", *topic, str(data / "sun"), data_dir=data), capsys)
    assert told.startswith("scrapy compare: strategy rl_spider needs a trained model: give -a strategy.model=NAME")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("knowledge new", "nothing to learn from: give --crawl"),
        ("knowledge new --crawl sun --folder x --labels y", "from crawls alone: leave --folder, --labels out"),
        ("knowledge new --crawl moon", "no such collection"),
        ("weights new", "nothing to learn from: give --crawl"),
        ("weights new --crawl sun --set strength=0", "--set strength"),
        ("classifier new", "nothing to learn from: give -a topic=NAME, --folder, --crawl, --taxonomy or --web"),
        ("clasifier new --crawl sun", "kind 'clasifier' is unknown; did you mean classifier?"),
        ("classifier ../new --crawl sun", "is not a name for a model"),
        ("classifier new --crawl moon", "no such collection"),
        ("classifier new --folder nowhere", "nowhere: no such folder"),
        (
            "classifier new --crawl sun --good sun",
            "--good: no page belongs to 'sun'; say what is on topic; classes: other, relevant",
        ),
        ("classifier new --crawl sun --folds 1", "--folds 1: give a number from 2 to 100"),
        ("classifier new --crawl sun --folds 30", "at least 30 are needed (as --folds says)"),
        ("classifier new --crawl sun --set lenght=5", "--set lenght=5: 'lenght' is unknown; did you mean length?"),
        ("classifier new --crawl sun --set length=x", "--set length: must be a whole number, not 'x'"),
        ("classifier new --crawl sun --set length", "'length' is unknown"),
        ("classifier new -a keywords=solar", "0 pages to learn from, at least 10 are needed"),
        ("classifier new -a topic=nosuch", "no topic 'nosuch'"),
        (
            "classifier new --web demo",
            "--good: no page belongs to 'relevant'; say what is on topic; classes: astronomy",
        ),
        ("classifier new --crawl sun --without cornell", "--without names parts of a recorded web: give --web"),
        ("space new --crawl sun", "the topic's keywords are needed: give -a topic=NAME or -a keywords=WORDS"),
    ],
)
def test_a_mistake_is_one_clear_line_and_nothing_is_written(
    data: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    assert message in refusal(train(data, line), capsys)
    assert not (data / "models" / "new.json").exists()


@pytest.mark.parametrize("line", ["", "classifier", "classifier a b", "classifier new -a x"])
def test_a_wrong_call_is_told(data: Path, line: str) -> None:
    with pytest.raises(UsageError):
        train(data, line)


def test_help_names_the_kinds() -> None:
    assert all(name in Command().long_desc() for name in ("classifier", "corpus", "paths", "space"))
