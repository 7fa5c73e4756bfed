"""Which pages of a collection are exported, and what crawl.db knows of each: read one after the other, in order of arrival."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import asdict, dataclass
from math import isfinite
from random import Random
from types import MappingProxyType
from typing import Any, Literal

from focused.collection.repository import Place
from focused.collection.sqlite_errors import damage_is_told
from focused.collection.store import FIRST_ID, IS_AGAIN, IS_VERSION, Store
from focused.crawl.novelty import COPIES
from focused.export.row import OwnColumns, UnfinishedRow, own_values

_TABLES = f"""
FROM fetches f
JOIN picks p ON p.seq = f.pick
JOIN urls u ON u.id = f.url
JOIN urls final ON final.id = f.final_url
JOIN hosts h ON h.id = final.host
LEFT JOIN urls source ON source.id = p.source
LEFT JOIN urls original ON original.id = f.duplicate_of
LEFT JOIN own_fields own ON own.seq = f.seq
LEFT JOIN (
    SELECT url AS page, max(time) FILTER (WHERE outcome IN ('changed', 'same')) AS checked,
        max(time) FILTER (WHERE outcome = 'gone') AS gone
    FROM fetches WHERE {IS_AGAIN} GROUP BY url
) again ON again.page = {FIRST_ID}
"""
#: The fields of a row by their names, and what is needed to complete it.
_COLUMNS = """
SELECT f.seq, u.url, final.url AS final_url, coalesce(f.title, '') AS title, coalesce(f.language, '') AS language, f.relevance,
    f.relevant, f.verdict, f.kind, original.url AS duplicate_of, p.score, p.depth, source.url AS found_on, f.time AS fetched_at,
    coalesce(again.checked, f.time) AS checked_at, again.gone AS gone_at, f.status, coalesce(f.content_type, '') AS content_type,
    f.bytes, coalesce(f.content_hash, '') AS content_hash, f.noindex, f.truncated, f.signals, f.rendered, f.file, f.offset,
    f.length, f.run, p.source AS source_id, own.fields, f.plain_file, f.plain_offset, f.plain_length
"""

VersionChoice = Literal["newest", "first", "all"]
_OF_VERSIONS: dict[VersionChoice, str] = {
    "newest": f"f.seq IN (SELECT max(seq) FROM fetches f WHERE {IS_VERSION} GROUP BY {FIRST_ID})",
    "first": "f.outcome = 'page'",
    "all": IS_VERSION,
}


@dataclass(frozen=True, slots=True)
class Selection:
    """What a person asks for; each that is set leaves pages out.

    relevant : those that are not relevant
    least : those of less relevance, 0 to 1
    languages : those in others, and those whose language nobody knows
    hosts : those of others; subdomains of a host belong to it
    since : those fetched earlier; ISO 8601 in UTC
    dedupe : copies: those with a verdict of `COPIES`, and those that are recorded as the copy of one other page
    honour_noindex : those that ask not to be indexed
    versions : of each page all versions but this one: the newest, or the first; ``all`` leaves none out
    still_there : those that were asked for once more and are gone
    after : those up to this event of the journal
    """

    relevant: bool = False
    least: float | None = None
    languages: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    since: str = ""
    dedupe: bool = False
    honour_noindex: bool = False
    versions: VersionChoice = "newest"
    still_there: bool = False
    after: int = 0

    def in_words(self) -> list[str]:
        """What is asked for, as a person would say it; nothing where all pages are."""
        said = {
            "relevant pages only": self.relevant,
            f"relevance at least {self.least}": self.least is not None,
            f"language {' or '.join(self.languages)}": self.languages,
            f"host {' or '.join(self.hosts)}, with subdomains": self.hosts,
            f"fetched since {self.since}": self.since,
            "copies left out": self.dedupe,
            "pages left out that ask not to be indexed (noindex)": self.honour_noindex,
            "pages as they were fetched first": self.versions == "first",
            "all versions of pages": self.versions == "all",
            "pages left out that are gone": self.still_there,
        }
        return [words for words, is_set in said.items() if is_set]

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, without `after`."""
        return {name: value for name, value in asdict(self).items() if name != "after"}

    def _condition(self) -> tuple[str, list[Any]]:
        """As SQL, with its values."""
        of_hosts = "h.name = value OR substr(h.name, -length(value) - 1) = '.' || value"
        is_copy = "f.duplicate_of IS NOT NULL OR f.verdict IN (SELECT value FROM json_each(?))"
        asked: list[tuple[object, str, list[Any]]] = [
            (True, f"{_OF_VERSIONS[self.versions]} AND f.seq > ?", [self.after]),
            (self.still_there, "again.gone IS NULL", []),
            (self.relevant, "f.relevant = 1", []),
            (self.least is not None, "f.relevance >= ?", [self.least]),
            (self.languages, "f.language IN (SELECT value FROM json_each(?))", [json.dumps(self.languages)]),
            (self.hosts, f"EXISTS (SELECT 1 FROM json_each(?) WHERE {of_hosts})", [json.dumps(self.hosts)]),
            (self.since, "f.time >= ?", [self.since]),
            (self.dedupe, f"NOT coalesce({is_copy}, 0)", [json.dumps(COPIES)]),
            (self.honour_noindex, "coalesce(f.noindex, 0) = 0", []),
        ]
        parts = [(sql, values) for is_set, sql, values in asked if is_set]
        return " AND ".join(f"({sql})" for sql, _ in parts), [value for _, values in parts for value in values]

    def count(self, store: Store) -> int:
        """How many pages these are."""
        condition, values = self._condition()
        count: int = store.execute(f"SELECT count(*) {_TABLES} WHERE {condition}", values).fetchone()[0]
        return count

    def events(self, store: Store) -> list[int]:
        """Events of all these pages, in order of arrival."""
        condition, values = self._condition()
        return [seq for (seq,) in store.execute(f"SELECT f.seq {_TABLES} WHERE {condition} ORDER BY f.seq", values)]

    def sample(self, store: Store, size: int, seed: int) -> list[int]:
        """Events of ``size`` of these pages, each set of so many as likely as any other; of all, where there are no more."""
        seqs = self.events(store)
        return sorted(Random(seed).sample(seqs, size)) if size < len(seqs) else seqs

    def best(self, store: Store, size: int) -> list[int]:
        """Events of the ``size`` most relevant of these pages; of two as relevant the one that came first."""
        condition, values = self._condition()
        query = f"SELECT f.seq {_TABLES} WHERE {condition} ORDER BY f.relevance DESC, f.seq LIMIT ?"
        return sorted(seq for (seq,) in store.execute(query, [*values, size]))

    def pages(
        self, store: Store, model: str, only: list[int] | None = None, own: OwnColumns = MappingProxyType({})
    ) -> Generator[UnfinishedRow]:
        """The pages, without text and path.

        model : what the crawl measured relevance by
        only : events of those that are wanted, of all that are selected
        own : columns of the spider's own that are wanted
        Raises StorageError for rows that no crawl has written.
        """
        condition, values = self._condition()
        if only is not None:
            condition, values = "f.seq IN (SELECT value FROM json_each(?))", [json.dumps(only)]
        with damage_is_told(store.path):
            rows = store.execute(f"{_COLUMNS} {_TABLES} WHERE {condition} ORDER BY f.seq", values)
            names = [name for name, *_ in rows.description]
            for row in rows:
                yield _found(dict(zip(names, row, strict=True)), model, own)


def _found(known: dict[str, Any], model: str, own: OwnColumns) -> UnfinishedRow:
    fields, *plain = (known.pop(name) for name in ("fields", "plain_file", "plain_offset", "plain_length"))
    known |= {name: _finite(known[name]) for name in ("relevance", "score")}
    known |= {name: bool(known[name]) for name in ("relevant", "noindex", "truncated")}
    known["rendered"] = None if known["rendered"] is None else bool(known["rendered"])
    known["plain"] = Place(*plain) if plain[0] is not None else None
    return UnfinishedRow(**known, path=[], model=model, own=own_values(fields, own) if own else {})


def _finite(number: float | None) -> float | None:
    """A number that every format can hold."""
    return number if number is not None and isfinite(number) else None
