"""The pages of a portal as HTML. What comes from the Web is escaped by Jinja: no template marks it as safe."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from focused.desk.html_output import escaping_templates
from focused.desk.mapping.named_themes import NO_NAME
from focused.desk.portal.entry import Entry, key_of
from focused.exceptions import needs_extra
from focused.page.plain_text import plain

PER_PAGE = 50  #: entries that a page of a category lists
NEWEST = 20  #: entries on the first page
LONGEST_SLUG = 60
STATIC = ("portal.css", "portal_search.js")


@dataclass(frozen=True, slots=True)
class Category:
    """A category and where it lies; its entries in the order in which they are listed."""

    name: str
    slug: str
    entries: Sequence[Entry]

    @property
    def address(self) -> str:
        return f"c/{self.slug}.html"

    @property
    def feed(self) -> str:
        return f"c/{self.slug}.xml"

    def page(self, number: int) -> str:
        """Address of its page with a number, from 1 on."""
        return self.address if number == 1 else f"c/{self.slug}.{number}.html"


def categories_of(entries: Sequence[Entry]) -> list[Category]:
    """The categories of entries, the largest first."""
    found: dict[str, list[Entry]] = {}
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
        newest = sorted(entries, key=lambda one: (one.fetched, one.seq), reverse=True)[:NEWEST]
        values = {"categories": categories, "count": len(entries), "newest": newest, "addresses": addresses}
        yield "index.html", self._page("portal_index.html", "", **values)
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
