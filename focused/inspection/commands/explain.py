"""`scrapy explain`: why a URL was fetched when it was, why it waits, or why it was dropped."""

from __future__ import annotations

import argparse
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.exceptions import FocusedError
from focused.explain.command import FocusedCommand
from focused.topic.mistakes import nearest


class Command(FocusedCommand):
    """Explains from the journal, also while the crawl is running; fetches nothing and changes nothing."""

    usage = "[NAME] [--waiting N] [URL ...]"
    summary = "Say why a URL was fetched when it was, why it waits, or why it was dropped"
    examples = """
scrapy explain solar https://example.org/page.html
scrapy explain solar --waiting 20                 what comes next, and why"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        self.add_arguments_option(
            parser, "topic=NAME in place of NAME, or what else names the collection in scrapy crawl topical"
        )
        parser.add_argument("--waiting", type=int, metavar="N", help="list the best N URLs that wait")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import PAGES, open_repository, opened
        from focused.collection.trained_model import MODELS
        from focused.inspection.explanation import explain, print_waiting
        from focused.live.assemble import assemble, model_of, tell_what_is_asked
        from focused.live.last_run import last_run, topic_of_last_run
        from focused.live.resume import restore
        from focused.topic.topic import TOPIC_NAME

        given, urls = self.arguments(opts), args
        if not given and args and "://" not in args[0] and TOPIC_NAME.fullmatch(args[0]):
            given, urls = {"name": args[0]}, args[1:]
        if not urls and opts.waiting is None:
            raise UsageError("give a URL, or --waiting N, as in: scrapy explain solar https://example.org/page.html")
        if opts.waiting is not None and opts.waiting < 1:
            raise UsageError("--waiting takes a number above 0", print_help=False)
        folder = self._folder(given)
        with opened(folder) as store:
            topic = topic_of_last_run(store)
            models = folder.parent / MODELS
            reader, crawl = assemble(topic, models=models)
            if not last_run(store).had_model(model_of(topic, models)):
                raise FocusedError(
                    f"{folder}: its model was trained anew since the last run, and the old one is gone; run the crawl once more, "
                    "which scores all pages by the new one"
                )
            tell_what_is_asked(crawl, topic)
            restore(crawl, reader, store, open_repository(topic.storage.pages, folder / PAGES))
            for text in urls:
                canonical = reader.rules.canonical(text)
                if canonical is None:
                    raise FocusedError(f"{text}: not an http(s) URL")
                url = crawl.urls.find(reader.rules.key(canonical))
                if url < 0:
                    print(f"{canonical}\n  not known: no page fetched so far links to it")
                else:
                    print("\n".join(explain(store, crawl, url)))
            if opts.waiting is not None:
                print_waiting(store, crawl, opts.waiting)

    def _folder(self, given: dict[str, str]) -> Path:
        """The folder of the collection that the arguments name; without any, that of the only one there is."""
        from focused.collection.collection import collections
        from focused.spiders.topical import RUN_ARGUMENTS

        names = collections(self.data)
        if not given and len(names) != 1:
            raise FocusedError(f"which collection? Give its NAME first; there are: {', '.join(names) or 'none yet'}")
        name = given.get("name") or given.get("topic") if given else names[0]
        if name is None:
            name = self.topic({key: text for key, text in given.items() if key not in RUN_ARGUMENTS}).name
        if name not in names and (guess := nearest(name, names)):
            raise FocusedError(f"{self.data}: no collection {name!r}; did you mean {guess}?")
        return self.data / name
