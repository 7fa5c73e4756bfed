"""``python -m focused.desk.dashboard.index_update FOLDER``: brings the search index of a collection up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from focused.collection.collection import PAGES, open_repository, opened
from focused.collection.search import Search
from focused.collection.sqlite_errors import damage_is_told
from focused.desk.dashboard.worker import begin_work
from focused.exceptions import FocusedError
from focused.live.last_run import last_run


def update(folder: Path) -> None:
    with opened(folder) as store:
        run = last_run(store)
        options, kind = run.reading, run.pages
    with damage_is_told(store.path):
        Search(folder, options, open_repository(kind, folder / PAGES)).update(lambda *_: None)


def main() -> None:
    begin_work()
    try:
        update(Path(sys.argv[1]))
    except FocusedError as error:
        sys.exit(print(error) or 1)


if __name__ == "__main__":
    main()
