"""Dataclasses as a CSV file, a row each."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def csv_of(rows: Sequence[DataclassInstance]) -> str:
    """The fields of rows of one kind, at least one, with a heading; fractions with four digits."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [field.name for field in fields(rows[0])], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {name: f"{value:.4g}" if isinstance(value, float) else value for name, value in asdict(row).items()}
        )
    return text.getvalue()
