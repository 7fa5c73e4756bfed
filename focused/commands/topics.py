"""The command `scrapy topics`: list and check the topics, try their seeds, write a new one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES

from focused import wings
from focused.exceptions import TopicError
from focused.explain.command import FocusedCommand, with_verb_first
from focused.explain.plain_output import TableColumn, print_table
from focused.topic.plain_files import check_folder_of, shown_path, write_new

if TYPE_CHECKING:
    from focused.live.seed_check import SeedCheck

OF_SEEDS = (
    TableColumn("relevance", True),
    "verdict",
    TableColumn("links", True),
    TableColumn("in scope", True),
    "seed",
    "moved to",
)
OF_LINKS = (TableColumn("score", True), "link", "made of")
BEST_LINKS = 20  # of the seeds, that `check` shows


class Command(FocusedCommand):
    usage = "[NAME ... | NAME check | NAME augment | NAME new --keywords WORDS --seed URL|--search ...] [options]"
    summary = "List and check the topics, try the seeds of one, or write the file of a new one"
    about = (
        "Without arguments: list all topics and check their files (exit code 1 if one has mistakes).\n"
        "With names: the same for these topics.\n"
        "NAME check: fetch the seeds and show their relevance and best links; nothing is stored.\n"
        "NAME augment: ask who links to the seeds ([backlinks] in the topic file) and add pages that link to several.\n"
        "NAME new: write a topic file that shows every option, into FOCUSED_TOPICS_DIR (without one: focused/topics in a\n"
        "checkout, else the folder topics). With --search or --from it finds seeds: it fetches and judges what is named,\n"
        "shows what it found, and writes the best pages of several sites as seeds."
    )
    examples = """
scrapy topics
scrapy topics solar
scrapy topics solar check
scrapy topics solar augment --dry-run
scrapy topics solar augment --web solar-2026.warc.gz
scrapy topics wind new --keywords "wind power, wind turbine" --seed https://windeurope.org/ --pages 5000
scrapy topics heat new --preset companies --keywords "heat pump" --seed https://a.example/ --seed https://b.example/
scrapy topics wind new --keywords "wind power, wind turbine" --search --provider searxng:http://127.0.0.1:8888
scrapy topics wind new --keywords "wind power, wind turbine" --from bookmarks.html --from https://en.wikipedia.org/wiki/Wind_power
"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.topic.topic import DEFAULT_STRATEGY, PRESETS

        group = parser.add_argument_group("Options of `new`")
        group.add_argument(
            "--keywords", metavar="WORDS", help="words or phrases, separated by commas, or a table of them by language"
        )
        group.add_argument("--seed", metavar="URL", action="append", help="URL to start from (may be repeated)")
        group.add_argument(
            "--language", metavar="LANG", help="language of the keywords (default: english), or several: de,ja"
        )
        group.add_argument("--pages", metavar="N", type=int, help="stop after this many pages")
        group.add_argument("--strategy", metavar="NAME", help=f"crawling strategy (default: {DEFAULT_STRATEGY})")
        group.add_argument("--preset", metavar="TASK", help=f"begin with what suits a task: {', '.join(PRESETS)}")
        wings.ask("add_topics_options", parser)
        parser.add_argument("--dry-run", action="store_true", help="show what would be written, by `new --search` too")
        super().add_options(parser)

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        args = with_verb_first(args, ACTIONS)
        action = ACTIONS.get(args[0]) if args else None
        if action:
            action(self, args[1:], opts)
        else:
            from focused.collection.trained_model import MODELS
            from focused.explain.topic_list import list_topics

            list_topics(args, self.topics_dir, self.data / MODELS)


def new_topic(command: FocusedCommand, args: list[str], opts: argparse.Namespace) -> None:
    """Write the file of a new topic, unless the topic would not be valid or the file exists."""
    from focused import strategies
    from focused.topic.mistakes import Mistakes
    from focused.topic.topic_arguments import NO_SEED
    from focused.topic.topic_file import check_name, path_of_new, topic_template
    from focused.topic.topic_tables import build_topic

    if len(args) != 1:
        raise UsageError("new: give one name, as in: scrapy topics wind new --keywords WORDS --seed URL")
    (name,) = args
    check_name(name)
    if name in ACTIONS:
        raise TopicError(f"{name!r} cannot be the name of a topic: it is a word of this command")
    path = path_of_new(name, command.topics_dir)
    if path.exists():
        raise TopicError(
            f"{shown_path(path)}: there is a topic of this name; choose another one, remove the file, or write yours into a folder "
            "of your own, whose topics go before those of focused: -s FOCUSED_TOPICS_DIR=FOLDER"
        )
    tables = _tables(opts)
    given = tuple(tables["topic"].get("seeds", ()))
    searches = wings.ask("wants_search", opts)
    if searches:
        tables["topic"]["seeds"] = [*given, NO_SEED]
    places = {("topic", "keywords"): "--keywords", ("topic", "seeds"): "--seed"}
    places |= {("budget", "pages"): "--pages", ("strategy", "name"): "--strategy"}
    places[("reading", "language")] = "--language"
    topic = build_topic(name, tables, strategies, Mistakes(options=places), path.parent)
    if searches:
        finding = wings.borrow("seeds.searching.new_topic", "--search")
        search = finding.search_of(opts, topic, command.settings)
        if not opts.dry_run:
            check_folder_of(path)
        finding.search_and_write(search, path, tables, given, command.settings, dry_run=opts.dry_run)
        if opts.dry_run:
            return
    else:
        tables["topic"] |= {"keywords": topic.own_keywords or topic.keywords, "seeds": topic.seeds}
        strategy = strategies.get_strategy(topic.strategy)
        write_new(path, topic_template(name, tables, strategy.name, strategy.summary(), strategy.Options))
    print(f"{shown_path(path)} is written. Crawl it with: scrapy crawl topical -a topic={_called(command, path)}")


def check_topic(command: FocusedCommand, args: list[str], _: argparse.Namespace) -> None:
    """Fetch the seeds of a topic and show their relevance and their best links; exit code 1 if no seed gives a page."""
    from focused import strategies
    from focused.live.seed_check import check_seeds
    from focused.scorers import with_scorers
    from focused.topic.topic_file import load_topic

    if len(args) != 1:
        raise UsageError("check: give one name, as in: scrapy topics solar check")
    topic = load_topic(args[0], strategies, topics_dir=command.topics_dir)
    check = check_seeds(with_scorers(topic, command.settings), command.settings)
    _print_seeds(check)
    if not check.pages:
        raise TopicError(f"{args[0]}: no seed gave a page; the crawl would end at once")


def _print_seeds(check: SeedCheck) -> None:
    """What a person should know before the crawl."""
    from focused.topic.topic_tables import doubts_about

    relevance, strategy = check.topic.relevance, check.crawl.strategy
    for doubt in doubts_about(check.topic):
        print(doubt)
    seeds = [
        (_figure(seed.relevance), seed.verdict, seed.links, seed.followed, seed.url, seed.moved)
        for seed in sorted(check.seeds, key=lambda seed: -seed.relevance)
    ]
    print_table(OF_SEEDS, seeds, f"Seeds by relevance ({relevance.model}, threshold {relevance.threshold:g})")
    links = [
        (_figure(score), url, ", ".join(f"{name} {part:.3f}" for name, part in parts.items()))
        for score, url, parts in check.best_links(BEST_LINKS)
    ]
    print_table(OF_LINKS, links, f"\nThe best of {len(check.crawl.frontier):,} links, by {strategy.name}")


def _figure(value: float) -> str:
    return f"{value:.3f}" if value >= 0 else "-"


def _called(command: FocusedCommand, path: Path) -> str:
    """What -a topic= takes to find a file: its name where the project looks for it, else its path."""
    from focused.topic.topic_file import topic_folders

    set_by_hand = (command.settings.getpriority("FOCUSED_TOPICS_DIR") or 0) >= SETTINGS_PRIORITIES["cmdline"]
    folders = [] if set_by_hand else topic_folders(command.topics_dir)
    found = any(Path(str(folder)).absolute() == path.parent.absolute() for folder in folders)
    return path.stem if found else shown_path(path)


def augment_topic(command: FocusedCommand, args: list[str], opts: argparse.Namespace) -> None:
    """Find pages that link to several seeds of a topic and write them into its file, the difference shown."""
    if len(args) != 1:
        raise UsageError("augment: give one name, as in: scrapy topics solar augment")
    wings.borrow("seeds.backlinks.augmentation", "scrapy topics augment").augment_topic(command, args[0], opts)


#: What the first argument may say instead of the name of a topic.
ACTIONS = {"new": new_topic, "check": check_topic, "augment": augment_topic}


def _tables(opts: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The options of `new` as tables of a topic file, only what was given."""
    from focused.topic.topic import tables_of
    from focused.topic.topic_arguments import written_as

    given = {
        ("topic", "keywords"): opts.keywords and (written_as(dict, opts.keywords) or opts.keywords),
        ("topic", "seeds"): opts.seed,
        ("budget", "pages"): opts.pages,
        ("strategy", "name"): opts.strategy,
        ("reading", "language"): opts.language
        and (opts.language.split(",") if "," in opts.language else opts.language),
    }
    tables = {"topic": {}, **(tables_of(opts.preset) if opts.preset is not None else {})}
    for (table, key), value in given.items():
        if value is not None:
            tables.setdefault(table, {})[key] = value
    return tables
