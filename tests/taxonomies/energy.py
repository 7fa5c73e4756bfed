"""A taxonomy whose pages are there already, made without a network."""

from collections.abc import Mapping
from pathlib import Path

from focused.collection.repository import Stored
from focused.papers.taxonomies.taxonomy_store import Listing, TaxonomyStore

WORDS = {"Energy/Sun": "solar panel sunlight", "Energy/Wind": "wind rotor gust", "Sports": "football goal stadium"}
WRONG = "http://wrong.example/"  #: listed among sports, and about the sun
OWN = "http://own.example/"  #: a person's own example, about the wind


def url_of(category: str, number: int) -> str:
    return f"http://{category.rpartition('/')[2].lower()}.example/{number}"


def texts() -> dict[str, tuple[str, str]]:
    """URL -> category and words of each example."""
    found = {url_of(name, n): (name, f"{words} number{n}") for name, words in WORDS.items() for n in range(6)}
    return found | {WRONG: ("Sports", WORDS["Energy/Sun"])}


def fill(store: TaxonomyStore) -> None:
    """Take in the examples and their pages."""
    store.take_in((Listing(category, url) for url, (category, _) in texts().items()), "energy.tsv")
    store.add_own({OWN: ""})
    keep(store, {url: words for url, (_, words) in texts().items()} | {OWN: WORDS["Energy/Wind"]})


def keep(store: TaxonomyStore, pages: Mapping[str, str]) -> None:
    for url, words in pages.items():
        body = f"<title>About</title><p>{words}".encode()
        store.keep_page(url, Stored(url, 200, (("Content-Type", "text/html"),), body), "About")


def made(folder: Path) -> TaxonomyStore:
    """A new taxonomy, filled."""
    store = TaxonomyStore(folder, make=True)
    fill(store)
    return store
