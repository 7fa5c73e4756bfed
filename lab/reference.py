"""What the documents say of options, parts, settings and commands, taken from the code: `make reference` writes it into them.

A document holds ``<!--made:KIND:NAME-->`` and ``<!--end-->``; what lies between is made here, all else by people.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from focused.crawl.strategy import StrategyOptions
from focused.papers.training.kinds import get_kind
from focused.strategies import get_strategy
from focused.topic.topic import LARGEST_COUNT, TABLE_MODELS

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").rglob("*.md"))
BLOCK = re.compile(r"(<!--made:(\w+):(\w+)-->\n).*?(?=<!--end-->)", re.DOTALL)
LONG = 60  #: characters of a default that is shown


def range_of(shape: dict[str, Any]) -> str:
    """What a value may be, by its JSON schema: ``0–1``, ``>0–1``, ``soft/hard``; empty where its default says enough."""
    if "enum" in shape:
        return "/".join(shape["enum"])
    high = shape.get("maximum", shape.get("exclusiveMaximum"))
    if high is None or high >= LARGEST_COUNT:
        return ""
    low, above = shape.get("minimum"), shape.get("exclusiveMinimum")
    least = f">{above:.15g}" if low is None else f"{low:.15g}"
    return f"{least}–{'<' if 'exclusiveMaximum' in shape else ''}{high:.15g}"


def options(model: type[BaseModel], without: Iterable[str] = ()) -> dict[str, str]:
    """What each field of a model is, by name: (default, range): description."""
    shapes, told = model.model_json_schema()["properties"], {}
    for name, field in model.model_fields.items():
        if name not in without:
            default = json.dumps(to_jsonable_python(field.get_default(call_default_factory=True)), ensure_ascii=False)
            shown = f"`{default}`" if len(default) < LONG else "below"
            told[name] = f"({', '.join(filter(None, (shown, range_of(shapes[name]))))}): {field.description}"
    return told


def table(name: str) -> str:
    """The keys of a table of a topic file."""
    model = StrategyOptions if name == "strategy" else TABLE_MODELS[name]
    return listed(options(model))


def listed(told: dict[str, str]) -> str:
    return "".join(f"- `{name}` {text}\n" for name, text in told.items())


def strategy(name: str, seen: dict[str, str]) -> str:
    """What a strategy says of itself: its docstring with its parts and options; those of one above are not told twice."""
    kind = get_strategy(name)
    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    parts, source = "", ""
    told = []
    for paragraph in paragraphs:
        if paragraph.startswith("Parts"):
            lines = dict(re.findall(r"^    (\w+): (.*)$", paragraph, re.MULTILINE))
            if list(lines) and set(lines) != set(kind.parts):
                raise ValueError(f"{name}: its docstring explains other parts than {kind.parts}")
            parts = once("Parts", {part: lines[part] for part in kind.parts}, "- {}: {}\n", name, seen)
        elif paragraph.startswith("Source:"):
            source = re.sub(r',? "[^"]+"', "", paragraph)  # titles of papers are at the end of the page
        else:
            told.append(paragraph)
    common = options(kind.Options, StrategyOptions.model_fields)
    own = once("Options", common, "- {} {}\n", name, seen)
    return "\n\n".join(text for text in (*told, parts.rstrip(), own.rstrip(), source) if text).replace("``", "`") + "\n"


def once(title: str, told: dict[str, str], form: str, name: str, seen: dict[str, str]) -> str:
    """A list of what was not told before, and a line that says where the rest was."""
    before: dict[str, list[str]] = {}
    new: dict[str, list[str]] = {}
    for key, text in told.items():
        known = seen.setdefault(f"{title} {key} {text}", name)
        (new if known == name else before).setdefault(text if known == name else known, []).append(f"`{key}`")
    lines = [f"{', '.join(keys)} as in [{other}](#{other})" for other, keys in before.items()]
    head = f"{title}{': ' + '; '.join(lines) if lines else ':'}\n" if told else ""
    return head + ("\n" + "".join(form.format(", ".join(keys), text) for text, keys in new.items()) if new else "")


def settings(which: str) -> str:
    """Settings with their values and what ``#:`` says above each: those of focused, or Scrapy's that differ here."""
    source = (ROOT / "focused" / "settings.py").read_text()
    lines, told = source.splitlines(), ""
    for node in ast.parse(source).body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        above = node.lineno - 1
        while above and lines[above - 1].startswith("#: "):
            above -= 1
        about = " ".join(line.removeprefix("#: ") for line in lines[above : node.lineno - 1])
        if name.startswith(("FOCUSED_", "DASHBOARD")) is (which == "focused"):
            value = ast.unparse(node.value)
            shown = f" = `{value}`" if len(value) < LONG else ""
            told += f"- `{name}`{shown}{about and f': {about}'}\n"
    return told


def commands(package: str) -> str:
    """What each command says of itself in a line."""
    of_package = str(ROOT / package)  # the laboratory has all commands of the product, too
    folders = [path for path in importlib.import_module(f"{package}.commands").__path__ if path.startswith(of_package)]
    form = "scrapy {}" if package == "focused" else "python -m lab {}"
    told = ""
    for module in sorted(pkgutil.iter_modules(folders), key=lambda module: module.name):
        command = importlib.import_module(f"{package}.commands.{module.name}").Command
        told += f"- `{form.format(module.name)}`: {command().short_desc()}\n"
    return told


def kind(name: str) -> str:
    """The options of a kind of trained models."""
    return listed(options(get_kind(name).Options))


def made(text: str) -> str:
    """A document with all that is made in it made anew. Raises ValueError, KeyError or an error of the name that is not known."""
    seen: dict[str, str] = {}
    kinds: dict[str, Callable[[str], str]] = {
        "table": table,
        "strategy": lambda name: strategy(name, seen),
        "settings": settings,
        "commands": commands,
        "kind": kind,
    }
    return BLOCK.sub(lambda found: f"{found[1]}\n{kinds[found[2]](found[3])}\n", text)


if __name__ == "__main__":
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        if (now := made(before)) != before:
            page.write_text(now, encoding="utf-8")
            print(page.relative_to(ROOT))
