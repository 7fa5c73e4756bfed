"""`scrapy topics new` with --search, --provider or --from: search, table, topic file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy.settings import Settings

from focused.collection.collection import data_folder
from focused.exceptions import SearchError
from focused.seeds.searching.provider_list import check_specs
from focused.seeds.searching.search_options import HOW, provider_specs, wish_of
from focused.seeds.searching.search_spider import Search, make_search
from focused.seeds.searching.seed_sources import check_source
from focused.seeds.searching.written_seeds import table_of, text_of_topic
from focused.topic.plain_files import write_new
from focused.topic.topic import Topic


def search_of(opts: argparse.Namespace, topic: Topic, settings: Settings) -> Search:
    """The search that the options ask for. Raises SearchError for mistakes, before anything is asked."""
    wish = wish_of(opts)
    specs = opts.provider or (provider_specs(settings["FOCUSED_SEARCH"]) if opts.search else [])
    if opts.search and not specs:
        raise SearchError(f"--search: nobody to ask; name a provider with --provider SPEC, or in {HOW}")
    check_specs(specs, opts.sources or ())
    for source in opts.sources or ():
        check_source(source, data_folder(settings))
    return Search(topic, specs, opts.sources or (), wish, lambda line: print(line, flush=True))


def search_and_write(
    search: Search,
    path: Path,
    tables: Mapping[str, Mapping[str, Any]],
    given: Sequence[str],
    settings: Settings,
    *,
    dry_run: bool,
) -> None:
    """Make a search, show what it found, and write the topic file unless it is a dry run.

    tables, given : see `text_of_topic`

    Raises SearchError where too little was found, TopicError where the file cannot be written.
    """
    make_search(search, settings)
    if search.judged:
        print(f"\n{table_of(search.judged, search.chosen)}\n")
    seeds = search.seeds
    hosts = len({page.host for page in seeds})
    print(f"{len(seeds)} seeds on {hosts} hosts, of {len(search.judged)} pages and {search.questions} questions.")
    if not dry_run:
        write_new(path, text_of_topic(path.stem, tables, search.topic, given, seeds))
