"""`scrapy judge`: a person says of pages whether they are on topic. That teaches a crawl, or says how good it was."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import AuditError
from focused.explain.command import FocusedCommand
from focused.page.plain_text import plain
from focused.topic.plain_files import shown_path

if TYPE_CHECKING:
    from focused.collection.store import Store
    from focused.desk.judging.sheet import SheetLine

MOST = 100_000  #: pages of a sample


class Command(FocusedCommand):
    """Works on a collection, also while it is being crawled; writes into its desk.db and its audit.csv."""

    usage = "NAME [--pile PILE | --sample N [--seed N] [--out FILE] | --findings [FILE] [--export DIR]]"
    summary = (
        "Say of pages whether they are on topic: the crawl learns from it, or a sample shows its true harvest rate"
    )
    about = (
        "Shows title, URL and the beginning of the main text of one page after the other. Press j (on topic), f (not),\n"
        "space (skip), u (undo) or q (quit). What the crawl thinks of a page is shown once you have judged it. Without\n"
        "a terminal, it reads one letter a line. With --sample it draws pages and shows none; with --findings it says\n"
        "what the judgements mean: the harvest rate with an interval, and a better threshold."
    )
    examples = """
scrapy judge solar                    teach the crawl: pages it is least certain of, and those it finds best
scrapy judge solar --sample 100       draw 100 pages into data/solar/audit.csv, which say how good the crawl was
scrapy judge solar --pile audit       judge them here; or fill the column relevant of the file
scrapy judge solar --findings         what the judgements mean, complete or not
scrapy judge solar --sample 200       draw 100 more; judgements are kept
scrapy judge solar --export judged    the findings, then labels, and example files for the page model"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.collection.collection import AUDIT
        from focused.collection.desk import TEACH_PILE

        super().add_options(parser)
        add = parser.add_argument
        pile = (
            f"{TEACH_PILE}: the crawl learns from it (default); audit: --findings count it, and the crawl never sees it"
        )
        sample = "draw N pages in all, the same number from each stratum of relevance"
        out = f"CSV file of the draw (default: {AUDIT} in the folder of the collection)"
        findings = "say what the judgements in FILE mean (default: the file that was drawn)"
        add("--pile", metavar="PILE", help=pile)
        add("--sample", type=int, metavar="N", help=sample)
        add("--seed", type=int, metavar="N", help="of the draw (default: 0); another gives other pages")
        add("--out", type=Path, metavar="FILE", help=out)
        add("--findings", nargs="?", type=Path, const=Path(), metavar="FILE", help=findings)
        add("--export", type=Path, metavar="DIR", help="write what was judged to DIR: labels, and example files")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import AUDIT, data_folder, opened

        if len(args) != 1:
            raise UsageError("give the name of a collection, as in: scrapy judge solar")
        _refuse_what_does_not_fit(opts)
        folder = data_folder(self.settings) / args[0]
        if opts.sample is not None:
            with opened(folder) as store:
                _draw(store, opts.out, opts.sample, opts.seed or 0)
        elif opts.findings is not None or opts.export is not None:
            path = folder / AUDIT if opts.findings in (None, Path()) else opts.findings
            with opened(folder) as store:
                _tell(store, path, opts.export)
        else:
            _label(folder, opts.pile)


def _refuse_what_does_not_fit(opts: argparse.Namespace) -> None:
    """Raises UsageError for options that mean nothing beside each other."""
    asked = [name for name in ("pile", "sample", "findings") if getattr(opts, name) is not None]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]}: give one of them", print_help=False)
    needs = {"seed": "sample", "out": "sample"}
    for option, other in needs.items():
        if getattr(opts, option) is not None and getattr(opts, other) is None:
            raise UsageError(f"--{option} needs --{other}", print_help=False)
    if opts.export is not None and asked not in ([], ["findings"]):
        raise UsageError(f"--export reads judgements: use it without --{asked[0]}", print_help=False)


def _label(folder: Path, pile: str | None) -> None:
    """Let a person judge page after page; each verdict is kept at once."""
    from focused.collection.desk import AUDIT_PILE, PILES, TEACH_PILE
    from focused.desk.judging.labelling import Labelling

    pile = pile or TEACH_PILE
    if pile not in PILES:
        raise UsageError(f"--pile {plain(pile, 20)}: it is {' or '.join(PILES)}", print_help=False)
    judged = Labelling(folder, pile).run()
    told = f"{judged:,} {'page' if judged == 1 else 'pages'} judged"
    print(f"{told}; {what_follows(folder, pile)}" if judged or pile == AUDIT_PILE else told)


def what_follows(folder: Path, pile: str) -> str:
    """What becomes of the verdicts, for a person."""
    from focused.collection.collection import AUDIT, is_crawled
    from focused.collection.desk import AUDIT_PILE

    if pile == AUDIT_PILE:
        drawn = (folder / AUDIT).is_file()
        return f"scrapy judge {folder.name} {'--findings says what they mean' if drawn else '--sample 100 draws pages to judge'}"
    return "the crawl learns from them as it runs" if is_crawled(folder) else "the next run learns from them"


def _draw(store: Store, out: Path | None, size: int, seed: int) -> None:
    from focused.collection.collection import AUDIT
    from focused.collection.desk import Desk
    from focused.desk.judging.sheet import draw_sheet, population

    if not 1 <= size <= MOST:
        raise AuditError(f"--sample {size}: give a number of pages from 1 to {MOST:,}")
    if seed < 0:
        raise AuditError(f"--seed {seed}: give a whole number from 0 on")
    folder = store.path.parent
    path = out or folder / AUDIT
    lines, count = draw_sheet(store, Desk(folder), size, path, seed), len(population(store))
    print(f"{shown_path(path)}: {_drawn(lines)}, drawn from {count:,} (those that bring nothing new are left out)")
    print(
        "Write yes or no into the column relevant, from the top; you may stop anywhere. "
        f"Then: scrapy judge {folder.name} --findings{f' {shlex.quote(str(out))}' if out else ''}"
    )


def _drawn(lines: list[SheetLine]) -> str:
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
            f"{shown_path(path)}: no such file; `scrapy judge {store.path.parent.name} --sample 100` draws a sample"
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
    print(f"    scrapy train {name}-judged classifier --crawl {name} --labels {labels}")
    if written := write_examples(judgements, store, topic, export):
        print(f"{shown_path(written[0].parent)}: the text of {len(written):,} relevant pages. In the topic file:")
        print("\n".join(f"    {line}" for line in use_of_examples(written)))
