"""`scrapy taxonomy`: from a file to a model that a crawl uses, and one clear line for every mistake."""

import csv
import shlex
from contextlib import closing
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError

from focused.collection.trained_model import load_model
from focused.papers.commands.taxonomy import VERBS, Command
from focused.papers.commands.train import Command as Train
from focused.papers.models.taxonomy import Taxonomy
from focused.papers.taxonomies.taxonomy_store import TAXONOMIES, TaxonomyStore
from tests.commands.running import refusal, run_command
from tests.taxonomies.dumps import RDF, table, write
from tests.taxonomies.energy import OWN, WRONG, made


def run(data: Path, line: str) -> int:
    return run_command(Command(), *shlex.split(line), data_dir=data)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one taxonomy, its pages fetched."""
    made(tmp_path / TAXONOMIES / "energy").close()
    return tmp_path


def categories(data: Path) -> dict[str, str | None]:
    with closing(TaxonomyStore(data / TAXONOMIES / "energy")) as store:
        return {example.url: example.category for example in store.examples()}


def test_a_dump_is_imported_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = write(tmp_path / "content.rdf.u8", RDF)
    assert run(tmp_path, f"import energy {dump} --under Business --depth 1 --most 1") == 0
    assert run(tmp_path, "show energy") == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"1 listings are taken in, of 3 in {dump}."
    assert [line.split()[:3] for line in told[-2:]] == [["Business", "1", "0"], ["Business/Energy", "1", "0"]]


def test_a_person_corrects_the_classifier_and_the_next_model_follows(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "doubts.csv"
    assert run(data, f"classify energy --folds 3 --csv {sheet}") == 0
    told = capsys.readouterr().out
    assert told.startswith("The classifier agrees with 18 of 19 pages it did not learn from (95%).")
    assert "\n2 you have not judged" in told
    rows = list(csv.DictReader(sheet.read_text().splitlines()))
    assert [row["url"] for row in rows[:2]] == [WRONG, OWN]
    with sheet.open("w", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows([{**row, "verdict": "guess"} for row in rows[:2]])
    assert run(data, f"classify energy --folds 3 --csv {sheet}") == 1
    told = f"{sheet}: 2 verdicts are not taken in yet: scrapy taxonomy judge energy {sheet} does, or give another file"
    assert told in capsys.readouterr().err
    assert run(data, f"judge energy {sheet}") == 0
    assert (categories(data)[WRONG], categories(data)[OWN]) == ("Energy/Sun", "Energy/Wind")
    assert run(data, f"classify energy --folds 3 --csv {sheet}") == 0
    assert "agrees with 20 of 20 pages" in capsys.readouterr().out


def test_move_and_drop_are_a_persons_word(data: Path) -> None:
    assert run(data, f"move energy {WRONG} {OWN}#part Energy/Sun") == 0
    assert (categories(data)[WRONG], categories(data)[OWN]) == ("Energy/Sun", "Energy/Sun")
    assert run(data, f"drop energy {WRONG}") == 0
    assert categories(data)[WRONG] is None
    assert run(data, f"move energy --new {WRONG} Energy/Water") == 0
    assert categories(data)[WRONG] == "Energy/Water"


def test_what_is_marked_good_is_what_a_model_is_trained_for(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(data, "good energy Energy/Sun Energy/Wind") == 0
    assert run(data, "good energy --not Energy/Wind") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "good: Energy/Sun"
    line = ("classifier", "sun", "--taxonomy", "energy", "--folds", "3")
    assert run_command(Train(), *line, data_dir=data) == 0
    assert "from taxonomy energy" in capsys.readouterr().out
    assert load_model("sun", "classifier", "en", data / "models", model_class=Taxonomy).good == {("Energy", "Sun")}
    assert run_command(Train(), *line, "--good", "Energy", "--replace", data_dir=data) == 0
    assert load_model("sun", "classifier", "en", data / "models", model_class=Taxonomy).good == {("Energy",)}


def test_a_taxonomy_and_a_topic_are_both_on_topic(data: Path) -> None:
    assert run(data, "good energy Energy/Sun") == 0
    line = ("classifier", "both", "--taxonomy", "energy", "--folds", "2", "-a", "keywords=solar", "-a")
    examples = [write(data / f"{number}.txt", "solar panel") for number in range(2)]
    assert run_command(Train(), *line, f"examples={examples[0]},{examples[1]}", data_dir=data) == 0
    assert load_model("both", "classifier", "en", data / "models", model_class=Taxonomy).good == {
        ("Energy", "Sun"),
        ("relevant",),
    }


def test_training_without_a_mark_is_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = refusal(run_command(Train(), "classifier", "sun", "--taxonomy", "energy", data_dir=data), capsys)
    assert "taxonomy energy: nothing is marked as on topic; give --good CLASS, or mark it: scrapy taxonomy good" in told


def test_the_list_and_the_examples_are_shown(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(data, "good energy Energy/Sun") == 0
    assert run(data, f"drop energy {WRONG}") == 0
    assert run(data, "") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[-1] == ["energy", "Energy/Sun", "20", "1", "20", "0"]
    assert run(data, "show energy") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["all", "of", "energy", "20", "1", "20", "0"] in lines
    assert ["Energy/Sun", "good", "6", "0", "6", "0"] in lines
    assert run(data, "show energy Sports --urls") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 6


def test_without_any_the_list_says_how_to_make_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "") == 0
    assert "No taxonomy yet. Make one: scrapy taxonomy NAME import FILE" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("show enregy", "no such taxonomy; make it: scrapy taxonomy enregy import FILE"),
        ("show ../energy", "is not a name for a taxonomy"),
        ("show energy Enregy", "'Enregy' is unknown; did you mean Energy?"),
        ("good energy Energy Energy/Sun", "'Energy/Sun' lies below 'Energy': only one of them can be good"),
        ("good energy Water", "'Water' is unknown"),
        (f"move energy {OWN} Energy/Water", "unknown; did you mean Energy/Wind? (--new makes it)"),
        ("move energy http://strange.example/ Sports", "http://strange.example/: no example of this taxonomy"),
        ("import new nowhere.tsv", "nowhere.tsv: no such file or folder"),
        ("import new {data}/sites.tsv --under Arts", "nothing to take in among 1 listings; topmost categories: Sports"),
        ("import new {data}/sites.tsv --most 0", "--most 0: give a whole number of at least 1"),
        ("classify energy --folds 1", "--folds 1: give a whole number of at least 2"),
        ("judge energy {data}/empty.csv", "empty.csv: no verdict yet: write into its column verdict"),
        ("judge energy nowhere.csv", "nowhere.csv: cannot be read: No such file"),
        ("add energy nowhere.txt", "neither an http(s) URL nor a file"),
    ],
)
def test_a_mistake_is_one_clear_line_and_nothing_is_made(
    data: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    write(data / "sites.tsv", table({"Sports": ["http://a.example/"]}))
    write(data / "empty.csv", f"url,category,guess,verdict\n{OWN},,Energy/Wind,\n")
    before = categories(data)
    assert message in refusal(run(data, line.format(data=data)), capsys)
    assert categories(data) == before
    assert not (data / TAXONOMIES / "new").exists()


@pytest.mark.parametrize(
    "line", ["show", "shwo energy", "import energy", "move energy Sports", "show energy --most 3", "fetch energy x"]
)
def test_a_wrong_call_is_told(data: Path, line: str) -> None:
    with pytest.raises(UsageError):
        run(data, line)


def test_a_mistyped_verb_is_told_which_was_meant(data: Path) -> None:
    with pytest.raises(UsageError, match="shwo: unknown; did you mean show"):
        run(data, "shwo energy")


def test_help_names_every_verb() -> None:
    assert all(verb in Command().long_desc() for verb in VERBS)
