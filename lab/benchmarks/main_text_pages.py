"""Pages whose main text is known: a folder of pages with expected texts, or a recorded web whose templates mark their main text."""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from lxml import etree, html
from warcio.archiveiterator import ArchiveIterator

from focused.exceptions import EvaluationError
from focused.page.decoding import decode
from focused.page.urls import host_of

#: Generators of documentation, by what only their pages have, and where they put the text that an author wrote.
TEMPLATES = {
    "sphinx-rtd": ("//div[@itemprop='articleBody']",),
    "sphinx": ("//div[@class='body' and @role='main']",),
    "furo": ("//article[@id='furo-main-content']",),
    "pydata": ("//article[contains(@class, 'bd-article')]",),
    "mkdocs": ("//article[contains(@class, 'md-content__inner')]",),
    "mediawiki": ("//div[@id='mw-content-text']",),
    "rustdoc": ("//section[@id='main-content']",),
    "doxygen": ("//div[@class='headertitle']", "//div[@class='contents']"),
    "docbook": ("//body[../head/meta[starts-with(@content, 'DocBook')]]",),
    "texinfo": ("//body[../head/meta[contains(@content, 'makeinfo') or contains(@content, 'texi2any')]]",),
    "asciidoctor": ("//div[@id='content' and //meta[starts-with(@content, 'Asciidoctor')]]",),
}
#: What these generators put inside it that no author wrote: marks to link to, the way to the next page, scripts.
_LEFT_OUT = (
    "//a[contains(@class, 'headerlink')]|//div[@class='navheader' or @class='navfooter']|//script|//style|//noscript"
    "|//div[@class='header' and not(.//div[@class='headertitle'])]"
    "|//table[@class='navigation']|//div[@class='nav-panel' or @class='footer']|//a[@class='copiable-link']"
)
FEWEST_WORDS = 50  #: of a main text; shorter ones are stubs
MOST_LINKED = (
    0.5  #: of its characters; what is more than this is a listing, of which nobody can say what its main text is
)
PER_HOST = 3  #: pages drawn of each host of a web, so that no large site decides
SPLITS = ("tune", "report")


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page, and what an extractor should find on it."""

    name: str  #: file or URL
    site: str  #: pages of one site are not independent: intervals draw whole sites
    kind: str  #: "article", or the generator that made it
    markup: str
    expected: str  #: plain text


def labelled_pages(source: Path, split: str) -> Iterator[LabelledPage]:
    """Pages of a folder or a WARC file that belong to one split, or to any if it is ``all``; a hash of a site's name draws it.

    A folder holds ``html/NAME.html`` (or .html.gz), and the texts as ``txt/NAME.txt`` (newspaper4k's tests) or all in
    ``ground-truth.json`` (Scrapinghub's article extraction benchmark), or each in ``ground-truth/NAME.json`` with its kind (folders
    of WCXB). EvaluationError if it holds no such pages.
    """
    pages = _of_folder(source) if source.is_dir() else _of_warc(source)
    found = False
    for page in pages:
        found = True
        if split in ("all", split_of(page.site)):
            yield page
    if not found:
        raise EvaluationError(
            f"{source}: no page with a known main text; give a folder with html/NAME.html and txt/NAME.txt or "
            "ground-truth.json, or a WARC file of pages of documentation"
        )


def split_of(site: str) -> str:
    return SPLITS[blake2b(site.encode(), digest_size=1).digest()[0] % len(SPLITS)]


def _of_folder(folder: Path) -> Iterator[LabelledPage]:
    truth = folder / "ground-truth.json"
    known = json.loads(truth.read_text(encoding="utf-8")) if truth.exists() else {}
    texts = {name: (facts["articleBody"], facts.get("url", name)) for name, facts in known.items()}
    texts |= {path.stem: (path.read_text(encoding="utf-8"), path.stem) for path in sorted(folder.glob("txt/*.txt"))}
    kinds: dict[str, str] = {}
    for path in sorted(folder.glob("ground-truth/*.json")):
        said = json.loads(path.read_text(encoding="utf-8"))
        facts = said["ground_truth"]
        if expected := facts.get("main_content") or facts.get("articleBody"):
            texts[path.stem] = expected, said.get("url", path.stem)
            kinds[path.stem] = said["_internal"]["page_type"]["primary"]
    for name, (expected, url) in texts.items():
        for path in (folder / "html" / f"{name}.html", folder / "html" / f"{name}.html.gz"):
            if path.exists():
                body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
                site, kind = host_of(url) if "://" in url else name, kinds.get(name, "article")
                yield LabelledPage(name, site, kind, decode(body), expected)


def _of_warc(path: Path) -> Iterator[LabelledPage]:
    drawn: defaultdict[str, list[tuple[str, bytes]]] = defaultdict(list)
    seen: defaultdict[str, int] = defaultdict(int)
    chance = random.Random(18)
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            if record.rec_type != "response" or record.http_headers.get_statuscode() != "200":
                continue
            host = host_of(url)
            seen[host] += 1
            place = len(drawn[host]) if len(drawn[host]) < PER_HOST else chance.randrange(seen[host])
            if place < PER_HOST:
                drawn[host][place : place + 1] = [(url, record.content_stream().read())]
    for host in sorted(drawn):
        for url, body in drawn[host]:
            if page := _page_of_template(url, host, body):
                yield page


def _page_of_template(url: str, host: str, body: bytes) -> LabelledPage | None:
    markup = decode(body)
    try:
        root: Any = html.document_fromstring(markup.encode(), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    except (etree.LxmlError, ValueError):
        return None
    for element in root.xpath(_LEFT_OUT):
        element.drop_tree()
    for kind, places in TEMPLATES.items():
        parts = [part for place in places for part in root.xpath(place)]
        if not parts:
            continue
        expected = " ".join(_text(part) for part in parts)
        linked = sum(len(_text(link)) for part in parts for link in part.xpath(".//a"))
        if len(expected.split()) < FEWEST_WORDS or linked > MOST_LINKED * len(expected):
            return None
        return LabelledPage(url, host, kind, markup, expected)
    return None


def _text(element: html.HtmlElement) -> str:
    """Text with spaces where a browser shows them: none between inline elements."""
    inline = frozenset(
        ("a", "b", "i", "em", "strong", "code", "span", "tt", "sub", "sup", "var", "abbr", "small", "kbd")
    )
    pieces: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        space = "" if node.tag in inline else " "
        if event == "start" and isinstance(node.tag, str):
            pieces += (space, node.text or "")
        elif event == "end" and node is not element:
            pieces += (space, node.tail or "")
    return " ".join("".join(pieces).split())


def without_names(markup: str) -> str:
    """A page whose elements tell nothing by their names: no class, id or role, and div for nav, main and the like."""
    root: Any = html.document_fromstring(markup.encode(), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    for element in root.iter(etree.Element):
        for name in ("class", "id", "role", "itemprop", "itemtype", "aria-label", "aria-hidden"):
            if name in element.attrib:
                del element.attrib[name]
        if element.tag in ("main", "article", "nav", "header", "footer", "aside", "section", "dialog", "menu"):
            element.tag = "div"
    return str(etree.tostring(root, encoding="unicode", method="html"))
