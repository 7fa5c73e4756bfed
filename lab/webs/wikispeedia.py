"""The Wikispeedia data set as a recorded web: 4,598 articles of Wikipedia for schools (2007) with human labels.

Layout, in a folder, in a tar archive or in a folder of the publisher's two archives: ``articles.tsv``, ``categories.tsv``,
``links.tsv`` and ``plaintext_articles/<name>.txt``, names URL-encoded. R. West and J. Leskovec: Human Wayfinding in Information
Networks, WWW 2012; R. West, J. Pineau and D. Precup: Wikispeedia, IJCAI 2009. https://snap.stanford.edu/data/wikispeedia.html
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from html import escape
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from focused.exceptions import WebError
from focused.page.urls import UrlRules, host_of
from focused.simulation.recorded_web import Answer, html_answer, not_found
from lab.webs.data_set import data_files

#: Begins the block that names the article's categories ("Related subjects:"), which are the labels.
LABELS = "2007 Schools Wikipedia Selection"
#: Origin and licence, which end each article.
ORIGIN = re.compile(r'Retrieved\s+from\s+"[^"]*"\s+This\s+reference\s+article\s+is\s.*\Z', re.DOTALL)
COPYRIGHT = "#copyright"
EMPTY_LINE = re.compile(r"\n[ \t]*\n")

PROSE_INDENT = "   "  # of running text; tables and captions are indented otherwise
PROSE_WIDTH = 50  # characters: all lines of running text but the last are at least so long, wrapped at 72
PROSE_WORDS = 15  # a paragraph of running text has at least so many
PROSE_END = (".", "!", "?", ")", '"', ":")


@dataclass(slots=True, frozen=True)
class Block:
    """A heading, or a paragraph (also a table or a caption: the plain text does not tell)."""

    text: str  #: on one line
    heading: bool = False
    prose: bool = False  #: running text


@dataclass(slots=True, frozen=True)
class ArticleText:
    title: str  #: as the article shows it; empty if there is no text
    blocks: tuple[Block, ...]

    @property
    def first_paragraph(self) -> str:
        """The first running text, where an article says what it is about; empty if there is none."""
        return next((block.text for block in self.blocks if block.prose), "")


def read_article(text: str) -> ArticleText:
    """Take the text of an article apart; blocks are what stands between empty lines."""
    title, *rest = _kept(EMPTY_LINE.split(ORIGIN.sub("", text))) or [""]
    return ArticleText(_one_line(title), tuple(map(_block, rest)))


def read_title(text: str) -> str:
    """The title alone, many times faster."""
    return _one_line(next(iter(_kept(EMPTY_LINE.split(text, maxsplit=2)[:2])), ""))


def _kept(blocks: list[str]) -> list[str]:
    return [block for block in blocks if block.strip() and not block.lstrip().startswith((COPYRIGHT, LABELS))]


def _block(raw: str) -> Block:
    text = _one_line(raw)
    lines = raw.strip("\n").split("\n")
    if len(lines) == 1 and not raw.startswith((" ", "\t", "\n")):
        return Block(text, heading=True)
    indented = all(re.match(rf"{PROSE_INDENT}\S", line) for line in lines)
    wrapped = all(len(line) >= PROSE_WIDTH for line in lines[:-1])
    words = len(text.split())
    return Block(text, prose=indented and wrapped and words >= PROSE_WORDS and text.endswith(PROSE_END))


def _one_line(raw: str) -> str:
    return " ".join(raw.split())


def render(article: ArticleText, links: Mapping[str, str]) -> bytes:
    """The page in UTF-8; every link stands in it exactly once.

    links : title of the target by URL, in the order that "See also" has
    """
    mentions = Mentions(links)
    parts = []
    for block in article.blocks:
        tag = "h2" if block.heading else "p"
        text = escape(block.text, quote=False) if block.heading else mentions.linked(block.text)
        parts.append(f"<{tag}>{text}</{tag}>\n")
    if mentions.waiting:
        items = "".join(f"<li>{_anchor(url, links[url])}</li>\n" for url in mentions.waiting)
        parts.append(f"<h2>See also</h2>\n<ul>\n{items}</ul>\n")
    title = escape(article.title, quote=False)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n<body>\n'
        f"<h1>{title}</h1>\n{''.join(parts)}</body>\n</html>\n"
    ).encode()


class Mentions:
    """Finds the first mention of each target as the text goes by. Of two titles that begin at one place the longer counts.

    waiting : URLs whose target was not mentioned so far
    """

    def __init__(self, links: Mapping[str, str]) -> None:
        self.waiting = dict.fromkeys(links)
        self._urls: dict[str, str] = {}
        for url, title in links.items():
            for name in (title, _without_qualifier(title)):
                self._urls.setdefault(name.lower(), url)
        names = sorted(filter(None, self._urls), key=len, reverse=True)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", re.I) if names else None

    def linked(self, text: str) -> str:
        """The text as HTML, with the links that are mentioned in it for the first time."""
        parts, done = [], 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            url = self._urls.get(match[0].lower())
            if url in self.waiting:
                del self.waiting[url]
                parts += [escape(text[done : match.start()], quote=False), _anchor(url, match[0])]
                done = match.end()
        return "".join(parts) + escape(text[done:], quote=False)


def _without_qualifier(title: str) -> str:
    """``Mercury`` of ``Mercury (planet)``."""
    return re.sub(r" \([^()]*\)$", "", title)


def _anchor(url: str, text: str) -> str:
    return f'<a href="{escape(url)}">{escape(text, quote=False)}</a>'


#: How articles are spread over hosts: one host per subject (15), or each article on a host of its own.
LAYOUTS = ("subject", "article")
TEXTS = "plaintext_articles"
LINKS = "links.tsv"
TABLES = ("articles.tsv", "categories.tsv", LINKS)
#: Share of articles in the list that may have no text and are left out. Others count 4,604 articles and 119,882 links in the data
#: set, the copy that we measured on has 4,598 and 119,879, all with a text; if many more lack theirs, the copy is not whole.
MAY_LACK = 0.01
LONGEST_LABEL = 50  # characters of a host's first label made from a title; DNS allows 63


@dataclass(slots=True, frozen=True)
class Article:
    """One labelled article. Links are URLs of other articles of the set, each once."""

    name: str  #: URL-encoded, as the data set has it
    url: str  #: canonical
    title: str  #: as the text has it: for 57 articles the name cannot, such as AC/DC
    categories: tuple[str, ...]  #: paths such as ``subject.Science.Physics.Space_Astronomy``: the labels
    links: tuple[str, ...]
    content: bytes  #: the file

    @property
    def text(self) -> ArticleText:
        return read_article(_decoded(self.content))


class Wikispeedia:
    """All articles as HTML pages, the same for the same layout. Texts are kept in memory (95 MB), pages are not.

    Hosts of the layout ``subject`` are numbered, not named: a name would tell the label. The page shows neither the line
    "Related subjects:" nor the lines of origin and licence.

    Parameters
    ----------
    path : folder or tar archive, or a folder of the publisher's two archives
    layout : one of LAYOUTS

    Attributes
    ----------
    articles : Article by URL, in the order of names
    layout : as given
    lost : (links, labels) that name an article without text, left out
    """

    def __init__(self, path: Path, layout: str = "subject") -> None:
        if layout not in LAYOUTS:
            raise WebError(f"{layout!r} is not a layout of Wikispeedia: choose from {', '.join(LAYOUTS)}")
        self.rules = UrlRules()
        self.layout = layout
        texts, tables = _read(path)
        categories = {name: [label for label in labels if label] for name, labels in tables["categories.tsv"].items()}
        urls = _urls(sorted(texts), categories, layout, self.rules)
        links = tables[LINKS]
        self.articles = {
            url: Article(
                name,
                url,
                read_title(_decoded(texts[name])) or unquote(name).replace("_", " "),
                tuple(categories.get(name, ())),
                tuple(dict.fromkeys(urls[target] for target in links.get(name, ()) if target in urls)),
                texts[name],
            )
            for name, url in urls.items()
        }
        self.lost = (
            sum(not {source, target} <= urls.keys() for source, targets in links.items() for target in targets),
            sum(len(labels) for name, labels in categories.items() if name not in urls),
        )
        self._hosts = frozenset(map(host_of, self.articles))
        self._by_key = {self.rules.key(url): url for url in self.articles}

    @property
    def hosts(self) -> Set[str]:
        return self._hosts

    @property
    def parts(self) -> Sequence[str]:
        return ()

    def part_of(self, url: str) -> str:
        return ""

    def class_of(self, url: str) -> tuple[str, ...] | None:
        """``subject.Science.Physics`` is the class Science/Physics; an article has its first category."""
        categories = self.articles[url].categories
        return tuple(categories[0].split(".")[1:]) if categories else None

    def urls(self) -> Iterator[str]:
        return iter(self.articles)

    def answer(self, url: str) -> Answer | None:
        canonical = self.rules.canonical(url)
        if canonical is None or host_of(canonical) not in self._hosts:
            return None
        found = self._by_key.get(self.rules.key(canonical))
        if found is None:
            return not_found(url)
        article = self.articles[found]
        return html_answer(render(article.text, {link: self.articles[link].title for link in article.links}))


def parts(path: Path) -> dict[str, bytes]:
    """The files of the data set as they are read, by name and sorted, whatever folders they lie in.

    Tables are without comments and without rows of articles that have no text, and sorted.
    """
    texts, tables = _read(path)
    files = {f"{TEXTS}/{name}.txt": content for name, content in texts.items()}
    for table, rows in tables.items():
        pairs = [(first, second) for first, seconds in rows.items() for second in seconds]
        # The second column names an article as well in the table of links, and a category in the others.
        kept = [pair for pair in pairs if texts.keys() >= (set(pair) if table == LINKS else {pair[0]})]
        files[table] = "".join(sorted("\t".join(filter(None, pair)) + "\n" for pair in kept)).encode()
    return dict(sorted(files.items()))


def _read(path: Path) -> tuple[dict[str, bytes], dict[str, dict[str, list[str]]]]:
    """Texts by name, and the rows of each table by first column."""
    texts: dict[str, bytes] = {}
    tables: dict[str, dict[str, list[str]]] = {}
    for name, content in data_files(path, _is_wanted):
        file = PurePosixPath(name)
        if file.name in TABLES:
            tables[file.name] = _rows(content, f"{path}: {file.name}")
        else:
            texts[file.stem] = content
    missing = [table for table in TABLES if table not in tables] + [TEXTS] * (not texts)
    if missing:
        raise WebError(f"{path}: not the Wikispeedia data set: {', '.join(missing)} missing")
    articles = tables["articles.tsv"]
    without = len(articles.keys() - texts.keys())
    if without > MAY_LACK * len(articles):
        raise WebError(f"{path}: {without:,} of the articles in articles.tsv have no text; fetch the data set again")
    return texts, tables


def _decoded(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _is_wanted(name: str) -> bool:
    file = PurePosixPath(name)
    return file.name in TABLES or (file.parent.name == TEXTS and file.suffix == ".txt")


def _rows(content: bytes, where: str) -> dict[str, list[str]]:
    """Second column by first; a table of one column gives empty strings."""
    rows: dict[str, list[str]] = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        first, _, second = line.partition("\t")
        if "\t" in second or not first:
            raise WebError(f"{where}: line {number} has not two columns separated by a tab; fetch the data set again")
        rows.setdefault(first, []).append(second)
    return rows


def _urls(names: Iterable[str], categories: dict[str, list[str]], layout: str, rules: UrlRules) -> dict[str, str]:
    """A canonical URL for each article, by name. The domain .example is reserved (RFC 2606): nobody can be crawled."""
    if layout == "article":
        made = {name: f"http://{label}.example/" for name, label in _host_labels(names).items()}
    else:
        subjects = sorted({_subject(labels) for labels in categories.values()} - {""})
        number = {subject: place for place, subject in enumerate(subjects, start=1)}
        # An article without a category (there is one) stands on the first host.
        hosts = {name: number.get(_subject(categories.get(name, [])), 1) for name in names}
        made = {name: f"http://wiki{host:02}.example/wiki/{name}" for name, host in hosts.items()}
    urls = {name: rules.canonical(url) for name, url in made.items()}
    return {name: url for name, url in urls.items() if url is not None}


def _subject(labels: list[str]) -> str:
    """The top level of the first category, ``Science`` of ``subject.Science.Physics``; empty if there is none."""
    return labels[0].split(".")[1] if labels and "." in labels[0] else ""


def _host_labels(names: Iterable[str]) -> dict[str, str]:
    """A distinct host label for each name: its letters and digits, with a number where two are the same."""
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for name in names:
        plain = unicodedata.normalize("NFKD", unquote(name)).encode("ascii", "ignore").decode().lower()
        stem = re.sub(r"[^a-z0-9]+", "-", plain)[:LONGEST_LABEL].strip("-") or "article"
        label, number = stem, 1
        while label in taken:
            number += 1
            label = f"{stem}-{number}"
        taken.add(label)
        labels[name] = label
    return labels
