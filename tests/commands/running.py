"""Commands in this process, the way `scrapy.cmdline.execute` runs them, and crawls for them to tell of."""

from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import ScrapyArgumentParser
from scrapy.commands import ScrapyHelpFormatter
from scrapy.settings import Settings

from focused.explain.command import FocusedCommand
from focused.live.session import Session
from tests import small_web
from tests.small_collections import collection


def parser_of(
    command: FocusedCommand, topics_dir: Path | None = None, data_dir: Path | None = None
) -> ScrapyArgumentParser:
    """The parser of a command, in a project with these folders."""
    folders = {"FOCUSED_TOPICS_DIR": topics_dir, "FOCUSED_DATA_DIR": data_dir}
    command.settings = Settings({name: str(folder) if folder else None for name, folder in folders.items()})
    parser = ScrapyArgumentParser(
        formatter_class=ScrapyHelpFormatter,
        usage=f"scrapy {command.name} {command.syntax()}",
        conflict_handler="resolve",
        description=command.long_desc(),
    )
    command.add_options(parser)
    return parser


def run_command(
    command: FocusedCommand, *argv: str, topics_dir: Path | None = None, data_dir: Path | None = None
) -> int:
    """Run a command; return its exit code."""
    opts, args = parser_of(command, topics_dir, data_dir).parse_known_args(argv)
    command.process_options(args, opts)
    command.run(args, opts)
    return command.exitcode


def refusal(code: int, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command that ended with this code has said of a mistake: one line, and nothing else."""
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (1, "", 1), err
    return err


def crawled(folder: Path, most: int = 1000, models: Path | None = None, **tables: Any) -> list[str]:
    """Crawl the small web, or go on with it, into this collection; return the URLs in their order."""
    if models is None and not folder.exists():
        return collection(folder, most, **tables)
    session = Session(small_web.topic_of(**tables), folder, models=models)
    order = small_web.crawl(session, most)
    session.close()
    return order
