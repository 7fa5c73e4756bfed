"""The pages of a portal as HTML. What comes from the Web is escaped by Jinja: no template marks it as safe."""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from focused.desk.html_output import escaping_templates, script_json
from focused.desk.mapping.page_map import NO_NAME
from focused.desk.portal.entry import PortalEntry, key_of
from focused.exceptions import ExportError, needs_extra
from focused.export.targets import errors_told
from focused.page.plain_text import plain
from focused.topic.plain_files import replace_file, shown_path

FEWEST_SHARDS, MOST_SHARDS = 16, 512
PER_SHARD = 20  #: pages for which a shard of words is made
PAGES_EACH = 50  #: pages that a shard of titles has
MOST_PAGES = 2_000  #: of a word: those in which it has the greatest weight
WEIGHTS = 16  #: a page and its weight are one number: page · WEIGHTS + weight
LONGEST_TITLE, LONGEST_EXCERPT = 160, 240  #: characters that a hit shows
PER_PAGE = 50  #: entries that a page of a category lists
NEWEST = 20  #: entries on the first page
LONGEST_SLUG = 60
STATIC = ("portal.css", "portal_search.js")
MARK = ".portal.json"  #: tells the folder of a portal from any other
#: Folders of ours, and what files in them are called: nothing else is ever deleted.
OURS = {
    "p": re.compile(r"[0-9a-f]{16}\.html"),
    "c": re.compile(r"[a-z0-9-]+(\.\d+)?\.(html|xml)"),
    "s": re.compile(r"([wt]\d+|about)\.js"),
}
UNFINISHED = re.compile(r"\.\d+\.tmp$")  #: end of a name that `replace_file` left behind when it was killed


def shards_for(pages: int) -> int:
    """How many shards of words: a power of two, so that it rarely changes as a portal grows."""
    count = FEWEST_SHARDS
    while count < MOST_SHARDS and count * PER_SHARD < pages:
        count *= 2
    return count


def shard_of(word: str, shards: int) -> int:
    """Where a word lies; portal_search.js computes the same."""
    number = 0
    for letter in word[:3]:
        number = (number * 31 + ord(letter)) % 1_000_003
    return number % shards


def search_files(entries: Sequence[PortalEntry], addresses: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file; ``about.js`` comes last.

    addresses : of categories
    """
    shards = shards_for(len(entries))
    yield from _word_files(entries, shards)
    names = sorted(addresses)
    numbers = {name: number for number, name in enumerate(names)}
    titles: dict[int, list[Any]] = {}
    for entry in entries:
        part, at = divmod(entry.number, PAGES_EACH)
        titles.setdefault(part, []).append([at, *_hit(entry, numbers)])
    for part, rows in sorted(titles.items()):
        yield f"t{part}.js", _script("titles", part, sorted(rows))
    places = [[name, addresses[name]] for name in names]
    yield "about.js", _script("about", len(entries), shards, PAGES_EACH, WEIGHTS, places)


def _word_files(entries: Sequence[PortalEntry], shards: int) -> Iterator[tuple[str, bytes]]:
    pages = defaultdict[str, "array[int]"](lambda: array("Q"))
    for entry in sorted(entries, key=lambda one: one.number):
        for word, weight in entry.weights():
            pages[word].append(entry.number * WEIGHTS + weight)
    words = defaultdict[int, list[str]](list)
    for word in sorted(pages):
        words[shard_of(word, shards)].append(word)
    for shard, some in sorted(words.items()):
        yield f"w{shard}.js", _script("words", shard, [[word, len(pages[word]), _steps(pages[word])] for word in some])


def _steps(pages: Sequence[int]) -> list[int]:
    """Each number as the distance from the one before it: shorter."""
    if len(pages) > MOST_PAGES:
        pages = sorted(sorted(pages, key=lambda one: (-(one % WEIGHTS), one))[:MOST_PAGES])
    return [one - before for before, one in pairwise([0, *pages])]


def _hit(entry: PortalEntry, numbers: Mapping[str, int]) -> tuple[Any, ...]:
    excerpt = entry.abstract
    if len(excerpt) > LONGEST_EXCERPT:
        excerpt = f"{excerpt[:LONGEST_EXCERPT].rpartition(' ')[0] or excerpt[:LONGEST_EXCERPT]}…"
    date = entry.published or entry.fetched[:10]
    title = entry.title[:LONGEST_TITLE] or entry.url[:LONGEST_TITLE]
    return entry.key, title, entry.host, date, numbers[entry.category], excerpt, entry.language


def _script(name: str, *values: object) -> bytes:
    """A call with plain values. ASCII without < and >: no encoding and no page can make anything else of it."""
    return f"portal.{name}({script_json(values)[1:-1]});\n".encode()


@dataclass(frozen=True, slots=True)
class Category:
    """A category and where it lies; its entries in the order in which they are listed."""

    name: str
    slug: str
    entries: Sequence[PortalEntry]

    @property
    def address(self) -> str:
        return f"c/{self.slug}.html"

    @property
    def feed(self) -> str:
        return f"c/{self.slug}.xml"

    def page(self, number: int) -> str:
        """Address of its page with a number, from 1 on."""
        return self.address if number == 1 else f"c/{self.slug}.{number}.html"


def categories_of(entries: Sequence[PortalEntry]) -> list[Category]:
    """The categories of entries, the largest first."""
    found: dict[str, list[PortalEntry]] = {}
    for entry in entries:
        found.setdefault(entry.category, []).append(entry)
    taken: set[str] = set()
    categories = []
    for name in sorted(found):
        slug = slug_of(name)
        if slug in taken:
            slug = f"{slug}-{key_of(name)[:6]}"
        taken.add(slug)
        categories.append(Category(name, slug, found[name]))
    return sorted(categories, key=lambda one: (one.name == NO_NAME, -len(one.entries), one.name))


def newest_of(entries: Sequence[PortalEntry], most: int) -> list[PortalEntry]:
    """Those that were fetched last, the newest first."""
    return sorted(entries, key=lambda one: (one.fetched, one.seq), reverse=True)[:most]


def slug_of(name: str) -> str:
    """A name for an address: small letters, digits and hyphens; a hash of what cannot be written so."""
    parts = unicodedata.normalize("NFKD", name.lower())
    letters = "".join(one for one in parts if not unicodedata.combining(one))
    slug = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:LONGEST_SLUG].strip("-")
    is_whole = all(one.isascii() or not one.isalnum() for one in letters) and slug
    return slug if is_whole else f"{slug}-{key_of(name)[:6]}".strip("-")


class SitePages:
    """Makes the files of a portal but its feeds and its index.

    Raises FocusedError where the package is missing that this needs.
    """

    def __init__(self, title: str, *, accepted_only: bool) -> None:
        with needs_extra("dashboard", "a portal"):
            self._jinja = escaping_templates("focused.desk.portal")
        self._jinja.filters["cut"] = cut
        folder = files("focused.desk.portal").joinpath("static")
        self._static = {name: folder.joinpath(name).read_bytes() for name in STATIC}
        version = hashlib.sha256(b"".join(self._static.values())).hexdigest()[:12]
        self._jinja.globals.update(title=plain(title), accepted_only=accepted_only, version=version)

    def files(self, categories: Sequence[Category], index_version: str) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the content of each file.

        index_version : changes with the files of the search, so that no browser keeps old ones
        """
        yield from self._static.items()
        addresses = {one.name: one.address for one in categories}
        entries = [entry for one in categories for entry in one.entries]
        values = {"categories": categories, "count": len(entries), "newest": newest_of(entries, NEWEST)}
        yield "index.html", self._page("portal_index.html", "", addresses=addresses, **values)
        yield "search.html", self._page("portal_search.html", "", index_version=index_version)
        for category in categories:
            last = -(-len(category.entries) // PER_PAGE)
            for number in range(1, last + 1):
                part = category.entries[(number - 1) * PER_PAGE : number * PER_PAGE]
                values = {"category": category, "part": part, "number": number, "last": last}
                yield category.page(number), self._page("portal_category.html", "../", **values)
            for entry in category.entries:
                yield f"p/{entry.key}.html", self._page("portal_entry.html", "../", entry=entry, category=category)

    def _page(self, template: str, root: str, **values: Any) -> bytes:
        return self._jinja.get_template(template).render(root=root, **values).encode("utf-8", "replace")


def cut(text: str, most: int) -> str:
    return f"{text[: most - 1].rstrip()}…" if len(text) > most else text


@dataclass
class SiteFolder:
    """The site of one collection. Files of other people in it stay: ``CNAME``, ``.nojekyll``, ``robots.txt``.

    Raises ExportError where the folder is not one that a portal of this collection may use, or cannot be written.
    """

    path: Path
    collection: str
    written: int = 0
    deleted: int = 0
    size: int = 0  #: bytes of all files
    _made: set[str] = field(default_factory=set)

    def begin(self) -> None:
        """Take the folder, which may be there already."""
        with errors_told(self.path):
            if self.path.exists() and not self.path.is_dir():
                raise ExportError(f"{shown_path(self.path)}: is a file: name a folder")
            mark = self.path / MARK
            if mark.is_file():
                self._check(mark)
            elif self.path.is_dir() and any(self.path.iterdir()):
                others = "has files that are not of a portal: name a new or an empty folder"
                raise ExportError(f"{shown_path(self.path)}: {others}")
            for name in ("", *OURS):
                (self.path / name).mkdir(parents=True, exist_ok=True)
            self.write(MARK, (json.dumps({"portal of": self.collection}) + "\n").encode())

    def write(self, name: str, content: bytes) -> None:
        """Give a file its content. Whoever reads it meanwhile sees the old or the new one, never half of it."""
        path = self.path / name
        self._made.add(name)
        self.size += len(content)
        with errors_told(path):
            with suppress(FileNotFoundError):
                if path.read_bytes() == content:
                    return
            replace_file(path, content)
        self.written += 1

    def end(self) -> None:
        """Delete files of ours that were not made this time."""
        with errors_told(self.path):
            for path in self._old():
                path.unlink()
                self.deleted += not UNFINISHED.search(path.name)

    def _old(self) -> Iterator[Path]:
        for folder, ours in OURS.items():
            with os.scandir(self.path / folder) as found:
                for one in list(found):
                    name = UNFINISHED.sub("", one.name)
                    if ours.fullmatch(name) and f"{folder}/{one.name}" not in self._made:
                        yield Path(one.path)

    def _check(self, mark: Path) -> None:
        try:
            of = json.loads(mark.read_bytes()).get("portal of")
        except (ValueError, AttributeError, RecursionError):
            raise ExportError(f"{shown_path(mark)}: is not what a portal wrote: delete it and the folder") from None
        if of != self.collection:
            other = f"is the portal of another collection ({of!s:.100}): name another folder"
            raise ExportError(f"{shown_path(self.path)}: {other}")
