"""`scrapy dashboard`: look at crawls, running and ended, in a browser."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading

from scrapy.exceptions import UsageError

from focused.exceptions import FocusedError, needs_extra
from focused.explain.command import FocusedCommand

PORT = 8123
TRIES = 20  #: ports after the first, where that one is taken and nobody asked for it
EVERYWHERE = ("0.0.0.0", "::")
PASSWORD = "DASHBOARD_PASSWORD"  #: variable of the environment: an argument would show in the list of processes


class Command(FocusedCommand):
    usage = "[options] [NAME ...]"
    summary = "Look at crawls, running and ended, in a browser"
    about = (
        "Serves pages about the collections named, or all of them: how they stand, search, map, hosts, failures, judging.\n"
        "A crawl that runs is followed and can be steered. Only this machine can open them, unless --host says otherwise."
    )
    examples = """
scrapy dashboard                                  all collections of the data folder
scrapy dashboard solar wind                       these two
scrapy dashboard /mnt/archive/solar               a folder of somebody else's; nothing is written there
scrapy dashboard --port 9000
DASHBOARD_PASSWORD=... scrapy dashboard --host 0.0.0.0 --called crawler.example.org"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.desk.dashboard import LOOPBACK

        super().add_options(parser)
        add, host = parser.add_argument, LOOPBACK[0]
        add("--port", type=int, metavar="N", help=f"port to listen at (default: {PORT}, or the next free)")
        where = f"address to listen at (default: {host}); any other needs a password in {PASSWORD}"
        add("--host", default=host, metavar="ADDRESS", help=where)
        called = "a name by which browsers call this machine"
        add("--called", action="append", default=[], metavar="NAME", help=called)
        add("--until-eof", action="store_true", help=argparse.SUPPRESS)  # for the setting DASHBOARD

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.collection.collection import data_folder
        from focused.desk.dashboard import LOOPBACK

        password = os.environ.get(PASSWORD, "")
        if opts.host not in LOOPBACK and not password:
            raise UsageError(
                f"--host {opts.host}: others could reach it: put a password into the variable {PASSWORD}",
                print_help=False,
            )
        data = data_folder(self.settings)
        need_dashboard()
        from focused.desk.dashboard.app import create_app, serve
        from focused.desk.dashboard.launcher import Launcher
        from focused.desk.dashboard.served import Served
        from focused.seeds.searching.search_options import provider_specs

        search = provider_specs(self.settings["FOCUSED_SEARCH"])
        served = Served(data, args, None if args else Launcher(data, self.topics_dir, opts.set, search))
        listener = listen(opts.host, opts.port)
        shown = opts.called[0] if opts.called else (LOOPBACK[0] if opts.host in EVERYWHERE else opts.host)
        address = f"http://{f'[{shown}]' if ':' in shown else shown}:{listener.getsockname()[1]}/"
        count = len(served.names())
        print(f"{count:,} collection{'' if count == 1 else 's'}: {address} (Ctrl-C ends it)", flush=True)
        if opts.until_eof:
            threading.Thread(target=_end_with_input, daemon=True).start()
        hosts = {*LOOPBACK, opts.host, *(name.lower() for name in opts.called)}
        app = create_app(served, hosts=hosts, password=password, any_address=opts.host in EVERYWHERE)
        serve(app, listener)


def need_dashboard() -> None:
    """Raise FocusedError where the extra is not installed."""
    with needs_extra("dashboard", "the dashboard"):
        import jinja2  # noqa: F401
        import python_multipart  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401


def _end_with_input() -> None:
    """End this process when its standard input ends, which is held open by the crawl that it is for."""
    while sys.stdin.buffer.read(1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens at the port, or, where nobody asked for one, at the first that is free. Raises UsageError."""
    if port is not None and not 1 <= port <= 65535:
        raise UsageError(f"--port {port}: give a number from 1 to 65535", print_help=False)
    ports = [port] if port is not None else range(PORT, PORT + TRIES)
    why = ""
    for one in ports:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, one))
            listener.listen()
            return listener
        except (OSError, TypeError, UnicodeError) as error:  # the last two: a name that no host can have
            listener.close()
            why = getattr(error, "strerror", None) or str(error)
    raise FocusedError(f"--port {ports[0]} of {host}: {why}; end what listens there, or give another port")
