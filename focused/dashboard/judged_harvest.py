"""The harvest rate as a person judged it, remembered: to work it out, the sample is weighed against all pages of the collection."""

from __future__ import annotations

from pathlib import Path

from focused.dashboard.growing import runs_of
from focused.dashboard.remembered import Remembered
from focused.reporting.audit.findings import harvest_in_short
from focused.storage.collection import AUDIT
from focused.storage.desk import Desk
from focused.storage.store import Store


class JudgedHarvest:
    """Works it out anew where there are more pages or other verdicts."""

    def __init__(self, folder: Path) -> None:
        self._sheet, self._desk = folder / AUDIT, Desk(folder)
        self._known = Remembered[str]()

    def in_short(self, store: Store, pages: int) -> str | None:
        """As a store says it that has so many pages; None where nothing can be told."""
        try:
            sheet = self._sheet.stat()
        except OSError:  # nothing was drawn
            return None
        made_of = (runs_of(store), pages, self._desk.stamp(), sheet.st_mtime_ns, sheet.st_size)
        return self._known.of(made_of, lambda: harvest_in_short(store))
