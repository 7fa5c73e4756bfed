"""`scrapy identity`: a key with which a crawl signs its requests, and what a site publishes of it."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from scrapy.exceptions import UsageError

from focused.explain.command import FocusedCommand
from focused.topic.plain_files import read_text, shown_path, writing

FILE = "identity.toml"
A_DAY = 86_400


class Command(FocusedCommand):
    usage = "[new SITE | headers] [options]"
    summary = "Make a key that signs the requests of your crawls, so that sites can check who asks (Web Bot Auth)"
    about = (
        "new SITE: write identity.toml, which holds the secret key, and http-message-signatures-directory, which holds the\n"
        "public one. Publish the second at SITE/.well-known/http-message-signatures-directory, and crawl with\n"
        "-s FOCUSED_IDENTITY=identity.toml. A directory that is there keeps its older keys.\n"
        "headers: print the headers that this file may be served with, for sites that want it signed as well."
    )
    examples = """
scrapy identity new https://bot.example.org
scrapy crawl topical -a topic=solar -s FOCUSED_IDENTITY=identity.toml
scrapy identity headers --days 30"""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--out", metavar="FOLDER", default=".", help="where `new` writes (default: this folder)")
        parser.add_argument("--days", metavar="N", type=int, default=30, help="how long `headers` hold (default: 30)")

    def execute(self, args: list[str], opts: argparse.Namespace) -> None:
        if args[:1] == ["new"] and len(args) == 2:
            self._new(args[1], Path(opts.out))
        elif args == ["headers"] and opts.days > 0:
            self._headers(opts.days)
        else:
            raise UsageError("write one of: new SITE, headers; --days from 1 on")

    def _new(self, site: str, folder: Path) -> None:
        from focused.live.identity import DIRECTORY, DIRECTORY_TYPE, Identity, IdentityError

        try:
            identity = Identity.new(site)
        except ValueError as error:
            raise UsageError(str(error), print_help=False) from None
        secret, directory = folder / FILE, folder / DIRECTORY
        published = identity.directory(_keys_of(directory) if directory.exists() else ())
        with writing(secret, IdentityError):
            identity.write(secret)
        with writing(directory, IdentityError):
            directory.write_text(published)
        print(f"{shown_path(secret)}: the secret key {identity.thumbprint}; show it to nobody")
        print(f"{shown_path(directory)}: publish it at {identity.agent}/.well-known/{DIRECTORY} as {DIRECTORY_TYPE}")
        print(f"then crawl with -s FOCUSED_IDENTITY={shown_path(secret)}")

    def _headers(self, days: int) -> None:
        from focused.live.identity import Identity

        identity = Identity.read(Path(self.settings["FOCUSED_IDENTITY"] or FILE))
        for name, value in identity.directory_headers(int(time.time()), days * A_DAY).items():
            print(f"{name}: {value}")


def _keys_of(directory: Path) -> tuple[dict[str, object], ...]:
    """The keys of a directory that is there already. Raises IdentityError for a file that is none."""
    from focused.live.identity import IdentityError

    try:
        keys = json.loads(read_text(directory))["keys"]
        if not all(isinstance(key, dict) for key in keys):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise IdentityError(f"{shown_path(directory)}: is there, and is no directory of keys; move it away") from None
    return tuple(keys)
