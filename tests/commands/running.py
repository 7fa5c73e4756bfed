"""Commands in this process, the way `scrapy.cmdline.execute` runs them."""

from __future__ import annotations

from pathlib import Path

from scrapy.cmdline import ScrapyArgumentParser
from scrapy.commands import ScrapyHelpFormatter
from scrapy.settings import Settings

from focused.reporting.command import FocusedCommand


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
