"""A digest of our own source code: what it computed and is kept in files is of no use once the code is another."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.resources import files

DIGITS = 16  #: hexadecimal, of a digest


@cache
def code_digest(packages: tuple[str, ...], modules: tuple[str, ...] = ()) -> str:
    """A text of `DIGITS` hexadecimal digits that changes when the source does.

    packages : import paths, with all modules that lie in them
    modules : import paths of further ones
    """
    folders = [files(package) for package in packages]
    texts = [
        file.read_text("utf-8")
        for folder in folders
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(".py")
    ]
    return text_digest([*texts, *(inspect.getsource(import_module(module)) for module in modules)])


def text_digest(texts: Iterable[str]) -> str:
    """A digest of texts, of `DIGITS` hexadecimal digits."""
    return hashlib.blake2b("\n".join(texts).encode(), digest_size=DIGITS // 2).hexdigest()
