"""The registry finds every strategy by its file alone, also in a zipped egg, and answers a misspelt name."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import focused
from focused.exceptions import TopicError
from focused.strategies import get_strategy, names, packaged
from focused.strategies.dom import Dom


def test_a_strategy_is_found_by_its_name() -> None:
    assert get_strategy("dom") is Dom


def test_names_are_the_files_of_the_package_in_alphabetical_order() -> None:
    folders = [Path(focused.__file__).parent / folder for folder in ("strategies", "papers/strategies")]
    assert names() == sorted(path.stem for folder in folders for path in folder.iterdir() if path.stem[:2] != "__")


def test_an_unknown_name_is_refused_the_nearest_named_and_all_listed() -> None:
    with pytest.raises(TopicError) as refusal:
        get_strategy("best_frist")
    assert str(refusal.value) == (
        f"strategy 'best_frist' is unknown; did you mean best_first? Strategies: {', '.join(names())}"
    )


@pytest.mark.parametrize("name", ["", "__init__", "os", "/tmp/", "x" * 1000])
def test_no_name_leads_out_of_the_package(name: str) -> None:
    with pytest.raises(TopicError, match=r"is unknown\. Strategies: "):
        get_strategy(name)


def test_strategies_are_found_in_a_zipped_egg(tmp_path: Path) -> None:
    egg = tmp_path / "focused.egg"
    root = Path(focused.__file__).parent.parent
    with zipfile.ZipFile(egg, "w") as archive:
        for file in root.glob("focused/**/*.py"):
            archive.write(file, file.relative_to(root))
    script = "from focused import strategies as s; print(s.__file__, *s.names(), *map(s.get_strategy, s.names()))"
    answer = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(egg)}, cwd=tmp_path, capture_output=True, text=True
    )
    expected = [str(egg / "focused/strategies/__init__.py"), *names(), *(str(get_strategy(name)) for name in names())]
    assert answer.stdout.strip() == " ".join(expected), answer.stderr


OWN = """
from focused.crawl.strategy import Strategy

class Mine(Strategy):
    name = "mine"
    parts = ()

    def score(self, visit):
        raise NotImplementedError

not_a_strategy = 3
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package of somebody's own that has a strategy and tells so by an entry point."""
    name = f"own_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(OWN)
    about = tmp_path / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[focused.strategies]\nmine = {name}:Mine\nbroken = {name}:Gone\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_a_strategy_of_somebody_elses_is_found_by_its_import_path(own: str) -> None:
    assert get_strategy(f"{own}.Mine").name == "mine"


def test_an_entry_point_makes_its_name_known(own: str) -> None:
    assert names() == [*packaged(), "broken", "mine"]
    assert get_strategy("mine").__module__ == own


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("{own}.Gone", "cannot be imported: AttributeError"),
        ("no.such.module.Mine", "cannot be imported: ModuleNotFoundError"),
        ("broken", "cannot be imported: AttributeError"),
        ("{own}.not_a_strategy", "is no subclass of focused.crawl.strategy.Strategy"),
        ("mnie", "is unknown"),
    ],
)
def test_one_that_cannot_be_used_is_refused_in_one_line(own: str, name: str, told: str) -> None:
    with pytest.raises(TopicError, match=told) as refusal:
        get_strategy(name.format(own=own))
    assert len(str(refusal.value).splitlines()) == 1
