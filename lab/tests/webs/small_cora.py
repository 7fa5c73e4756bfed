"""A made-up Cora, small enough for a test: two classes of twenty papers, each with a word of its class, in chains of citations."""

from __future__ import annotations

from pathlib import Path

from tests.small_wikispeedia import write_files

CLASSES, MEMBERS = ("Theory", "Rule_Learning"), 20


def write_cora(folder: Path) -> Path:
    """Paper 100·c + n has the word c of its class and a word of its own, and is cited by the next one; 0 cites 100."""
    content, cites = [], ["100\t0"]
    for c, category in enumerate(CLASSES):
        for n in range(MEMBERS):
            terms = ["1" if place in (c, 2 + c * MEMBERS + n) else "0" for place in range(2 + 2 * MEMBERS)]
            content.append("\t".join([str(100 * c + n), *terms, category]))
            cites += [f"{100 * c + n}\t{100 * c + n + 1}"] if n + 1 < MEMBERS else []
    return write_files(folder, {"cora.content": "\r\n".join(content) + "\r\n", "cora.cites": "\n".join(cites) + "\n"})
