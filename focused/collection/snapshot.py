"""A snapshot as bytes and back: nested dicts of plain values and numpy arrays, without pickle (data is never code)."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

PLAIN = "plain"  #: name of the entry that holds all plain values, as JSON


def encode(state: Mapping[str, Any]) -> bytes:
    """Return the bytes of a state whose leaves are arrays or what JSON can hold; keys are strings without ``/``."""
    arrays: dict[str, np.ndarray[Any, Any]] = {}

    def strip(value: Any, path: str) -> Any:
        if isinstance(value, np.ndarray):
            arrays[path] = value
            return None
        if isinstance(value, Mapping):
            return {key: strip(item, f"{path}/{key}") for key, item in value.items()}
        return value

    plain = strip(state, "")
    arrays[PLAIN] = np.frombuffer(json.dumps(plain).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def decode(data: bytes) -> dict[str, Any]:
    """Return the state that `encode` was given.

    Raises ValueError (or what zipfile raises, a subclass of Exception) for bytes that are damaged.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as entries:
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries.zip.infolist()):
            raise ValueError("compressed, as we never write it")  # and might swell to any size
        state: dict[str, Any] = json.loads(entries[PLAIN].tobytes())
        for path in entries.files:
            if path == PLAIN:
                continue
            *parents, name = path.strip("/").split("/")
            inner = state
            for parent in parents:
                inner = inner[parent]
            inner[name] = entries[path]
    return state
