"""The Cora data set (McCallum and others, 2000) as a recorded web: research papers, linked by what they cite, with their classes.

Layout, in a folder or a tar archive: ``papers`` (number of a paper, file name, citation), ``citations`` (number of the citing
paper, of the cited one) and ``classifications`` (file name, class such as ``/Information_Retrieval/Retrieval/``), all with tabs;
``extractions/<file name>`` holds ``Title: ``, ``Affiliation: ``, ``Abstract: `` and more, a field a line. So its README and those
who read it say. We had no copy: nothing here was tried on the whole data set. A. McCallum, K. Nigam, J. Rennie, K. Seymore:
Automating the Construction of Internet Portals with Machine Learning, Information Retrieval 3, 2000.
https://people.cs.umass.edu/~mccallum/data.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from html import escape
from pathlib import Path, PurePosixPath
from typing import TypeVar

from focused.exceptions import WebError
from focused.reading.urls import UrlRules, host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.data_set import data_files

HOST = "cora.example"  #: reserved (RFC 2606): nobody can be crawled
PAPERS, CITATIONS, CLASSES, EXTRACTIONS = "papers", "citations", "classifications", "extractions"
TABLES = (PAPERS, CITATIONS, CLASSES)
#: What Almpanidis et al. (2007), section 5.2, take of a paper: "the abstracts, the affiliation and paper title".
TEXTS = ("Title", "Affiliation", "Abstract")
Value = TypeVar("Value")
FIELD = re.compile(
    r"([A-Z][A-Za-z-]*): ?(.*)"
)  #: begins a line of an extraction; a line without it goes on with the last one


@dataclass(slots=True, frozen=True)
class Paper:
    """One paper that was found on the Web. Links are URLs of the papers that it cites and that were found too, each once."""

    url: str
    texts: dict[str, str]  #: by name of TEXTS, those that it has
    category: tuple[str, ...]  #: its class as a path from the top: the label; empty if it has none
    links: tuple[str, ...]

    @property
    def title(self) -> str:
        return self.texts.get("Title", "")


class Cora:
    """All papers that have a text, as HTML pages of one host.

    The data set does not tell which reference of a paper is which citation, so the anchor of a link is the title of the cited
    paper. Of several files of a paper the first that has a text counts, and the first that has a class.

    Parameters
    ----------
    path : folder or tar archive

    Attributes
    ----------
    papers : Paper by URL, by number
    """

    def __init__(self, path: Path) -> None:
        self.rules = UrlRules()
        tables, texts = _read(path)
        classes = {file.lower(): category for file, category in tables[CLASSES] if category.strip("/ ")}
        files: dict[str, list[str]] = {}
        for number, file in tables[PAPERS]:
            files.setdefault(number, []).append(file.lower())  # a few are spelt in another case than their extraction
        written = {number: found for number, names in files.items() if (found := _first(texts, names))}
        urls = {
            number: f"http://{HOST}/{number}" for number in sorted(written, key=lambda number: (len(number), number))
        }
        cited: dict[str, dict[str, None]] = {}
        for citing, target in tables[CITATIONS]:
            if target in urls and target != citing:
                cited.setdefault(citing, {})[urls[target]] = None
        self.papers = {
            url: Paper(
                url,
                written[number],
                tuple(filter(None, (_first(classes, files[number]) or "").strip().split("/"))),
                tuple(cited.get(number, ())),
            )
            for number, url in urls.items()
        }
        if not self.papers:
            raise WebError(f"{path}: no paper in {PAPERS} has a text in {EXTRACTIONS}; fetch the data set again")

    @property
    def hosts(self) -> Set[str]:
        return frozenset({HOST})

    @property
    def parts(self) -> Sequence[str]:
        return ()

    def part_of(self, url: str) -> str:
        return ""

    def class_of(self, url: str) -> tuple[str, ...] | None:
        return self.papers[url].category or None

    def urls(self) -> Iterator[str]:
        return iter(self.papers)

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        if canonical is None or host_of(canonical) != HOST:
            return None
        paper = self.papers.get(canonical)
        return html_answer(self._page(paper)) if paper else not_found(url)

    def _page(self, paper: Paper) -> bytes:
        texts = "".join(
            f"<p>{escape(paper.texts[name], quote=False)}</p>\n" for name in TEXTS[1:] if name in paper.texts
        )
        items = "".join(
            f'<li><a href="{url}">{escape(self.papers[url].title, quote=False)}</a></li>\n' for url in paper.links
        )
        title = escape(paper.title, quote=False)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n<body>\n'
            f"<h1>{title}</h1>\n{texts}<h2>References</h2>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
        ).encode()


def _read(path: Path) -> tuple[dict[str, list[tuple[str, str]]], dict[str, dict[str, str]]]:
    """First two columns of each table, and the texts of each extraction by its file's name in lower case. Raises WebError."""
    tables: dict[str, list[tuple[str, str]]] = {}
    texts: dict[str, dict[str, str]] = {}
    for name, content in data_files(path, _is_wanted):
        file, text = PurePosixPath(name), content.decode("utf-8", "replace")
        if file.parent.name == EXTRACTIONS:
            texts[file.name.lower()] = _fields(text)
        else:
            tables[file.name] = list(_rows(text, f"{path}: {file.name}"))
    if missing := [table for table in TABLES if table not in tables] + [EXTRACTIONS] * (not texts):
        raise WebError(f"{path}: not the Cora data set: {', '.join(missing)} missing")
    return tables, texts


def _is_wanted(name: str) -> bool:
    file = PurePosixPath(name)
    return file.name in TABLES or file.parent.name == EXTRACTIONS


def _rows(text: str, where: str) -> Iterator[tuple[str, str]]:
    """A file that has no class has an empty second column, or none."""
    for number, line in enumerate(text.split("\n"), start=1):
        columns = [column.strip() for column in line.split("\t")]
        if not line.strip():
            continue
        if not columns[0] or (len(columns) < 2 and not where.endswith(CLASSES)):
            raise WebError(f"{where}: line {number} has not two columns separated by a tab; fetch the data set again")
        yield columns[0], columns[1] if len(columns) > 1 else ""


def _fields(text: str) -> dict[str, str]:
    """The texts of an extraction, white space collapsed; of a field that occurs twice the first."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in text.split("\n"):
        if field := FIELD.match(line):
            current = []
            found.setdefault(field[1], current)
        current.append(field[2] if field else line)
    texts = {name: " ".join(" ".join(found[name]).split()) for name in TEXTS if name in found}
    return {name: value for name, value in texts.items() if value}


def _first(by_file: dict[str, Value], files: Sequence[str]) -> Value | None:
    """What the first of these files has, if any has something."""
    return next((value for file in files if (value := by_file.get(file))), None)
