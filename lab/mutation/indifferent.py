"""Changes of the code that no test should notice, because they change nothing that was promised: read from indifferent.toml."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from lab.mutation.mutants import Mutant

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
