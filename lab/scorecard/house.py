"""How large the product is: lines, files, rooms, classes, names, words."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

APART = frozenset({"__init__", "addon", "exceptions", "settings"})  #: modules at the first level that are no rooms
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def house(root: Path) -> dict[str, float]:
    """The figures of a checkout (see the columns of `card`)."""
    product = python_files(root / "focused")
    trees = {path: ast.parse(path.read_text("utf-8")) for path in product}
    classes = [
        (path, node) for path, tree in trees.items() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    ]
    lab = [path for path in python_files(root / "lab") if not path.is_relative_to(root / "lab" / "tests")]
    documents = [root / "README.md", *(root / "docs").rglob("*.md")]
    return {
        "code": sum(code_lines(path.read_text("utf-8"), tree) for path, tree in trees.items()),
        "lines": _lines(product),
        "files": len(product),
        "rooms": len({path.relative_to(root / "focused").parts[0].removesuffix(".py") for path in product} - APART),
        "methods": max(sum(isinstance(child, DEFINITIONS) for child in node.body) for _, node in classes),
        "names_twice": len(names_twice(trees)),
        "words": sum(len(path.read_text("utf-8").split()) for path in documents),
        "lab_lines": _lines(lab),
        "test_lines": _lines(python_files(root / "tests")),
    }  # fmt: skip


def python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def code_lines(text: str, tree: ast.Module) -> int:
    """Lines that are neither blank nor part of a docstring."""
    told = {line for first, last in docstrings(tree) for line in range(first, last + 1)}
    return sum(bool(line.strip()) and number not in told for number, line in enumerate(text.splitlines(), 1))


def docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """First and last line of each."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *DEFINITIONS)) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                yield first.lineno, first.end_lineno or first.lineno


def names_twice(trees: dict[Path, ast.Module]) -> list[str]:
    """Public names of classes that more than one file defines; each command and spider has its own `Command`."""
    found = Counter(
        name
        for path, tree in trees.items()
        for name in {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        if not name.startswith("_") and path.parent.name != "commands"
    )
    return sorted(name for name, count in found.items() if count > 1)


def _lines(paths: list[Path]) -> int:
    return sum(path.read_text("utf-8").count("\n") for path in paths)
