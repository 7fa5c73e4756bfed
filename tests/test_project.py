"""The files at the root agree: requirements are pinned and explained, and every tool finds the same project."""

import configparser
import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
import scrapy.commands

import focused
from focused import settings

ROOT = Path(__file__).parent.parent
REQUIREMENTS = ("requirements.txt", "requirements-all.txt", "requirements-dev.txt", "requirements-mutation.txt")


def requirement_lines(file: str) -> list[str]:
    """The requirements of a file, without comments and markers."""
    lines = (re.split("[#;]", line)[0].strip() for line in (ROOT / file).read_text().splitlines())
    return [line for line in lines if line and not line.startswith("-r ")]


def packages(file: str) -> set[str]:
    return {line.partition("==")[0] for line in requirement_lines(file)}


def explained(heading: str) -> list[str]:
    """Packages in the table under a heading of docs/reference/dependencies.md, in order."""
    section = (
        (ROOT / "docs/reference/dependencies.md").read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    )
    return re.findall(r"^\| \[([^\]]+)\]\(https://", section, re.MULTILINE)


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.mark.parametrize("file", REQUIREMENTS)
def test_every_requirement_is_pinned_to_one_version(file: str) -> None:
    assert [line for line in requirement_lines(file) if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []


def test_the_tests_run_with_the_versions_that_a_crawl_gets() -> None:
    pins = dict(line.split("==") for file in REQUIREMENTS[:2] for line in requirement_lines(file))
    assert {name: version(name) for name in pins} == pins


@pytest.mark.parametrize(
    ("file", "heading"),
    [*zip(REQUIREMENTS, ("To crawl", "For a few crawls", "To test, check and build", "To mutate"), strict=True)],
)
def test_every_requirement_is_explained_and_nothing_else_is(file: str, heading: str) -> None:
    assert sorted(explained(heading)) == sorted(packages(file))


def test_the_oldest_versions_are_the_lower_bounds(pyproject: dict[str, Any]) -> None:
    project = pyproject["project"]
    extras = [line for name, extra in project["optional-dependencies"].items() if name != "all" for line in extra]
    bounds = dict(re.split("[;,]", line)[0].split(">=") for line in (*project["dependencies"], *extras))
    oldest = dict(line.split("==") for line in requirement_lines("requirements-oldest.txt"))
    assert oldest.keys() == bounds.keys()
    assert [name for name in bounds if not f"{oldest[name]}.0.0".startswith(f"{bounds[name]}.")] == []


def test_no_package_is_required_twice() -> None:
    required = [name for file in REQUIREMENTS for name in packages(file)]
    assert len(required) == len(set(required))


def test_scrapy_and_scrapyd_find_the_settings_under_the_same_name(pyproject: dict[str, Any]) -> None:
    scrapy = configparser.ConfigParser()
    scrapy.read(ROOT / "scrapy.cfg")
    project = pyproject["project"]
    assert scrapy["settings"]["default"] == project["entry-points"]["scrapy"]["settings"] == "focused.settings"
    assert scrapy["deploy"]["project"] == project["name"].removeprefix("scrapy-") == focused.__name__


def test_nothing_tells_a_person_to_install_the_stranger() -> None:
    """`focused` on PyPI is somebody else's package."""
    wrong = re.compile(r"pip install (?:-\S+ )*'?focused\b(?![/.])|(?<![-\w])focused\[[a-z]")
    told = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("focused", "docs", "models", "lab", "README.md", "pyproject.toml", "setup.py", "Makefile")
        for path in ([ROOT / folder] if (ROOT / folder).is_file() else sorted((ROOT / folder).rglob("*")))
        if path.suffix in (".py", ".md", ".toml", ".html", ".js", "") and path.is_file()
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if wrong.search(line)
    ]
    assert told == []


def test_no_command_of_scrapy_is_taken_from_other_projects(pyproject: dict[str, Any]) -> None:
    """Every project of the environment finds what stands here; our `crawl` and `list` leave other spiders to Scrapy."""
    ours = set(pyproject["project"]["entry-points"]["scrapy.commands"])
    of_scrapy = {module.name for module in iter_modules(scrapy.commands.__path__)}
    assert ours & of_scrapy == {"crawl", "list"}
    assert ours.isdisjoint({"agent", "taxonomy", "train"})  # only for who works on this project


def test_setup_py_asks_for_the_setuptools_that_pyproject_needs(pyproject: dict[str, Any]) -> None:
    oldest = re.search(r"^OLDEST = (\d+)", (ROOT / "setup.py").read_text(), re.MULTILINE)
    assert oldest is not None
    assert pyproject["build-system"]["requires"] == [f"setuptools>={oldest[1]}"]


def test_servers_see_which_version_asks() -> None:
    assert settings.USER_AGENT.startswith(f"focused/{focused.__version__.rpartition('.')[0]} ")


def test_the_licence_file_is_the_licence_that_the_package_names(pyproject: dict[str, Any]) -> None:
    assert pyproject["project"]["license"] == "BSD-3-Clause"
    assert (ROOT / "LICENSE").read_text().startswith("BSD 3-Clause License\n")
