"""What is found wrong with a collection."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class LostPage(NamedTuple):
    """A page that the database knows and the repository cannot give."""

    event: int  #: number of its fetch in the journal
    url: str  #: the URL that was chosen
    why: str  #: a line
    own_file: str = ""  #: that holds this page alone, where the repository has one for each


class Stretch(NamedTuple):
    """Bytes of a WARC file that are no record."""

    file: str
    start: int
    end: int


@dataclass(slots=True)
class Findings:
    """All that is wrong, in the words of a person, and what a repair needs to know of it."""

    events: int = 0  #: in the journal
    pages: int = 0  #: that the database knows
    past_repair: list[str] = field(default_factory=list)
    #: what SQLite says of a file of which the needed rows can be read
    malformed: list[str] = field(default_factory=list)
    index_errors: list[str] = field(default_factory=list)  #: what SQLite says of indexes, which can be made anew
    snapshot_error: str = ""  #: why the saved state cannot be used, which is made anew from the pages
    lost: list[LostPage] = field(default_factory=list)
    stretches: list[Stretch] = field(default_factory=list)  #: that other programs cannot read past
    notes: list[str] = field(default_factory=list)  #: nothing of this is damage

    @property
    def is_well(self) -> bool:
        return not self.past_repair and not self.can_be_repaired

    @property
    def can_be_repaired(self) -> bool:
        return bool(self.malformed or self.index_errors or self.snapshot_error or self.lost or self.stretches)
