"""Trained models: a card vouches for the file beside it, and whatever does not fit is refused before it is unpickled."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest

from focused.crawl.strategy import Strategy, StrategyOptions
from focused.exceptions import ModelError, StorageError
from focused.run.assemble import assemble, model_of
from focused.storage.trained_model import load_model, save_model, versions
from focused.topic.topic import Topic
from tests.training.models import card_of

AGAIN = "make it anew: scrapy train classifier sun --folder 'my pages'"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one model."""
    save_model(tmp_path / "models", card_of(), {"solar": 1.5})
    return tmp_path / "models"


def change(folder: Path, **values: Any) -> None:
    path = folder / "sun.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def refusal(folder: Path | None, name: str = "sun", kind: str = "classifier", language: str = "en") -> str:
    with pytest.raises(ModelError) as refused:
        load_model(name, kind, language, folder)
    message = str(refused.value)
    assert len(message.splitlines()) == 1
    return message


class Bomb:
    """Unpickling it makes a folder."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.target),)


def test_what_is_saved_is_loaded(folder: Path) -> None:
    assert load_model("sun", "classifier", "en", folder) == {"solar": 1.5}


def test_a_model_of_words_as_they_are_written_serves_topics_that_do_not_stem(folder: Path) -> None:
    change(folder, stemming=False)
    assert load_model("sun", "classifier", "en", folder, stemming=False) == {"solar": 1.5}


def test_the_card_says_what_the_file_is(folder: Path) -> None:
    about = json.loads((folder / "sun.json").read_text())
    assert about["sha256"] == hashlib.sha256((folder / "sun.joblib").read_bytes()).hexdigest()
    assert about["scores"] == {"accuracy": 0.9}
    assert {"focused", "scikit-learn", "numpy", "python"} <= about["versions"].keys()


def test_a_model_that_is_not_there_is_told_with_the_nearest_and_the_command(folder: Path) -> None:
    message = refusal(folder, "sum")
    assert message.startswith(
        f"no model 'sum' in {folder}, nor in the package; did you mean sun?; make it: scrapy train"
    )
    assert "scrapy train classifier sum" in message
    assert "no model 'sun'" in refusal(None)


@pytest.mark.parametrize("name", ["../sun", "", ".sun", "a/b"])
def test_a_name_is_no_path(folder: Path, name: str) -> None:
    assert "is not a name for a model" in refusal(folder, name)


def test_changed_bytes_are_never_unpickled(folder: Path, tmp_path: Path) -> None:
    (folder / "sun.joblib").write_bytes(pickle.dumps(Bomb(tmp_path / "exploded")))
    message = refusal(folder)
    assert "damaged" in message
    assert message.endswith(AGAIN)
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"kind": "space"}, "a model of kind 'space', but 'classifier' is needed"),
        ({"language": "de"}, "made of terms in language 'de', but the topic's is 'en'"),
        (
            {"stemming": False},
            "made of words as they are written, but the topic counts stems ([reading] stemming = true)",
        ),
        ({"versions": versions() | {"scikit-learn": "0.1.0"}}, "made with scikit-learn 0.1.0, and "),
        ({"versions": versions() | {"numpy": "1.26.0"}}, "made with numpy 1.26.0, and "),
        ({"versions": {}}, "made with focused unknown, and "),
        ({"sha256": 5}, "sun.json: not the card of a model: sha256: must be text"),
        ({"more": 5}, "sun.json: not the card of a model: more"),
    ],
)
def test_a_card_that_does_not_fit_refuses_what_nobody_unpickles(
    folder: Path, tmp_path: Path, values: dict[str, Any], reason: str
) -> None:
    content = pickle.dumps(Bomb(tmp_path / "exploded"))
    (folder / "sun.joblib").write_bytes(content)
    change(folder, **{"sha256": hashlib.sha256(content).hexdigest(), **values})
    message = refusal(folder)
    assert reason in message
    assert "scrapy train classifier sun" in message
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "{}"])
def test_a_card_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "sun.json").write_text(text)
    assert "not the card of a model" in refusal(folder)


def test_a_file_without_its_other_half_is_refused(folder: Path) -> None:
    (folder / "sun.joblib").unlink()
    message = refusal(folder)
    assert "sun.joblib: cannot be read: No such file" in message
    assert message.endswith(AGAIN)
    save_model(folder, card_of(), 1)
    (folder / "sun.json").unlink()
    assert "sun.json: cannot be read: No such file" in refusal(folder)


def test_what_cannot_be_unpickled_is_refused(folder: Path) -> None:
    content = b"cnowhere\nNothing\n."
    (folder / "sun.joblib").write_bytes(content)
    change(folder, sha256=hashlib.sha256(content).hexdigest())
    assert "cannot be loaded (ModuleNotFoundError" in refusal(folder)


def test_models_of_the_package_come_second_and_may_lie_in_a_zipped_egg(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_model(tmp_path / "package", card_of(), "of the package")
    save_model(tmp_path / "package", card_of(name="moon"), "of the package")
    egg = tmp_path / "focused.egg"
    with zipfile.ZipFile(egg, "w") as file:
        for path in (tmp_path / "package").iterdir():
            file.write(path, f"focused/models/{path.name}")
    monkeypatch.setattr("focused.storage.trained_model.files", lambda _: zipfile.Path(egg, "focused/"))
    assert load_model("sun", "classifier", "en", folder) == {"solar": 1.5}
    assert load_model("moon", "classifier", "en", folder) == "of the package"
    assert load_model("sun", "classifier", "en") == "of the package"


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file")
    with pytest.raises(StorageError, match="models: cannot write a model"):
        save_model(tmp_path / "models", card_of(), 1)


class Options(StrategyOptions):
    model: str = ""


class Reading(Strategy):
    """Uses a model where there is one."""

    name, parts, trained = "reading", (), "classifier"
    Options = Options


class KnowingOptions(Options):
    knowledge: str = ""


class Knowing(Reading):
    """Uses knowledge as well."""

    knows = "knowledge"
    Options = KnowingOptions


class Needing(Reading):
    needs_model = True


def topic() -> Topic:
    return Topic(name="test", keywords=("solar",), seeds=("http://seed.example/",))


def test_a_strategy_that_needs_a_model_says_how_to_make_it() -> None:
    with pytest.raises(ModelError, match=r"needs a trained model.*scrapy train classifier NAME"):
        assemble(topic(), Needing)


def test_a_strategy_that_can_do_without_gets_none() -> None:
    assert assemble(topic(), Reading)[1].world.model is None


def test_knowledge_is_another_model_beside_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_model(folder, card_of("knowledge", "mine"), {"wind": 0.5})
    monkeypatch.setattr("focused.run.assemble.get_strategy", lambda _: Knowing)

    def asking(**options: str) -> Topic:
        return topic().model_copy(update={"strategy_options": options})

    world = assemble(asking(model="sun", knowledge="mine"), models=folder)[1].world
    assert (world.model, world.knowledge) == ({"solar": 1.5}, {"wind": 0.5})
    one, other = (model_of(asking(**named), folder) for named in ({"model": "sun"}, {"knowledge": "mine"}))
    assert one and other and model_of(asking(model="sun", knowledge="mine"), folder) == f"{one} {other}"
    with pytest.raises(
        ModelError, match=r"a model of kind 'classifier', but 'knowledge' is needed; make it: .* sun --crawl"
    ):
        assemble(asking(knowledge="sun"), models=folder)


def test_the_strategy_gets_the_model_that_its_option_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.run.assemble.get_strategy", lambda _: Reading)
    named = topic().model_copy(update={"strategy_options": {"model": "sun"}})
    assert assemble(named, models=folder)[1].world.model == {"solar": 1.5}
    with pytest.raises(ModelError, match="no model 'sun'"):
        assemble(named)
