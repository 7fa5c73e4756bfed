"""`scrapy audit`: draw pages for a person to judge, and say what the judgements mean for the crawl."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import AuditError
from focused.explain.command import FocusedCommand
from focused.topic.plain_files import shown_path

if TYPE_CHECKING:
    from focused.collection.store import Store
    from focused.desk.judging.sheet import Line

MOST = 100_000  #: pages of a sample


class Command(FocusedCommand):
    """Works on a collection, also while it is being crawled; changes nothing in it but its audit.csv."""

    examples = """
scrapy audit solar --sample 100                   draw 100 pages into data/solar/audit.csv; fill its column relevant
scrapy audit solar                                what the judgements mean, complete or not
scrapy audit solar --sample 200                   draw 100 more; judgements are kept
scrapy audit solar --export judged                labels, and example files for the page model"""

    def syntax(self) -> str:
        return "TOPIC [--sample N [--seed N] [--out FILE] | [FILE] [--export DIR]]"

    def short_desc(self) -> str:
        return (
            "Have a sample of the fetched pages judged by a person: harvest rate with an interval, a better threshold"
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.collection.collection import AUDIT

        super().add_options(parser)
        parser.add_argument(
            "--sample",
            type=int,
            metavar="N",
            help="draw N pages in all, the same number from each stratum of relevance",
        )
        parser.add_argument("--seed", type=int, metavar="N", help="of the draw (default: 0); another gives other pages")
        parser.add_argument(
            "--out",
            type=Path,
            metavar="FILE",
            help=f"CSV file to write (default: {AUDIT} in the folder of the collection)",
        )
        parser.add_argument(
            "--export", type=Path, metavar="DIR", help="write what was judged to DIR: labels, and example files"
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import AUDIT, data_folder, opened

        assert self.settings is not None
        if not 1 <= len(args) <= 2:
            raise UsageError("give one topic, as in: scrapy audit solar --sample 100")
        given = {"--seed": opts.seed, "--out": opts.out} if opts.sample is None else {"--export": opts.export}
        if opts.sample is not None and len(args) > 1:
            raise UsageError(f"--sample writes a file: name it with --out {args[1]}", print_help=False)
        if strange := next((option for option, value in given.items() if value is not None), None):
            need = "needs --sample" if opts.sample is None else "reads judgements: use it without --sample"
            raise UsageError(f"{strange} {need}", print_help=False)
        folder = data_folder(self.settings) / args[0]
        with opened(folder) as store:
            if opts.sample is not None:
                _draw(store, opts.out or folder / AUDIT, opts.sample, opts.seed or 0)
            else:
                _tell(store, Path(args[1]) if len(args) > 1 else folder / AUDIT, opts.export)


def _draw(store: Store, path: Path, size: int, seed: int) -> None:
    from focused.collection.desk import Desk
    from focused.desk.judging.sheet import judged, new_sheet, places, population, read_sheet, verdicts_of, write_sheet

    if not 1 <= size <= MOST:
        raise AuditError(f"--sample {size}: give a number of pages from 1 to {MOST:,}")
    if seed < 0:
        raise AuditError(f"--seed {seed}: give a whole number from 0 on")
    said = verdicts_of(Desk(store.path.parent))
    known = judged(read_sheet(path)) if path.exists() else {}
    known |= {url: said[url] for url in places(store, said.keys())}
    pages = population(store)
    lines = new_sheet(store, pages, size, known, seed)
    write_sheet(lines, path)
    print(f"{shown_path(path)}: {_drawn(lines)}, drawn from {len(pages):,} (those that bring nothing new are left out)")
    print(
        "Write yes or no into the column relevant, from the top; you may stop anywhere. Then: scrapy audit with the topic alone"
    )


def _drawn(lines: list[Line]) -> str:
    sample = [line for line in lines if line.stratum is not None]
    known = sum(line.relevant is not None for line in sample)
    parts = [f"a sample of {len(sample):,} pages"]
    if known:
        parts.append(f"{known:,} of them judged already")
    if left := len(lines) - len(sample):
        parts.append(f"{left:,} judged earlier that are no longer in it kept at the end")
    return ", ".join(parts)


def _tell(store: Store, path: Path, export: Path | None) -> None:
    from focused.collection.desk import Desk
    from focused.desk.judging.audit import audit_of, findings, use_of_examples, write_examples, write_labels
    from focused.desk.judging.sheet import judged, population, read_sheet, verdicts_of, with_verdicts
    from focused.live.last_run import topic_of_last_run

    if not path.exists():
        raise AuditError(
            f"{shown_path(path)}: no such file; `scrapy audit {store.path.parent.name} --sample 100` draws a sample"
        )
    lines, topic = with_verdicts(read_sheet(path), verdicts_of(Desk(store.path.parent))), topic_of_last_run(store)
    audit = audit_of(store, population(store), lines, shown_path(path))
    print("\n".join(findings(audit, topic.relevance.threshold)))
    judgements = judged(lines)
    if export is None:
        print(f"To hand the {len(judgements):,} judgements on: --export DIR")
        return
    labels = shown_path(write_labels(judgements, export))
    name = store.path.parent.name
    print(f"\n{labels}: URL and class of {len(judgements):,} pages. To train a classifier with them:")
    print(f"    scrapy train classifier {name}-judged --crawl {name} --labels {labels}")
    if written := write_examples(judgements, store, topic, export):
        print(f"{shown_path(written[0].parent)}: the text of {len(written):,} relevant pages. In the topic file:")
        print("\n".join(f"    {line}" for line in use_of_examples(written)))
