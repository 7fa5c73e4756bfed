"""Arguments of benchmarks that crawl topics with labels on a recorded web."""

from __future__ import annotations

import argparse
from pathlib import Path


def web_parser(about: str | None, pages: int) -> argparse.ArgumentParser:
    """A parser with the web, the topics, the budget of a crawl and the folder that keeps what was read.

    pages : of each crawl, where nobody says otherwise
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", nargs="+", help="the recorded web, as scrapy simulate takes it")
    parser.add_argument(
        "--topics", nargs="+", required=True, help="topics with labels: files, folders, or patterns with *"
    )
    parser.add_argument("--pages", type=int, default=pages, help=f"of each crawl (default: {pages})")
    parser.add_argument("--cache", type=Path, help="of what was read of pages (default: cache in the folder --out)")
    return parser
