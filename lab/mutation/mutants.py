"""What mutmut did to a file and what the tests said of it, as a person reads it: the line, before and after.

mutmut leaves two files of each that it mutates: the code, with a copy of a function for every change of it, and ``.meta``, JSON
with the exit code of pytest for each copy.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

from focused.exceptions import EvaluationError

Verdict = Literal["killed", "alive", "untested", "pending"]

ALIVE, NO_TESTS = 0, (5, 33)  #: exit codes of pytest, and what mutmut notes where no test calls a function
UNKNOWN = (None, 2)  #: not tried, or interrupted; all other exit codes mean that a test failed, hung or crashed
MARK, ORIGINAL = "__mutmut_", "orig"  #: a copy is named x_function__mutmut_1, or xǁClassǁmethod__mutmut_1


@dataclass(frozen=True)
class Mutant:
    """One change of the code.

    Attributes
    ----------
    file : path from the root of the project
    line : number of the first line that changes, from 1 on
    function : ``function`` or ``Class.method``
    before, after : the lines that change, joined and without indentation
    """

    file: str
    line: int
    function: str
    before: str
    after: str
    verdict: Verdict


def verdicts_of(work: Path, file: str) -> dict[str, Verdict]:
    """By mutmut's name of a mutant; EvaluationError where mutmut has left nothing.

    work : folder that mutmut ran in: it holds the code, and what became of it under ``mutants``
    """
    try:
        codes = json.loads((work / "mutants" / f"{file}.meta").read_text())["exit_code_by_key"]
    except (OSError, ValueError, KeyError) as error:
        raise EvaluationError(f"{file}: mutmut has left no result in {work}: {error}") from None
    return {name: _verdict(code) for name, code in codes.items()}


def read_mutants(work: Path, file: str) -> list[Mutant]:
    """All mutants of a file, in order of their lines; ``work`` and the exception as of `verdicts_of`."""
    verdicts = verdicts_of(work, file)
    original, mutated = (_functions((folder / file).read_text()) for folder in (work, work / "mutants"))
    found = []
    for name, verdict in verdicts.items():
        mangled, _, number = name.rpartition(".")[2].partition(MARK)
        *classes, plain = mangled.split("ǁ")[1:] if "ǁ" in mangled else [mangled.removeprefix("x_")]
        prefix = "".join(f"{name}." for name in classes)
        before, after = (mutated[f"{prefix}{mangled}{MARK}{end}"][1] for end in (ORIGINAL, number))
        copies = [lines.replace(f"{mangled}{MARK}{end}", plain) for lines, end in ((before, ORIGINAL), (after, number))]
        offset, one, other = _change(*copies)
        found.append(Mutant(file, original[prefix + plain][0] + offset, prefix + plain, one, other, verdict))
    return sorted(found, key=lambda mutant: mutant.line)


def _verdict(code: int | None) -> Verdict:
    if code in UNKNOWN:
        return "pending"
    if code in NO_TESTS:
        return "untested"
    return "alive" if code == ALIVE else "killed"


def _functions(source: str) -> dict[str, tuple[int, str]]:
    """By name, of a method with that of its class: number of the line with ``def``, and the text from there to the end."""
    lines = source.splitlines()
    return {name: (node.lineno, "\n".join(lines[node.lineno - 1 : node.end_lineno])) for name, node in _defined(source)}


def _defined(source: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in ast.parse(source).body:
        prefix, body = (f"{node.name}.", node.body) if isinstance(node, ast.ClassDef) else ("", [node])
        for inner in body:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                yield prefix + inner.name, inner


def _change(original: str, mutant: str) -> tuple[int, str, str]:
    """How many lines after the ``def`` the texts first differ, and what stands there in each."""
    one, other = ([line.strip() for line in text.splitlines()] for text in (original, mutant))
    spans = [span for span in SequenceMatcher(None, one, other, autojunk=False).get_opcodes() if span[0] != "equal"]
    (_, start, _, other_start, _), (_, _, end, _, other_end) = spans[0], spans[-1]
    return start, " ".join(one[start:end]), " ".join(other[other_start:other_end])


NOTED = Path(__file__).with_name("indifferent.toml")


@dataclass(frozen=True)
class Indifferent:
    """What is noted of changes.

    Attributes
    ----------
    rules : pattern and replacement, as of `re.sub`, with the reason: a change is indifferent if both of its lines are the same
        once the pattern is replaced
    changes : file and function, the lines before and after, with the reason
    """

    rules: dict[tuple[re.Pattern[str], str], str]
    changes: dict[tuple[str, str, str, str], str]

    @classmethod
    def read(cls, path: Path = NOTED) -> Indifferent:
        noted = tomllib.loads(path.read_text())
        rules = {(re.compile(one["pattern"]), one.get("replacement", "")): one["because"] for one in noted["rule"]}
        changes: dict[tuple[str, str, str, str], str] = {}
        for one in noted["change"]:
            afters = [one["after"]] if isinstance(one["after"], str) else one["after"]
            changes |= {(one["file"], one["function"], one["before"], after): one["because"] for after in afters}
        return cls(rules, changes)

    def reason(self, mutant: Mutant) -> str | None:
        """Why nobody need notice a change; None if that is not known."""
        known = self.changes.get((mutant.file, mutant.function, mutant.before, mutant.after))
        if known is not None:
            return known
        for (pattern, replacement), because in self.rules.items():
            if pattern.sub(replacement, mutant.before) == pattern.sub(replacement, mutant.after):
                return because
        return None
