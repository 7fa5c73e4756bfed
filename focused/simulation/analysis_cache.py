"""Keeps what was read of a recorded web on disk: one SQLite file for a web read in one way, shared by parallel runs."""

from __future__ import annotations

import hashlib
import inspect
import json
import logging
import pickle
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

from focused import __version__
from focused.collection.repository import storage_errors
from focused.collection.side_database import SideDatabase
from focused.page.text import TextAnalyser
from focused.topic.topic import Topic

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

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


logger = logging.getLogger(__name__)

FORMAT = 2  #: raised when what is kept changes
#: The code that reads: what it made of a page is kept only as long as it stays the same.
PACKAGES, MODULES = ("focused.page",), ("focused.simulation.analysed_web",)
BATCH = 500  #: new values that are written at a time: parallel runs wait for one another no longer than that takes
PICKLE = 5  #: its protocol, which every Python that we run on reads
LEVEL = 3  #: of compression; Zstandard is read four times as fast as zlib


def fingerprint(files: Sequence[Path], topic: Topic, variant: str = "") -> str:
    """What the analysis of a web depends on, as a short text fit for a file name.

    files : of the web, or folders of them; known by name, size and time of change
    topic : its reading options, and those keywords that are terms only because they are keywords
    variant : which part of the web is open, such as the university

    It depends on the code that reads as well: what another version of it read is not used.
    """
    kept: Any = topic.own_keywords  # of several languages: they decide how words of unknown language are read
    if not kept:
        bare = TextAnalyser(topic.reading.languages[0])
        kept = sorted(
            keyword for keyword in topic.keywords if len(topic.reading.languages) > 1 or not bare.terms(keyword)
        )
    inside = [sorted(path for path in file.rglob("*") if path.is_file()) if file.is_dir() else [file] for file in files]
    stats = [(str(path.absolute()), path.stat()) for group in inside for path in group]
    about = [FORMAT, __version__, code_digest(PACKAGES, MODULES), variant, topic.reading.model_dump(mode="json"), kept]
    text = json.dumps([*about, [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def packed(value: Any) -> bytes:
    """Numbers, text, bytes, None, and lists and tuples of them, as compressed bytes."""
    # The checksum tells of damage.
    options = {int(zstd.CompressionParameter.compression_level): LEVEL, int(zstd.CompressionParameter.checksum_flag): 1}
    return zstd.compress(pickle.dumps(value, PICKLE), options=options)


def plain_value(data: bytes) -> Any:
    """What `packed` was given. Bytes of others cannot make it run code; ValueError if they are damaged."""
    try:
        return _PlainValues(BytesIO(zstd.decompress(data))).load()
    except (
        zstd.ZstdError,
        pickle.UnpicklingError,
        EOFError,
        TypeError,
        LookupError,
        AttributeError,
        MemoryError,
    ) as error:
        raise ValueError(f"damaged data: {error}") from None


class _PlainValues(pickle.Unpickler):
    """Reads values in a tenth of the time of JSON; one that asks for a class or a function is refused."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


class AnalysisCache(SideDatabase):
    """Values (numbers, text, bytes, None, and lists and tuples of them) by text, compressed.

    Values that were put are there at once for this run, and on disk after `BATCH` of them or `close`.

    Raises StorageError when the folder cannot be used or the disk is full.
    """

    JOURNAL = "WAL"

    def __init__(self, path: Path) -> None:
        self.path = path
        with storage_errors(path.parent, "create the folder of the cache"):
            path.parent.mkdir(parents=True, exist_ok=True)
        self._new: dict[str, bytes] = {}
        super().__init__(path, [FORMAT], {"analyses": "key TEXT PRIMARY KEY, value BLOB NOT NULL"}, "a cache of ours")

    def get(self, key: str) -> Any:
        """The value of a key; None where there is none, or only a damaged one."""
        data = self._new.get(key) or self._read(key)
        if data is None:
            return None
        try:
            return plain_value(data)
        except ValueError:
            logger.warning("%s: the entry of %s is damaged; the page is read again", self.path, key)
            return None

    def keys(self) -> set[str]:
        """All that are on disk."""
        return {key for (key,) in self._rows("SELECT key FROM analyses") if isinstance(key, str)}

    def put(self, key: str, value: Any) -> None:
        self.put_packed(key, packed(value))

    def put_packed(self, key: str, value: bytes) -> None:
        self._new[key] = value
        if len(self._new) >= BATCH:
            self.save()

    def save(self) -> None:
        """Write to disk what was put since the last time."""
        rows, self._new = list(self._new.items()), {}
        self._write("INSERT OR REPLACE INTO analyses VALUES (?, ?)", rows)

    def close(self) -> None:
        try:
            self.save()
        finally:
            super().close()

    def _read(self, key: str) -> bytes | None:
        rows = self._rows("SELECT value FROM analyses WHERE key = ?", (key,))
        return rows[0][0] if rows and isinstance(rows[0][0], bytes) else None
