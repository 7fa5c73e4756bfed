"""What a person sees of taxonomies: the tree with its counts, and the examples one by one."""

from __future__ import annotations

from contextlib import closing
from dataclasses import astuple
from pathlib import Path

from focused.explain.plain_output import Column, print_table
from focused.papers.strategies.focused.taxonomy import name_of, node_of
from focused.papers.taxonomies.categories import Count, known_category, nodes_of, tree
from focused.papers.taxonomies.guesses import Guess
from focused.papers.taxonomies.taxonomy_store import TAXONOMIES, ExampleUrl, TaxonomyStore, taxonomy_names

OF_TREE: tuple[Column | str, ...] = (
    *("category", "good"),
    *(Column(name, True) for name in ("examples", "judged", "pages", "failed")),
)
OF_GUESSES = (Column("probability", True), "guess", "category", "url", "title")
OF_URLS = ("category", "state", "guess", Column("probability", True), "url", "title")


def list_taxonomies(data: Path) -> None:
    """Print a line for each taxonomy."""
    rows = []
    for name in taxonomy_names(data):
        with closing(TaxonomyStore(data / TAXONOMIES / name)) as store:
            rows.append((name, ", ".join(store.good()), *astuple(tree(store.examples()).get((), Count()))))
    print_table(("taxonomy", *OF_TREE[1:]), rows)
    if not rows:
        print("No taxonomy yet. Make one: scrapy taxonomy import NAME FILE")


def show(folder: Path, category: str = "", *, urls: bool = False) -> None:
    with closing(TaxonomyStore(folder)) as store:
        examples, marks = store.examples(), store.good()
    below = node_of(known_category(category, nodes_of(examples))) if category else ()
    if urls:
        chosen = [one for one in examples if node_of(one.category or "")[: len(below)] == below]
        print_table(OF_URLS, [_row(example) for example in chosen])
        return
    rows = []
    for node, count in tree(examples, below).items():
        rows.append(
            (name_of(node) or f"all of {folder.name}", "good" if name_of(node) in marks else "", *astuple(count))
        )
    print_table(OF_TREE, rows)


def guess_row(guess: Guess) -> tuple[object, ...]:
    """The cells of OF_GUESSES."""
    example = guess.example
    return f"{guess.probability:.3f}", name_of(guess.node), example.category, example.url, example.title


def _row(example: ExampleUrl) -> tuple[object, ...]:
    state = example.reason or ("page" if example.place else "not fetched")
    said = "dropped" if example.dropped else "judged" if example.judged else ""
    probability = None if example.probability is None else f"{example.probability:.3f}"
    return (
        example.category,
        ", ".join(filter(None, (said, state))),
        example.guess,
        probability,
        example.url,
        example.title,
    )
