"""What a trained model is made of, as plain values and arrays, and how it is read back: anybody may have written the file.

A model that can be kept so has two methods: ``state`` gives a dict of plain values, arrays and such dicts again, and the class
method ``restored`` makes the model of it. These functions take a value out of a state and raise ValueError where it is not what the
model needs: what is restored can be wrong, but no array is read beyond its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

PlainState = Mapping[str, Any]
Scalar = TypeVar("Scalar", bound=np.generic)


def array_in(state: PlainState, name: str, dtype: type[Scalar], *shape: int | None) -> NDArray[Scalar]:
    """An array of this type and shape, None for any length, without a NaN."""
    value = state.get(name)
    if not isinstance(value, np.ndarray) or value.dtype != dtype or len(value.shape) != len(shape):
        raise ValueError(f"{name} is no array of {len(shape)} dimensions of {np.dtype(dtype)}")
    if any(wanted not in (None, found) for wanted, found in zip(shape, value.shape, strict=True)):
        raise ValueError(f"{name} has the shape {value.shape}")
    if value.dtype.kind == "f" and np.isnan(value).any():
        raise ValueError(f"{name} has numbers that are none")
    return value


def whole_in(state: PlainState, name: str) -> int:
    """A whole number from 0 to 2 ** 31."""
    value = state.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 2**31:
        raise ValueError(f"{name} is no whole number from 0 on")
    return value


def number_in(state: PlainState, name: str) -> float:
    """A finite number."""
    value = state.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool) or not np.isfinite(value):
        raise ValueError(f"{name} is no finite number")
    return float(value)


def texts_in(state: PlainState, name: str) -> list[str]:
    value = state.get(name)
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{name} is no list of texts")
    return value


def state_in(state: PlainState, name: str) -> PlainState:
    """A state inside another."""
    value = state.get(name)
    if not isinstance(value, dict):
        raise ValueError(f"{name} is no table")
    return value
