"""A selection of the Cora data set as a recorded web: 2,708 papers on machine learning in seven classes, linked by citations.

Layout, in a folder or a tar archive, columns with tabs: ``cora.content`` (paper, 1,433 times 0 or 1, class) and ``cora.cites``
(cited paper, citing one). Terms have no names there, so term 17 is the word ``w0017``. P. Sen, G. Namata, M. Bilgic, L. Getoor, B.
Gallagher and T. Eliassi-Rad: Collective Classification in Network Data, AI Magazine 29(3), 2008. https://linqs.org/datasets/#cora
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.data_set import data_files

HOST = "cora.example"  #: reserved (RFC 2606): nobody can be crawled
CONTENT, CITES = "cora.content", "cora.cites"


@dataclass(slots=True, frozen=True)
class Paper:
    """One paper. Links are URLs of the papers that it cites and that cite it, as a digital library shows them, each once."""

    category: str  #: its class: the label
    words: tuple[str, ...]
    links: tuple[str, ...]


class Cora:
    """All papers, as HTML pages of one host.

    Attributes
    ----------
    papers : Paper by URL, in the order of the file
    """

    def __init__(self, path: Path) -> None:
        files = {name: content.decode("ascii", "replace").splitlines() for name, content in parts(path).items()}
        rows = [line.split("\t") for line in files[CONTENT]]
        urls = {name: f"http://{HOST}/{name}" for name, *_ in rows}
        links: dict[str, dict[str, None]] = {name: {} for name in urls}
        for line in files[CITES]:
            ends = line.split("\t")
            if len(ends) != 2 or not urls.keys() >= set(ends):
                raise WebError(f"{path}: {CITES}: {line!r} are not two known papers; fetch the data set again")
            for one, other in (ends, ends[::-1]):
                links[one][urls[other]] = None
        self.rules = UrlRules()
        self.papers = {
            urls[name]: Paper(
                category,
                tuple(f"w{term:04}" for term, present in enumerate(terms) if present == "1"),
                tuple(links[name]),
            )
            for name, *terms, category in rows
        }

    @property
    def hosts(self) -> Set[str]:
        return frozenset({HOST})

    @property
    def parts(self) -> Sequence[str]:
        return ()

    def part_of(self, url: str) -> str:
        return ""

    def class_of(self, url: str) -> tuple[str, ...] | None:
        return (self.papers[url].category,)

    def urls(self) -> Iterator[str]:
        return iter(self.papers)

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        if canonical is None or host_of(canonical) != HOST:
            return None
        paper = self.papers.get(canonical)
        return html_answer(_page(paper)) if paper else not_found(url)


def _page(paper: Paper) -> bytes:
    """Links have no text, as none was published of what a citation says."""
    items = "".join(f'<li><a href="{url}"></a></li>\n' for url in paper.links)
    words = " ".join(paper.words)
    return f'<!DOCTYPE html>\n<html lang="en">\n<body>\n<p>{words}</p>\n<ul>\n{items}</ul>\n</body>\n</html>\n'.encode()


def parts(path: Path) -> dict[str, bytes]:
    """Both files by name, whatever folder they lie in and whatever ends their lines. WebError if one is missing."""
    found = {
        PurePosixPath(name).name: b"\n".join(content.splitlines()) + b"\n"
        for name, content in data_files(path, lambda name: PurePosixPath(name).name in (CONTENT, CITES))
    }
    if missing := [name for name in (CITES, CONTENT) if name not in found]:
        raise WebError(f"{path}: not the Cora data set: {', '.join(missing)} missing")
    return dict(sorted(found.items()))
