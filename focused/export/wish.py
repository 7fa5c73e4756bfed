"""What a person asks for, from the options of the command: whatever makes no sense is told in one line."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from focused.exceptions import ExportError
from focused.export.formats import FORMATS, format_of
from focused.export.row import ALL, CHUNK_FIELDS, FACTS, FIELDS, OF_PAGES, OWN, READ, STRUCTURED, TEXT
from focused.export.selection import Selection
from focused.export.targets import STDOUT
from focused.export.writers import Writer
from focused.page.page_text import TextForm, TextRequest
from focused.topic.mistakes import in_plain_words, shown, unknown
from focused.topic.topic import HostName, LanguageCode

MOST = 100_000_000  #: pages of a sample, and of the best
MOST_PROCESSES = 1_000
CHUNK = 400  #: tokens of a chunk, if nobody says otherwise
LEAST_CHUNK, MOST_CHUNK = 20, 1_000_000

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """An export that can be made.

    name : of the file, as it was typed: a / at the end makes a folder, `STDOUT` is none
    fields : that are written of a page; none where the format says itself what is
    adds_own : write those of the spider's own too
    sample : pages that are drawn; None: all
    best : that many of them, the most relevant; None: all
    text : how the texts of pages are written
    chunks : tokens of a chunk at most; None: a row is a page
    seed : of the draw
    is_new : only what came since the part before
    processes : that read pages; 0: one for each core
    """

    name: str
    format: type[Writer]
    fields: tuple[str, ...]
    selection: Selection
    text: TextForm = "main"
    chunks: int | None = None
    sample: int | None = None
    best: int | None = None
    seed: int = 0
    is_new: bool = False
    processes: int = 1
    adds_own: bool = False

    @property
    def wanted(self) -> TextRequest | None:
        """What is to be read of each page; None where crawl.db says it all."""
        names = {*self.fields, TEXT} if self.format.needs_text or self.chunks else set(self.fields)
        if not names & READ:
            return None
        return TextRequest(self.text, facts=bool(names & set(FACTS)), structured=STRUCTURED in names)


def wish_of(name: str | None, collection: str, opts: argparse.Namespace) -> ExportRequest:
    """What the options ask for; ExportError for the first that makes no sense.

    name : of the file; None: that of the collection
    """
    kind = format_of(".jsonl" if name in (None, STDOUT) else name, opts.format)
    chunks = _chunks(opts, kind)
    if name and name.endswith("/") and not kind.is_folder:
        raise ExportError(
            f"{name}: a / at the end makes a folder, and --format {opts.format} is a file: leave one of them out"
        )
    if name is not None and name != STDOUT and not Path(name).name:
        raise ExportError(
            f"{name}: is no name of a file or folder of its own: give one, such as {collection}{kind.endings[0]}"
        )
    if name == STDOUT and (kind.is_folder or opts.new):
        raise ExportError(f"-: {'a folder' if kind.is_folder else '--new'} needs a name: give one in place of -")
    if opts.new and opts.sample is not None:
        raise ExportError("--sample: a sample has no parts: use it without --new")
    if opts.best is not None and (opts.new or opts.sample is not None):
        other = "--new" if opts.new else "--sample"
        raise ExportError(f"--best: the best pages are no sample and have no parts: use it without {other}")
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
        versions=opts.versions,
        still_there=opts.still_there,
    )
    return ExportRequest(
        name=name or collection + kind.endings[0],
        format=kind,
        fields=_fields(opts, kind, is_chunk=chunks is not None),
        selection=selection,
        text=opts.text or ("markdown" if chunks else kind.text),
        chunks=chunks,
        sample=_number("--sample", opts.sample, 1, MOST),
        best=_number("--best", opts.best, 1, MOST),
        seed=_number("--seed", opts.seed, 0, MOST) or 0,
        is_new=opts.new,
        adds_own=opts.fields is None and kind.chooses_fields and chunks is None,
        processes=_number("--processes", opts.processes, 1, MOST_PROCESSES) or 0,
    )


def _fields(opts: argparse.Namespace, kind: type[Writer], *, is_chunk: bool) -> tuple[str, ...]:
    if not kind.chooses_fields:
        if opts.fields is not None or opts.structured:
            option = "--structured" if opts.fields is None else "--fields"
            raise ExportError(f"{option}: the format says itself what it holds: leave the option out")
        return ()
    known = ALL if is_chunk else OF_PAGES
    names = CHUNK_FIELDS if is_chunk else FIELDS
    if opts.fields is not None:
        names = _listed("--fields", opts.fields)
    for name in names:
        if name not in known and not name.startswith(OWN):
            why = "only chunks have it: add --chunks" if name in ALL else unknown(name, known, plural="fields")
            raise ExportError(f"--fields: {shown(name)}: {why}")
    return _once((*names, STRUCTURED)) if opts.structured else names


def _chunks(opts: argparse.Namespace, kind: type[Writer]) -> int | None:
    """Tokens of a chunk; None where a row is a page."""
    if opts.chunks is None:
        return None
    if not kind.is_table:
        tables = ", ".join(name for name, one in FORMATS.items() if one.is_table)
        raise ExportError(f"--chunks: they are rows, and this format has none: take {tables}")
    if opts.text not in (None, "markdown"):
        raise ExportError(f"--text {opts.text}: chunks are cut at headings, so they are Markdown: leave it out")
    try:
        size = int(opts.chunks)
    except ValueError:
        raise ExportError(
            f"--chunks {shown(opts.chunks)}: give the tokens of a chunk, or write --chunks last"
        ) from None
    return _number("--chunks", size, LEAST_CHUNK, MOST_CHUNK)


def _listed(option: str, text: str) -> tuple[str, ...]:
    """What stands between commas, each once."""
    found = _once(part.strip() for part in text.split(",") if part.strip())
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
    if value is not None and not least <= value <= most:  # so that NaN is refused as well
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
