"""The plan of the house: imports run one way, from the rooms below to those above, and no file needs one that needs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from focused.wings import WINGS

ROOT = Path(__file__).parent.parent

#: Rooms of the core from the ground up, packages and single files. A file imports from its own room and from those below.
CORE = (
    ("page",),
    ("topic",),
    ("crawl",),
    ("relevance", "collection"),
    ("scorers",),
    ("strategies",),
    ("live",),
    ("spiders", "items"),
    ("scheduler", "middlewares", "pipelines", "feeds", "extensions", "explain"),
    ("commands",),
    ("testing",),
)
#: Wings stand above the core, in this order. Each has rooms of its own.
FLOORS = (*CORE, *((name,) for name in WINGS))
#: What imports nothing of ours but each other, and may be imported by all.
APART = ("addon", "exceptions", "settings", "wings", "__init__")
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def files_of(folder: str) -> list[Path]:
    return [path.relative_to(ROOT) for path in sorted((ROOT / folder).rglob("*.py"))]


def module_of(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def imports_of(path: Path) -> list[tuple[int, str]]:
    """Lines and full names of what a file imports; of ``from package import module`` the module."""
    found = []
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            found += [(node.lineno, name.name) for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                full = f"{node.module}.{name.name}"
                is_module = any((ROOT / full.replace(".", "/")).with_suffix(end).exists() for end in (".py", ""))
                found.append((node.lineno, full if is_module else node.module))
    return found


def room_of(module: str) -> str:
    return (*module.split("."), "__init__")[1]


def test_imports_run_one_way() -> None:
    wrong = [
        f"{path}:{line} imports {name}, from floor {FLOOR[room_of(name)] + 1} into floor {FLOOR[here] + 1}"
        for path in files_of("focused")
        if (here := room_of(module_of(path))) not in APART
        for line, name in imports_of(path)
        if name.startswith("focused.") and room_of(name) not in (here, *APART) and FLOOR[room_of(name)] >= FLOOR[here]
    ]
    assert wrong == []


def test_the_product_knows_nothing_of_the_laboratory() -> None:
    wrong = [
        f"{path}:{line} imports {name}"
        for path in files_of("focused")
        for line, name in imports_of(path)
        if name.partition(".")[0] in ("lab", "tests")
    ]
    assert wrong == []


def test_every_room_has_its_floor() -> None:
    rooms = {room_of(module_of(path)) for path in files_of("focused")}
    assert rooms == {*FLOOR, *APART}


def test_no_files_import_each_other() -> None:
    """Not even through others, inside a room or across rooms."""
    ties = {
        module_of(path): {name for _, name in imports_of(path) if name.startswith(("focused.", "lab."))}
        for folder in ("focused", "lab")
        for path in files_of(folder)
    }
    assert list(circles(ties)) == []


def circles(ties: dict[str, set[str]]) -> Iterator[str]:
    """Each circle, as the way around it."""
    done: set[str] = set()
    for start in ties:
        yield from walk(start, ties, [], done)


def walk(module: str, ties: dict[str, set[str]], way: list[str], done: set[str]) -> Iterator[str]:
    """Follow imports depth first; yield the way around a circle where it closes."""
    if module in way:
        yield " -> ".join([*way[way.index(module) :], module])
    elif module not in done:
        for other in sorted(ties.get(module, ())):
            yield from walk(other, ties, [*way, module], done)
        done.add(module)


def test_names_tell_files_apart() -> None:
    """No two files of the product have the same name; a command has the name that a person types."""
    names = [
        path.name
        for path in files_of("focused")
        if path.name not in ("__init__.py", "wing.py") and path.parent.name != "commands"
    ]
    twice = {name for name in names if names.count(name) > 1}
    assert twice == set()
