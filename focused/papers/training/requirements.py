"""What examples must be like before a kind can learn from them: each is told in one line, with what is there and what is needed."""

from __future__ import annotations

from collections import Counter

from focused.exceptions import TrainingError
from focused.papers.strategies.focused.taxonomy import name_of, nested
from focused.papers.training.examples import Examples


def require_documents(examples: Examples, least: int) -> None:
    """Refuse fewer documents."""
    if len(examples.documents) < least:
        raise TrainingError(
            f"{_pages(len(examples.documents))} to learn from, at least {least} are needed: add a source"
        )


def require_keywords(examples: Examples) -> None:
    if not examples.keywords:
        raise TrainingError("the topic's keywords are needed: give -a topic=NAME or -a keywords=WORDS")


def require_good_nodes(examples: Examples) -> None:
    """Refuse good nodes that are unknown or lie below each other."""
    known = {document.node[:depth] for document in examples.documents for depth in range(1, len(document.node) + 1)}
    classes = ", ".join(map(name_of, sorted(known))) or "none"
    if not examples.good or not examples.good <= known:
        strange = ", ".join(f"{name_of(node)!r}" for node in sorted(examples.good - known))
        raise TrainingError(
            f"--good: no page belongs to {strange or 'a good class'}; say what is on topic; classes: {classes}"
        )
    if pair := nested(examples.good):
        one, other = map(name_of, pair)
        raise TrainingError(f"--good: {other!r} lies below {one!r}, which is good already; leave one of them out")


def require_pages_on_both_sides(examples: Examples, least: int) -> None:
    """Refuse a good node, or all the rest, with fewer pages: some part of a cross-validation would have none to learn from."""
    for node in sorted(examples.good):
        count = sum(document.node[: len(node)] == node for document in examples.documents)
        if count < least:
            raise TrainingError(
                f"class {name_of(node)!r} has {_pages(count)}, at least {least} are needed (as --folds says)"
            )
    count = sum(not examples.is_good(document) for document in examples.documents)
    if count < least:
        raise TrainingError(f"{_pages(count)} off topic, at least {least} are needed (as --folds says): add a source")


def require_targets(examples: Examples, least: int) -> None:
    """Refuse examples whose links lead to fewer distinct good pages."""
    good = {document.page.url for document in examples.documents if examples.is_good(document)}
    linked = Counter(link.url for document in examples.documents for link in document.page.links)
    found = sum(url in linked for url in good)
    if found < least:
        raise TrainingError(
            f"links lead to {found} of the {len(good)} pages on topic, at least {least} are needed: "
            "give a crawl or a recorded web that holds whole sites"
        )


def _pages(count: int) -> str:
    return f"{count} page{'' if count == 1 else 's'}"
