"""The WebKB data set (CMU World Wide Knowledge Base, 1997) as a recorded web: 8,275 pages of computer science departments.

Layout, in a folder or a tar archive: ``webkb/<category>/<university>/<url with / as ^>``. Each file holds what the server
sent: HTTP header, empty line, body, in Latin-1. http://www.cs.cmu.edu/~webkb/
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.data_set import data_files

#: In the order that decides for the seven URLs that stand under two labels.
CATEGORIES = ("staff", "project", "department", "course", "faculty", "student", "other")
#: "misc" are the departments of many other universities, a few pages of each.
UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin", "misc")

EMPTY_LINE = re.compile(rb"\r?\n\r?\n")


@dataclass(slots=True, frozen=True)
class WebKBPage:
    """One labelled page."""

    url: str  #: canonical
    category: str  #: one of CATEGORIES: the label
    university: str  #: one of UNIVERSITIES
    body: bytes


class WebKB:
    """The pages of one university, the others hidden, or of all. All pages are kept in memory (45 MB if it is all).

    Parameters
    ----------
    path : folder or tar archive (.tar, .tar.gz, .tar.xz)
    university : one of UNIVERSITIES; None for all of them
    fold_index : ``/index.html`` and ``/`` are one page, as in Almpanidis et al. (2007)

    Attributes
    ----------
    pages : WebKBPage by canonical URL, in the order of CATEGORIES and then of file names
    seeds : URL of the department page by university; misc, which has many, is left out
    unserved : number of files that are not served because their URL is not http (52 ftp: and file: in the full set)
    files : number of files read, all universities
    """

    def __init__(self, path: Path, university: str | None = None, fold_index: bool = True) -> None:
        if university not in (None, *UNIVERSITIES):
            raise WebError(f"{university!r} is not a university of WebKB: choose from {', '.join(UNIVERSITIES)}")
        self.rules = UrlRules(fold_index=fold_index)
        self.pages: dict[str, WebKBPage] = {}
        self.seeds: dict[str, str] = {}
        self.unserved = 0
        self.files = 0
        for category, school, name, content in sorted(_files(path), key=_precedence):
            self.files += 1
            url = self.rules.canonical(name.replace("^", "/"))
            if url is None:
                self.unserved += 1
            elif url not in self.pages and university in (None, school):
                self.pages[url] = WebKBPage(url, category, school, _body(content))
        if not self.pages:
            raise WebError(f"{path}: holds no file webkb/<category>/<university>/<url with / as ^>")
        departments = [page for page in self.pages.values() if page.category == "department"]
        count = Counter(page.university for page in departments)
        self.seeds = {page.university: page.url for page in departments if count[page.university] == 1}
        self._hosts = frozenset(map(host_of, self.pages))
        self._by_key = {self.rules.key(url): page for url, page in self.pages.items()}

    @property
    def hosts(self) -> Set[str]:
        return self._hosts

    @property
    def parts(self) -> Sequence[str]:
        return UNIVERSITIES

    def part_of(self, url: str) -> str:
        return self.pages[url].university

    def class_of(self, url: str) -> tuple[str, ...] | None:
        return (self.pages[url].category,)

    def urls(self) -> Iterator[str]:
        return iter(self.pages)

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        if canonical is None or host_of(canonical) not in self._hosts:
            return None
        page = self._by_key.get(self.rules.key(canonical))  # C%2b%2b is C%2B%2B, as servers have it
        return html_answer(page.body, charset="iso-8859-1") if page else not_found(url)


def parts(path: Path) -> dict[str, bytes]:
    """The files of the data set, by name and sorted, whatever folders they lie in: ``category/university/url``."""
    return dict(sorted(("/".join(names), content) for *names, content in _files(path)))


File = tuple[str, str, str, bytes]  # category, university, file name, content


def _precedence(file: File) -> tuple[int, str]:
    category, _, name, _ = file
    return CATEGORIES.index(category), name


def _body(content: bytes) -> bytes:
    """The content without its HTTP header, if it has one: damaged headers are there, so a body is known by its first tag."""
    end = None if content.lstrip().startswith(b"<") else EMPTY_LINE.search(content)
    return content[end.end() :] if end else content


def _files(path: Path) -> Iterator[File]:
    for name, content in data_files(path, _is_wanted):
        category, university, file = PurePosixPath(name).parts[-3:]
        yield category, university, file, content


def _is_wanted(name: str) -> bool:
    category, university, _ = ("", "", *PurePosixPath(name).parts)[-3:]
    return category in CATEGORIES and university in UNIVERSITIES
