"""`python -m lab fuzz`: tries input that nobody would write, and keeps what breaks the product."""

from __future__ import annotations

import argparse
import logging
from contextlib import closing
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.exceptions import FocusedError
from focused.explain.command import FocusedCommand
from focused.explain.plain_output import ProgressLine
from focused.topic.mistakes import unknown
from focused.topic.plain_files import shown_path
from lab.fuzzing.fuzzing import fuzz
from lab.fuzzing.targets import TARGETS

OUT = Path("data/fuzz")


class Command(FocusedCommand):
    usage = "[options] TARGET... | all"
    summary = "Try odd input on what reads pages, URLs, robots.txt and files; keep what breaks it"
    program = "python -m lab"
    examples = """
python -m lab fuzz reading --minutes 60
python -m lab fuzz urls robots topics rows --minutes 5 --seed 7
python -m lab fuzz all --minutes 1 --out findings"""

    def long_desc(self) -> str:
        return (
            "Targets: " + "; ".join(f"{name} ({target.about})" for name, target in TARGETS.items()) + ".\n"
            "What breaks one is kept in the folder OUT/TARGET: a case (.case) with its traceback (.txt).\n"
            "Kept cases are tried first. A case that ends the process is found by the next run, in the file 'running'.\n"
            "With a finding the exit code is 1."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--minutes", type=float, default=1.0, metavar="N", help="for each target (default: 1)")
        parser.add_argument("--seed", type=int, default=0, metavar="N", help="of chance: another one gives other cases")
        parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"folder of findings (default: {OUT})")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        names = list(TARGETS) if args == ["all"] else args
        if not names:
            raise UsageError(f"give what to fuzz: {', '.join(TARGETS)}, or all")
        for name in names:
            if name not in TARGETS:
                raise FocusedError(f"{name}: {unknown(name, (*TARGETS, 'all'), plural='targets')}")
        if not 0 < opts.minutes < 1e5:
            raise FocusedError(f"--minutes {opts.minutes:g}: give a time, such as 60")
        assert self.settings is not None
        for name in names:
            self._fuzz(name, opts.out / name, opts.minutes, opts.seed)

    def _fuzz(self, name: str, folder: Path, minutes: float, seed: int) -> None:
        assert self.settings is not None
        logging.disable()  # warnings of input that is refused
        with closing(ProgressLine(self.settings.getfloat("FOCUSED_PROGRESS_SECONDS", 10.0))) as line:

            def tell(tried: int, findings: int) -> None:
                line.show(lambda: f"{name}: {tried:,} cases tried, {findings} findings")

            found = fuzz(TARGETS[name], folder, 60 * minutes, seed, tell)
        print(f"{name}: {found.tried:,} cases tried, {len(found.findings)} findings")
        for path, what in found.findings.items():
            print(f"  {shown_path(path)}: {ascii(what)[1:-1]}")
            self.exitcode = 1
