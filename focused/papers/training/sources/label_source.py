"""A file that says of URLs which class they belong to: CSV, TOML, or the label file of a topic of a data set."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

from focused.exceptions import TrainingError
from focused.page.plain_text import uncelled
from focused.page.urls import UrlRules
from focused.papers.strategies.focused.taxonomy import Node, node_of
from focused.papers.training.examples import OTHER, RELEVANT
from focused.simulation.labels import LABELS_SUFFIX, read_labels
from focused.topic.plain_files import read_text

Labels = Callable[[str], Node | None]  #: class of a canonical URL; None if nothing is known of it


def read_url_labels(path: Path, rules: UrlRules) -> Labels:
    """Read labels.

    path : .csv (two columns: URL and class, the first line may name them), .toml (``"science/physics" = [URL, ...]``), or
        .labels.json as `python -m lab datasets` writes it (targets are relevant, all the rest is not)
    rules : make URLs canonical

    Raises TrainingError (or the FocusedError of its reader) for a file that is none of these, with the line where it is not.
    """
    if path.name.endswith(LABELS_SUFFIX):
        return _judged(path)
    if path.suffix == ".csv":
        pairs: Iterable[tuple[str, str]] = _csv(path)
    elif path.suffix == ".toml":
        pairs = _toml(path)
    else:
        raise TrainingError(f"{path}: labels are read from .csv, .toml and {LABELS_SUFFIX} files")
    found: dict[str, Node] = {}
    for url, name in pairs:
        canonical = rules.canonical(url)
        if canonical is None:
            raise TrainingError(f"{path}: {url!r} is not an http(s) URL")
        if not node_of(name):
            raise TrainingError(f"{path}: {url}: the class is empty")
        found[canonical] = node_of(name)
    if not found:
        raise TrainingError(f"{path}: holds no label")
    return found.get


def _judged(path: Path) -> Labels:
    judgements = read_labels(path).judgements

    def label(url: str) -> Node | None:
        if url in judgements.neutral:
            return None
        return RELEVANT if url in judgements.relevant else OTHER

    return label


def _csv(path: Path) -> Iterable[tuple[str, str]]:
    for number, row in enumerate(csv.reader(read_text(path).splitlines()), start=1):
        if not row or (number == 1 and "://" not in row[0]):
            continue
        if len(row) != 2:
            raise TrainingError(f"{path}: line {number} has {len(row)} columns; two are needed: URL and class")
        yield uncelled(row[0].strip()), uncelled(row[1].strip())


def _toml(path: Path) -> Iterable[tuple[str, str]]:
    try:
        classes = tomllib.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise TrainingError(f"{path}: not valid TOML: {error}") from None
    for name, urls in classes.items():
        if not (isinstance(urls, list) and all(isinstance(url, str) for url in urls)):
            raise TrainingError(f'{path}: {name} must be a list of URLs, as in "{name}" = ["https://a.example/"]')
        for url in urls:
            yield url, name
