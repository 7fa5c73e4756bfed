"""`scrapy portal`: a collection as a static site for other people, and what its editors say of pages."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from focused.exceptions import ExportError
from focused.explain.command import FocusedCommand
from focused.page.plain_text import plain
from focused.topic.plain_files import shown_path

if TYPE_CHECKING:
    from focused.collection.store import Store
    from focused.desk.portal.editing import Placement


class Command(FocusedCommand):
    """Reads a collection, also while it is being crawled; writes portal.db, map.db and desk.db in its folder, and the site."""

    usage = "NAME [--out FOLDER] [options]"
    summary = "Make a static site of a collection: categories, abstracts, a search without a server, feeds"
    about = f"{summary}.\nRun it again after the next crawl: only what has changed is written, and addresses stay."
    examples = """
scrapy portal solar --out site/                           the site: open site/index.html
scrapy portal solar --out site/ --title "Solar energy" --url https://solar.example/
scrapy portal solar --out site/ --taxonomy energy         categories learned from the examples of a taxonomy
scrapy portal solar --reject URL --accept URL             what an editor says; the site has it from the next --out on
scrapy portal solar --move URL "Heat pumps"               accept a page, in another category
scrapy portal solar --out site/ --accepted                what editors accepted, and nothing else"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--out", metavar="FOLDER", help="folder of the site: a new one, an empty one, or that of the last time")
        add("--title", help="name of the portal (default: that of the collection)")
        add("--url", help="address that the site will have on the Web, for its feeds")
        add("--taxonomy", metavar="TAXONOMY", help="take the categories of a taxonomy (default: themes of the map)")
        add("--accepted", action="store_true", help="show pages only that an editor accepted")
        url: dict[str, Any] = {"action": "append", "default": [], "metavar": "URL"}
        add("--accept", help="show this page, whatever the crawl thinks of it", **url)
        add("--reject", help="do not show this page", **url)
        add("--forget", help="forget what an editor said of this page", **url)
        add("--move", nargs=2, metavar=("URL", "CATEGORY"), action="append", default=[], help="show this page there")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import data_folder, opened
        from focused.desk.mapping.page_reading import told_on_a_line
        from focused.desk.portal.editing import Placements
        from focused.desk.portal.publishing import PortalWish, publish
        from focused.papers.taxonomies.taxonomy_store import TAXONOMIES

        said = _said(opts)
        if len(args) != 1 or not (opts.out or said):
            raise UsageError("give one collection and a folder, as in: scrapy portal solar --out site/")
        data = data_folder(self.settings)
        folder = data / args[0]
        address = opts.url or ""
        if address and not address.startswith(("http://", "https://")):
            raise UsageError(f"--url {plain(address)}: give an address such as https://example.org/", print_help=False)
        if said:
            with opened(folder) as store:
                _check_known(store, list(said))
            Placements(folder).place(said)
            print(f"Noted: {len(said):,} {'page' if len(said) == 1 else 'pages'}.")
        if not opts.out:
            return
        wish = PortalWish(
            Path(opts.out),
            plain(opts.title or "") or folder.name,
            data / TAXONOMIES / opts.taxonomy if opts.taxonomy else None,
            opts.accepted,
            f"{address.rstrip('/')}/" if address else "",
        )
        with told_on_a_line(self.settings) as tell:
            done = publish(folder, wish, tell)
        print(
            f"{shown_path(wish.out / 'index.html')}: {done.pages:,} pages in {done.categories:,} categories; "
            f"{done.written:,} files written, {done.deleted:,} deleted, {done.size / 1e6:.1f} MB in all"
        )


def _said(opts: argparse.Namespace) -> dict[str, Placement | None]:
    """What an editor says of pages, by URL. Raises UsageError where it contradicts itself."""
    from focused.desk.portal.editing import ACCEPTED, REJECTED, Placement, category_name
    from focused.page.urls import UrlRules

    said: dict[str, Placement | None] = {}
    rules = UrlRules()
    pairs: list[tuple[str, Placement | None]] = [(url, ACCEPTED) for url in opts.accept]
    pairs += [(url, REJECTED) for url in opts.reject] + [(url, None) for url in opts.forget]
    for url, text in opts.move:
        if not (category := category_name(text)):
            raise UsageError(f"--move {plain(url)}: the category has no name", print_help=False)
        pairs.append((url, Placement(True, category)))
    for given, one in pairs:
        url = rules.canonical(given) or given
        if said.setdefault(url, one) != one:
            raise UsageError(f"{plain(url)}: named twice, to do different things with it", print_help=False)
    return said


def _check_known(store: Store, urls: Sequence[str]) -> None:
    """Raise ExportError for a URL that is no page of the collection."""
    query = (
        "SELECT url FROM urls WHERE url IN (SELECT value FROM json_each(?)) AND id IN (SELECT final_url FROM fetches)"
    )
    known = {url for (url,) in store.execute(query, (json.dumps(urls),))}
    if strange := next((url for url in urls if url not in known), None):
        raise ExportError(f"{plain(strange)}: no page of this collection; give its address after redirects")
