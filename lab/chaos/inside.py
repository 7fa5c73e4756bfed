"""Runs a registered scenario in the network that `namespace.run_inside` has made, and writes what it came to.

python -m lab.chaos.inside SCENARIO FOLDER
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from lab.chaos import scenarios  # noqa: F401  registers them
from lab.chaos.namespace import RESULT
from lab.chaos.running import run_here
from lab.chaos.scene import SCENARIOS


def main() -> None:
    name, folder = sys.argv[1], Path(sys.argv[2])
    outcome = run_here(SCENARIOS[name], folder)
    (folder / RESULT).write_text(json.dumps(asdict(outcome) | {"good": sorted(outcome.good)}))


if __name__ == "__main__":
    main()
