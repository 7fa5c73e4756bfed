"""No collection lies on top of a folder of ours in FOCUSED_DATA_DIR."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import focused
from focused.exceptions import TopicError
from focused.topic.topic_file import RESERVED, check_name

ROOT = Path(focused.__file__).parent
DATA = ("data", "data_folder(settings)", "data_folder(self.settings)", "data_folder(command.settings)")


def folders() -> Iterator[str]:
    """Each constant that is appended to the data folder somewhere in the code."""
    for path in ROOT.rglob("*.py"):
        module = "focused." + ".".join(path.relative_to(ROOT).with_suffix("").parts)
        text = path.read_text()
        if not re.search(" / [A-Z]", text):
            continue
        tree = ast.parse(text)
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        homes = {name.name: node.module for node in imports for name in node.names}  # also of imports in a function
        for node in ast.walk(tree):
            match node:
                case ast.BinOp(left=left, op=ast.Div(), right=ast.Name(id=name)) if name.isupper():
                    if ast.unparse(left) in DATA:
                        yield getattr(importlib.import_module(homes.get(name) or module), name)


def test_every_folder_beside_the_collections_is_reserved() -> None:
    found = set(folders())
    assert {"models", "taxonomies", "cache"} <= found  # or the search finds nothing any more
    assert found <= set(RESERVED)


@pytest.mark.parametrize("name", [*RESERVED, "Models"])
def test_no_topic_is_called_like_one_of_them(name: str) -> None:
    with pytest.raises(TopicError, match=rf"{name}'? cannot be the name of a topic: a folder of focused"):
        check_name(name)
    check_name(f"{name}-2")
