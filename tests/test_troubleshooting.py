"""The page on troubleshooting is true and complete: no message of old is there, and each that is logged and says not what to do."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import scrapy

import focused

PAGE = (Path(__file__).parent.parent / "docs/how-to/troubleshoot.md").read_text()
LEVELS = ("warning", "error", "exception", "critical", "log")
#: Functions whose lines are logged as they are, by "%s".
SPEAKERS = ("doubts_about", "outage", "warning_of", "warnings_of")
#: A message that goes on like this says itself what to do, or that nothing need be done.
SAYS_WHAT_TO_DO = re.compile(r"; |pip install|The crawl goes on")
VARIES = re.compile(r"(%(\(\w+\))?[-.\d]*[sdgrf]|…)+")


@cache
def modules(package: str) -> list[ast.Module]:
    return [ast.parse(path.read_text()) for path in sorted(Path(package).parent.rglob("*.py"))]


def template(text: ast.expr) -> str:
    """A text in the source, with … for whatever varies; ValueError for one that is put together elsewhere."""
    match text:
        case ast.Constant(value=str(whole)):
            return VARIES.sub("…", whole)
        case ast.JoinedStr(values=parts):
            pieces = [str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts]
            return VARIES.sub("…", "".join(pieces))
    raise ValueError(f"write a message where it is logged, or as a constant of that module: {ast.unparse(text)}")


def logged(module: ast.Module) -> Iterator[str]:
    """Messages that a module logs as warnings or errors, or that Scrapy logs for it."""
    constants = {ast.unparse(node.targets[0]): node.value for node in module.body if isinstance(node, ast.Assign)}
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Attribute(value=by, attr=level), args=args) if level in LEVELS:
                if "log" in ast.unparse(by):
                    message = args[level == "log"]
                    yield template(constants.get(ast.unparse(message), message))
            case ast.Call(func=ast.Name(id="NotConfigured"), args=[why]):
                yield template(why)
            case ast.FunctionDef(name=name) if name in SPEAKERS:
                lines = (line.value for line in ast.walk(node) if isinstance(line, ast.Return | ast.Yield))
                yield from (template(line) for line in lines if line and ast.unparse(line) != "None")


@cache
def messages() -> set[str]:
    """All messages that are logged, but for those that are "%s" and nothing else."""
    return {message for module in modules(focused.__file__) for message in logged(module)} - {"…"}


def texts(package: str) -> set[str]:
    """All texts in the source of a package."""
    nodes = (node for module in modules(package) for node in ast.walk(module))
    return {
        template(node)
        for node in nodes
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    }


OURS, SCRAPYS = PAGE.partition("\n## Start of a crawl\n")[2].split("\n## Messages of Scrapy\n")


def quoted(lists: str) -> list[str]:
    """The messages at the beginning of the items of some lists, between backticks."""
    heads = re.findall(r"^- ((?:`[^`]+`(?:, )?)+): ", lists, re.MULTILINE)
    return [quote for head in heads for quote in re.findall(r"`([^`]+)`", head)]


@pytest.mark.parametrize(
    "beginning",
    [
        "The crawl failed",
        "… asks for a Crawl-delay",
        "ROBOTSTXT_OBEY is off",
        "[relevance] threshold is 0",
        "Harvest fell",
        "no host answers",
    ],
)
def test_messages_are_found_in_the_source(beginning: str) -> None:
    assert any(message.startswith(beginning) for message in messages())


def test_every_message_that_says_not_what_to_do_is_explained() -> None:
    known = tuple(quote for quote in quoted(OURS) if len(re.findall(r"\w+", quote)) > 2)
    terse = [message for message in sorted(messages()) if not SAYS_WHAT_TO_DO.search(message)]
    assert terse
    assert [message for message in terse if not message.startswith(known)] == []


@pytest.mark.parametrize(
    ("lists", "package"), [(OURS, focused.__file__), (SCRAPYS, scrapy.__file__)], ids=["ours", "scrapys"]
)
def test_every_message_that_is_quoted_is_in_the_source(lists: str, package: str) -> None:
    said = texts(package)
    assert quoted(lists)
    assert [quote for quote in quoted(lists) if not any(text.startswith(quote) for text in said)] == []
