"""Trained models: a card vouches for the file beside it, which is data and runs nothing."""

import hashlib
import io
import json
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focused.collection.snapshot import encode
from focused.collection.trained_model import load_model, save_model
from focused.crawl.strategy import Strategy, StrategyOptions
from focused.exceptions import ModelError, StorageError
from focused.live.assemble import assemble, model_of
from focused.topic.topic import Topic
from tests.training.models import card_of

AGAIN = "make it anew: scrapy train sun classifier --folder 'my pages'"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one model, which is data."""
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
    assert about["sha256"] == hashlib.sha256((folder / "sun.npz").read_bytes()).hexdigest()
    assert about["scores"] == {"accuracy": 0.9}
    assert {"focused", "scikit-learn", "numpy", "python"} <= about["versions"].keys()


def test_a_model_that_is_not_there_is_told_with_the_nearest_and_the_command(folder: Path) -> None:
    message = refusal(folder, "sum")
    assert message.startswith(
        f"no model 'sum' in {folder}, nor in the package; did you mean sun?; make it: scrapy train"
    )
    assert "scrapy train sum classifier" in message
    assert "no model 'sun'" in refusal(None)


@pytest.mark.parametrize("name", ["../sun", "", ".sun", "a/b"])
def test_a_name_is_no_path(folder: Path, name: str) -> None:
    assert "is not a name for a model" in refusal(folder, name)


def test_changed_bytes_are_never_read(folder: Path) -> None:
    (folder / "sun.npz").write_bytes((folder / "sun.npz").read_bytes() + b" ")
    message = refusal(folder)
    assert "damaged" in message
    assert message.endswith(AGAIN)


def test_a_pickle_of_an_earlier_release_is_refused_and_never_runs(folder: Path, tmp_path: Path) -> None:
    (folder / "sun.npz").unlink()
    (folder / "sun.joblib").write_bytes(pickle.dumps(Bomb(tmp_path / "exploded")))
    change(folder, format="pickle", signature="0" * 64, versions={"focused": "0.1.0"})
    message = refusal(folder)
    assert message.startswith(f"{folder / 'sun.joblib'}: a pickle of an earlier release")
    assert message.endswith(AGAIN)
    assert not (tmp_path / "exploded").exists()


def test_a_model_made_anew_takes_the_place_of_a_pickle(folder: Path) -> None:
    (folder / "sun.joblib").write_bytes(b"x")
    assert load_model("sun", "classifier", "en", folder) == {"solar": 1.5}


@pytest.mark.parametrize("model", [frozenset({"solar"}), {1: "one"}, (1, 2)])
def test_what_cannot_be_kept_as_data_is_not_kept(tmp_path: Path, model: object) -> None:
    with pytest.raises(
        ModelError, match=rf"^model sun: a {type(model).__name__} is no plain value.* state and restored"
    ):
        save_model(tmp_path / "models", card_of(), model)
    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"\x93NUMPY", pickle.dumps({}), encode({}), encode({"state": {}}), b"\x80\x04" + bytes(50)]
)
def test_data_that_is_no_model_is_refused(folder: Path, content: bytes) -> None:
    (folder / "sun.npz").write_bytes(content)
    change(folder, sha256=hashlib.sha256(content).hexdigest())
    assert "sun.npz: cannot be loaded (" in refusal(folder)


def test_arrays_that_would_swell_are_refused(folder: Path) -> None:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, plain=np.frombuffer(b'{"value": 1}', np.uint8), bomb=np.zeros(10**6))
    (folder / "sun.npz").write_bytes(buffer.getvalue())
    change(folder, sha256=hashlib.sha256(buffer.getvalue()).hexdigest())
    assert "compressed, as we never write it" in refusal(folder)


def test_an_array_of_objects_is_never_unpickled(folder: Path, tmp_path: Path) -> None:
    buffer = io.BytesIO()
    bombs = np.array([Bomb(tmp_path / "exploded")], object)
    np.savez(buffer, plain=np.frombuffer(b'{"value": 1}', np.uint8), bomb=bombs, allow_pickle=True)
    (folder / "sun.npz").write_bytes(buffer.getvalue())
    change(folder, sha256=hashlib.sha256(buffer.getvalue()).hexdigest())
    assert "Object arrays cannot be loaded" in refusal(folder)
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
        ({"versions": {}}, "made with focused unknown, and "),
        ({"sha256": 5}, "sun.json: not the card of a model: sha256: must be text"),
    ],
)
def test_a_card_that_does_not_fit_refuses_its_model(folder: Path, values: dict[str, Any], reason: str) -> None:
    change(folder, **values)
    message = refusal(folder)
    assert reason in message
    assert "scrapy train sun classifier" in message


def test_a_card_that_tells_more_is_read(folder: Path) -> None:
    change(folder, format="data", signature="")
    assert load_model("sun", "classifier", "en", folder) == {"solar": 1.5}


@pytest.mark.parametrize("text", ["", "no JSON", "[]", "{}"])
def test_a_card_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "sun.json").write_text(text)
    assert "not the card of a model" in refusal(folder)


def test_a_file_without_its_other_half_is_refused(folder: Path) -> None:
    (folder / "sun.npz").unlink()
    message = refusal(folder)
    assert "sun.npz: cannot be read: No such file" in message
    assert message.endswith(AGAIN)
    save_model(folder, card_of(), 1)
    (folder / "sun.json").unlink()
    assert "sun.json: cannot be read: No such file" in refusal(folder)


def test_models_of_the_package_come_second_and_may_lie_in_a_zipped_egg(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_model(tmp_path / "package", card_of(), "of the package")
    save_model(tmp_path / "package", card_of(name="moon"), "of the package")
    egg = tmp_path / "focused.egg"
    with zipfile.ZipFile(egg, "w") as file:
        for path in (tmp_path / "package").iterdir():
            file.write(path, f"focused/models/{path.name}")
    monkeypatch.setattr("focused.collection.trained_model.files", lambda _: zipfile.Path(egg, "focused/"))
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
    with pytest.raises(ModelError, match=r"needs a trained model.*scrapy train NAME classifier"):
        assemble(topic(), Needing)


def test_a_strategy_that_can_do_without_gets_none() -> None:
    assert assemble(topic(), Reading)[1].world.model is None


def test_knowledge_is_another_model_beside_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_model(folder, card_of("knowledge", "mine"), {"wind": 0.5})
    monkeypatch.setattr("focused.live.assemble.get_strategy", lambda _: Knowing)

    def asking(**options: str) -> Topic:
        return topic().model_copy(update={"strategy_options": options})

    world = assemble(asking(model="sun", knowledge="mine"), models=folder)[1].world
    assert (world.model, world.knowledge) == ({"solar": 1.5}, {"wind": 0.5})
    one, other = (model_of(asking(**named), folder) for named in ({"model": "sun"}, {"knowledge": "mine"}))
    assert one and other and model_of(asking(model="sun", knowledge="mine"), folder) == f"{one} {other}"
    with pytest.raises(
        ModelError,
        match=r"a model of kind 'classifier', but 'knowledge' is needed; make it: scrapy train sun knowledge --crawl",
    ):
        assemble(asking(knowledge="sun"), models=folder)


def test_the_strategy_gets_the_model_that_its_option_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focused.live.assemble.get_strategy", lambda _: Reading)
    named = topic().model_copy(update={"strategy_options": {"model": "sun"}})
    assert assemble(named, models=folder)[1].world.model == {"solar": 1.5}
    with pytest.raises(ModelError, match="no model 'sun'"):
        assemble(named)
