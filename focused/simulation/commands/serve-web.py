"""`scrapy serve-web`: be the Web. Serves a recorded web as an HTTP proxy, alone or around a command that crawls it."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from focused.exceptions import WebError
from focused.explain.command import FocusedCommand

if TYPE_CHECKING:
    from focused.simulation.proxy import WebServer
    from focused.simulation.recorded_web import RecordedWeb

PORT = 8899  # when serving alone; around a command any free port will do
SEPARATOR = "--"  # between our arguments and the command to run


class Command(FocusedCommand):
    """Serves until Ctrl-C, or for as long as a command runs, whose exit code becomes ours."""

    usage = "[options] WEB... [-- COMMAND ...]"
    summary = "Serve a recorded web (demo, WARC files) as a proxy, to crawl off the real Web"
    refuses_unknown_options = False  # those of the command to run are none of ours; `execute` looks at the others
    examples = """
scrapy serve-web demo                             serve the demo web until Ctrl-C
scrapy serve-web demo -- scrapy crawl topical -a topic=demo
scrapy serve-web pages.warc.gz --log access.log
scrapy serve-web data/solar/pages --port 9000     replay what an earlier crawl stored as WARC"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        from focused.simulation.proxy import ADDRESS

        super().add_options(parser)
        parser.add_argument(
            "--port",
            type=int,
            help=f"port on {ADDRESS} (default: {PORT}, with a COMMAND any free one; 0 = any free one)",
        )
        parser.add_argument("--latency", type=float, default=0.0, metavar="MS", help="milliseconds before each answer")
        parser.add_argument(
            "--log", type=Path, metavar="FILE", help="append time, method, URL, status, bytes of requests"
        )
        parser.add_argument(
            "--fold-index",
            action=argparse.BooleanOptionalAction,
            help="/index.html is the same page as / (default: no)",
        )

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        from focused.simulation.known_webs import open_web
        from focused.simulation.proxy import ADDRESS, serving

        split = args.index(SEPARATOR) if SEPARATOR in args else len(args)
        names, command = args[:split], args[split + 1 :]
        _check(names, opts)
        if split < len(args) and not command:
            raise UsageError("a command is missing after --", print_help=False)
        web = open_web(names, opts.fold_index)
        port = opts.port if opts.port is not None else 0 if command else PORT
        with serving(web, port, opts.latency / 1000, opts.log) as server:
            proxy = f"http://{ADDRESS}:{server.port}"
            if command:
                self.exitcode = _run(command, proxy)
            else:
                _serve(web, server, proxy)


def _check(names: list[str], opts: argparse.Namespace) -> None:
    strange = next((name for name in names if name.startswith("-")), None)
    if strange:
        raise UsageError(f"{strange}: unknown option (those of a command to run go after --)", print_help=False)
    if opts.port is not None and not 0 <= opts.port <= 65535:
        raise WebError(f"--port {opts.port}: a port is a number from 0 to 65535")
    if not 0 <= opts.latency <= 60_000:
        raise WebError(f"--latency {opts.latency:g}: give milliseconds from 0 to 60000")


def _serve(web: RecordedWeb, server: WebServer, proxy: str) -> None:
    """Say how to use the proxy and wait for Ctrl-C or SIGTERM."""
    from focused.simulation.recorded_web import SeededWeb

    end = threading.Event()
    with _handling({signal.SIGINT: lambda *_: end.set(), signal.SIGTERM: lambda *_: end.set()}):
        print(f"Serving {sum(1 for _ in web.urls()):,} URLs on {len(web.hosts):,} hosts at {proxy}; Ctrl-C ends it.")
        if isinstance(web, SeededWeb):
            for part, seed in web.seeds.items():
                print(f"Seed for {part}: {seed}")
        print(f"In another terminal:\n  http_proxy={proxy} https_proxy={proxy} no_proxy= scrapy crawl ...", flush=True)
        end.wait()
    print(f"{server.requests.total():,} requests answered.")


def _run(command: list[str], proxy: str) -> int:
    """Run a command whose HTTP traffic goes to our proxy; its exit code, 128 + n if signal n ended it."""
    try:
        process = subprocess.Popen(command, env=_environment(os.environ, proxy))
    except OSError as error:
        raise WebError(f"{command[0]}: cannot be run: {error.strerror}") from None

    def forward(number: int, _frame: object) -> None:
        # Ctrl-C in a terminal reaches the command by itself, and Scrapy takes a second one for "stop at once".
        if number != signal.SIGINT or not _in_foreground():
            with suppress(ProcessLookupError):
                process.send_signal(number)

    with _handling({signal.SIGINT: forward, signal.SIGTERM: forward}):
        code = process.wait()
    return code if code >= 0 else 128 - code


def _environment(current: Mapping[str, str], proxy: str) -> dict[str, str]:
    """The environment with our proxy for every host. The scripts beside this Python, such as scrapy, are found first."""
    kept = {name: value for name, value in current.items() if not name.lower().endswith("_proxy")}
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), proxy)
    path = os.pathsep.join(filter(None, (str(Path(sys.executable).parent), current.get("PATH"))))
    return kept | proxies | {"PATH": path}


def _in_foreground() -> bool:
    """Whether a terminal's Ctrl-C reaches our whole process group."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError, AttributeError):  # no terminal, or no stdin at all
        return False


@contextmanager
def _handling(handlers: Mapping[signal.Signals, object]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}  # type: ignore[arg-type]
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
