"""A made-up data set in the layout of Wikispeedia, small enough for a test."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import pytest

ORIGIN = """\
   Retrieved from " http://en.wikipedia.org/wiki/{name}"
   This reference article is mainly selected from the English Wikipedia
   with only minor checks and changes (see www.wikipedia.org for details
   of authors and sources) and is available under the GNU Free
   Documentation License. See also our Disclaimer.
"""
COMMENT = "# FORMAT:   in columns\n\n"


@dataclass
class Entry:
    """An article: what its text says (below the title), its labels and its links."""

    text: str = ""
    categories: Iterable[str] = ()
    links: Iterable[str] = ()


def write_wikispeedia(folder: Path, entries: Mapping[str, Entry]) -> Path:
    """Write the data set, entries by URL-encoded name; return its folder."""
    texts = folder / "wikispeedia" / "plaintext_articles"
    texts.mkdir(parents=True)
    for name, entry in entries.items():
        title = unquote(name).replace("_", " ")
        label = f"2007 Schools Wikipedia Selection. Related subjects: {'; '.join(entry.categories)}"
        parts = ["   #copyright", title, label, entry.text, ORIGIN.format(name=name)]
        (texts / f"{name}.txt").write_text("\n\n".join(parts), encoding="utf-8")
    rows = {
        "articles.tsv": entries,
        "categories.tsv": (f"{name}\t{label}" for name, entry in entries.items() for label in entry.categories),
        "links.tsv": (f"{name}\t{target}" for name, entry in entries.items() for target in entry.links),
    }
    for table, lines in rows.items():
        (texts.parent / table).write_text(COMMENT + "".join(f"{line}\n" for line in lines))
    return texts.parent


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by their paths in a folder; return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def full_data(name: str) -> Path:
    """A published data set; the test is skipped where it is not at hand."""
    path = Path(os.environ.get("FOCUSED_DATASETS", "")) / f"{name}.tar.xz"
    if "FOCUSED_DATASETS" not in os.environ or not path.exists():
        pytest.skip(f"FOCUSED_DATASETS names no folder with {name}.tar.xz")
    return path
