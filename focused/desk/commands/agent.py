"""`scrapy agent`: reads along with a person, looks at the links ahead, and suggests some when asked."""

from __future__ import annotations

import argparse
import time
from contextlib import closing
from functools import partial
from importlib.resources import files

from scrapy.exceptions import UsageError

from focused.explain.command import FocusedCommand

PORT = 8124


class Command(FocusedCommand):
    usage = "NAME [options]"
    summary = "Read along in your browser, look at the links ahead, and suggest some when you ask"
    about = (
        "Listens on this machine for its browser extension, which tells it what you read on the sites that you switched on.\n"
        "It looks at a few links of each page, politely, and suggests those that are like what you read. All that it knows\n"
        "lies in agent.db in the folder of the collection; the extension can make it forget."
    )
    examples = """
scrapy agent wind                     read along; what you keep becomes a seed of the topic wind
scrapy agent wind --pair              pair with another browser, or with this one again
scrapy agent wind --breadth-first     look at links in page order, and at those of the pages ahead, as Letizia did
scrapy agent wind --port 9000"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        add = parser.add_argument
        add("--port", type=int, default=PORT, metavar="N", help="port to listen at (default: %(default)s)")
        add("--pair", action="store_true", help="part with the extension that is paired, for another")
        add("--breadth-first", action="store_true", help="links in page order, then those of the pages ahead")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused import strategies
        from focused.collection.collection import data_folder
        from focused.desk.commands.dashboard import listen, need_dashboard
        from focused.desk.dashboard import LOOPBACK
        from focused.topic.topic_file import find_topic, load_topic

        if len(args) != 1:
            raise UsageError("give the name of one topic, as in: scrapy agent wind")
        need_dashboard()
        from focused.collection.trained_model import MODELS
        from focused.desk.agent.agent import Agent
        from focused.desk.agent.agent_app import Pairing
        from focused.desk.agent.agent_spider import run_agent
        from focused.desk.agent.diary import Diary, keep_page
        from focused.live.assemble import page_model_of
        from focused.live.robots.robot import name_of_robot

        topic = load_topic(args[0], strategies, topics_dir=self.topics_dir)
        file, folder = find_topic(args[0], self.topics_dir), data_folder(self.settings) / topic.name
        listener = listen(LOOPBACK[0], opts.port)
        with closing(listener), closing(Diary(folder, time.time)) as diary:
            pairing = Pairing(diary)
            keep, first = partial(keep_page, file=file, folder=folder), opts.breadth_first
            reader, _ = page_model_of(topic, name_of_robot(self.settings), folder.parent / MODELS)
            agent = Agent(topic, reader, diary, keep, time.time, breadth_first=first)
            if opts.pair or not pairing.origin:
                extension = files("focused.desk.agent").joinpath("extension")
                code = f"{opts.port}.{pairing.anew()}"
                print(f"Load the extension from {extension} and enter this code there, once: {code}")
            print(f"Reading along for {topic.name} (Ctrl-C ends it)", flush=True)
            run_agent(agent, pairing, listener, self.settings)
