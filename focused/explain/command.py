"""The base of our Scrapy commands: a user's mistake gives one clear line and exit code 1, and help ends with examples."""

from __future__ import annotations

import argparse
import logging
import sys
from abc import abstractmethod
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand, ScrapyHelpFormatter
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings, Settings
from scrapy.utils.conf import arglist_to_dict

from focused import wings
from focused.exceptions import FocusedError
from focused.explain.plain_output import ProgressLine, plain_stdout
from focused.live.closed_pipe import drop_the_rest, full_disk_is_told, nobody_reads
from focused.page.plain_text import plain
from focused.topic.mistakes import unknown
from focused.topic.plain_files import at_home
from focused.topic.project_settings import add_own_defaults, check_values

if TYPE_CHECKING:
    from focused.topic.topic import Topic

INTERRUPTED = 130  # exit code of a shell command ended by Ctrl-C


class CommandHelp(ScrapyHelpFormatter, argparse.RawDescriptionHelpFormatter):
    """Scrapy's help, with the line breaks of descriptions and examples kept."""

    def format_part_strings(self, part_strings: list[str]) -> list[str]:
        """Format only headings as headings: Scrapy also does so with a line of an option's help that ends with a colon."""
        of_options = part_strings and part_strings[0].startswith(" ")
        return part_strings if of_options else super().format_part_strings(part_strings)


def with_verb_first(args: Sequence[str], verbs: Container[str]) -> list[str]:
    """Arguments with the verb before the name. Both orders are allowed; the usual one, as in all commands, is the name first."""
    name_first = len(args) > 1 and args[0] not in verbs and args[1] in verbs
    return [args[1], args[0], *args[2:]] if name_first else list(args)


class FocusedCommand(ScrapyCommand):
    """A command named as its module. A subclass sets `summary`, writes `execute`, and may set the attributes below."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}
    settings: Settings  # Scrapy sets them before it calls any method

    usage: ClassVar[str] = ""  #: what comes after the name
    summary: ClassVar[str]  #: what it does, in a line
    about: ClassVar[str] = ""  #: what --help says besides; empty: the summary
    program: ClassVar[str] = "scrapy"  #: what a person types before the name
    examples: ClassVar[str] = ""  #: lines shown at the end of --help
    refuses_unknown_options: ClassVar[bool] = True  #: False: `execute` gets them among its arguments

    def __init_subclass__(cls) -> None:
        """What a command says of itself may need a missing wing, too."""
        for name in {"long_desc", "add_options"} & vars(cls).keys():
            setattr(cls, name, _told_if_a_wing_is_missing(vars(cls)[name]))

    def syntax(self) -> str:
        return self.usage

    def short_desc(self) -> str:
        return self.summary

    def long_desc(self) -> str:
        return self.about or self.summary

    @property
    def name(self) -> str:
        return type(self).__module__.rpartition(".")[2]

    @property
    def called(self) -> str:
        """What a person types to run this command."""
        return f"{self.program} {self.name}"

    @property
    def topics_dir(self) -> Path | None:
        """The user's folder of topics, if there is one."""
        folder = self.settings.get("FOCUSED_TOPICS_DIR")
        return at_home(folder) if folder else None

    @property
    def data(self) -> Path:
        """The folder of all collections."""
        from focused.collection.collection import data_folder

        return data_folder(self.settings)

    def progress(self) -> ProgressLine:
        """The line that shows how far long work is."""
        return ProgressLine(self.settings.getfloat("FOCUSED_PROGRESS_SECONDS"))

    def topic(self, given: Mapping[str, str], folder: Path | None = None) -> Topic:
        """The topic that arguments describe, as for `scrapy crawl topical`. Raises TopicError.

        folder : of topic files; None: the user's
        """
        from focused import strategies
        from focused.scorers import with_scorers
        from focused.topic.topic_arguments import topic_from_arguments

        topic = topic_from_arguments(given, strategies, topics_dir=folder or self.topics_dir)
        return with_scorers(topic, self.settings)

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = CommandHelp
        parser.usage = f"{self.called} {self.syntax()}"
        if self.examples:
            indented = "\n".join("  " + line for line in self.examples.strip().splitlines())
            parser.epilog = f"Examples\n========\n{indented}"
        self._parser = parser

    def add_arguments_option(self, parser: argparse.ArgumentParser, text: str) -> None:
        """Let a command take arguments of the topical spider, as `scrapy crawl` does; ``text`` is the help."""
        parser.add_argument("-a", dest="arguments", action="append", default=[], metavar="NAME=VALUE", help=text)

    def arguments(self, opts: argparse.Namespace) -> dict[str, str]:
        """The arguments given with -a; UsageError for one that is not NAME=VALUE."""
        try:
            return arglist_to_dict(opts.arguments)
        except ValueError:
            raise UsageError("invalid -a value, use -a NAME=VALUE", print_help=False) from None

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        add_own_defaults(self.settings)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        strange = next((argument for argument in args if argument.startswith("-") and len(argument) > 1), None)
        if strange and self.refuses_unknown_options:
            known = [option for action in self._parser._actions for option in action.option_strings]
            raise UsageError(f"{strange}: {unknown(strange.partition('=')[0], known, plural='options')}")
        with one_line_for_mistakes(self, self.called), plain_stdout():
            check_values(self.settings)
            self.execute(args, opts)

    @abstractmethod
    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do the work; raise FocusedError for a mistake that a person can fix, set `exitcode` for any other failure."""


def _told_if_a_wing_is_missing(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a command that ends it with one line where it imports from a wing that is not there."""

    @wraps(method)
    def told(self: FocusedCommand, *arguments: Any) -> Any:
        try:
            with wings.all_there(f"{self.called}: "):
                return method(self, *arguments)
        except FocusedError as error:
            sys.exit(str(error))

    return told


@contextmanager
def one_line_for_mistakes(command: ScrapyCommand, called: str) -> Iterator[None]:
    """End a command with a line for each mistake and exit code 1, or with one line if a person interrupts it."""
    try:
        with mistakes_told(command, called):
            yield
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{called}: interrupted", file=sys.stderr)
        command.exitcode = INTERRUPTED
    except BrokenPipeError:
        if not nobody_reads():
            raise
        drop_the_rest()


@contextmanager
def mistakes_told(command: ScrapyCommand, called: str) -> Iterator[None]:
    """Tell a mistake of the block in a line for each of its lines; the command may go on, and ends with exit code 1."""
    try:
        with wings.all_there():
            yield
    except FocusedError as error:
        for line in str(error).splitlines():
            print(f"{called}: {plain(line)}", file=sys.stderr)
        command.exitcode = 1
        with suppress(FocusedError, BrokenPipeError), full_disk_is_told():
            sys.stdout.flush()  # what was printed before


def leave_out_what_scrapy_says(settings: BaseSettings) -> None:
    """Leave out the seventy or so lines that Scrapy logs before a crawl starts, unless the user has set a log level.

    JSON logs are without these lines in any case: Scrapy logs them before we switch to JSON.
    """
    asked_for = (settings.getpriority("LOG_LEVEL") or 0) >= SETTINGS_PRIORITIES["cmdline"]
    if not asked_for or settings.getbool("FOCUSED_LOG_JSON"):
        for name in ("asyncio", "scrapy.addons", "scrapy.crawler", "scrapy.middleware", "scrapy.utils.log"):
            # A filter, as Scrapy sets the levels itself.
            logging.getLogger(name).addFilter(lambda record: record.levelno >= logging.WARNING)
