"""What a person asks for, from the options of the command: whatever makes no sense is told in one line."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from focused.exceptions import ExportError
from focused.exporting.formats.formats import format_of
from focused.exporting.formats.writer import Writer
from focused.exporting.own_columns import OWN
from focused.exporting.row import FIELDS
from focused.exporting.selection import Selection
from focused.reading.page_text import Form
from focused.topic.mistakes import in_plain_words, shown, unknown
from focused.topic.topic import HostName, LanguageCode

MOST = 100_000_000  #: pages of a sample
MOST_PROCESSES = 1_000

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Wish:
    """An export that can be made.

    name : of the file, as it was typed: a / at the end makes a folder
    fields : that are written of a page; none where the format says itself what is
    adds_own : write those of the spider's own too
    sample : pages that are drawn; None: all
    text : how the texts of pages are written
    seed : of the draw
    is_new : only what came since the part before
    processes : that read pages
    """

    name: str
    format: type[Writer]
    fields: tuple[str, ...]
    selection: Selection
    text: Form = "main"
    sample: int | None = None
    seed: int = 0
    is_new: bool = False
    processes: int = 1
    adds_own: bool = False


def wish_of(name: str | None, collection: str, opts: argparse.Namespace) -> Wish:
    """What the options ask for; ExportError for the first that makes no sense.

    name : of the file; None: that of the collection
    """
    kind = format_of(name or ".jsonl", opts.format)
    if name and name.endswith("/") and not kind.is_folder:
        raise ExportError(
            f"{name}: a / at the end makes a folder, and --format {opts.format} is a file: leave one of them out"
        )
    if opts.new and opts.sample is not None:
        raise ExportError("--sample: a sample has no parts: use it without --new")
    if opts.seed is not None and opts.sample is None:
        raise ExportError("--seed: it is the seed of --sample N, which is missing")
    selection = Selection(
        relevant=opts.relevant,
        least=_number("--min", opts.min, 0.0, 1.0),
        languages=_each("--lang", opts.lang, LanguageCode),
        hosts=_each("--host", opts.host, HostName),
        since=_time(opts.since) if opts.since is not None else "",
        dedupe=opts.dedupe,
        honour_noindex=opts.honour_noindex,
    )
    return Wish(
        name=name or collection + kind.endings[0],
        format=kind,
        fields=_fields(opts.fields, kind),
        selection=selection,
        text=opts.text or kind.text,
        sample=_number("--sample", opts.sample, 1, MOST),
        seed=_number("--seed", opts.seed, 0, MOST) or 0,
        is_new=opts.new,
        adds_own=opts.fields is None and kind.chooses_fields,
        processes=_number("--processes", opts.processes, 1, MOST_PROCESSES) or os.cpu_count() or 1,
    )


def _fields(listed: str | None, kind: type[Writer]) -> tuple[str, ...]:
    if not kind.chooses_fields:
        if listed is not None:
            raise ExportError("--fields: the format says itself what it holds: leave the option out")
        return ()
    if listed is None:
        return FIELDS
    names = _listed("--fields", listed)
    for name in names:
        if name not in FIELDS and not name.startswith(OWN):
            raise ExportError(f"--fields: {shown(name)}: {unknown(name, FIELDS, plural='fields')}")
    return names


def _listed(option: str, text: str) -> tuple[str, ...]:
    """What stands between commas, each once."""
    found = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    if not found:
        raise ExportError(f"{option}: nothing is listed")
    return found


def _each(option: str, text: str | None, kind: Any) -> tuple[str, ...]:
    """What is listed, each as its type spells it."""
    if text is None:
        return ()
    try:
        return _once(TypeAdapter(kind).validate_python(part) for part in _listed(option, text))
    except ValidationError as error:
        raise ExportError(f"{option}: {in_plain_words(error.errors()[0])}") from None


def _once(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(parts))


def _number(option: str, value: Number | None, least: Number, most: Number) -> Number | None:
    if value is not None and not least <= value <= most:  # so is no number that is none
        raise ExportError(f"{option} {value}: give a number from {least} to {most:,}")
    return value


def _time(text: str) -> str:
    """A date, or a time without zone that is meant in UTC, as crawl.db writes times."""
    try:
        found = datetime.fromisoformat(text)
        utc = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ExportError(f"--since {shown(text)}: write a date such as 2026-11-01, or 2026-11-01T12:00") from None
    return utc.isoformat(timespec="milliseconds")
