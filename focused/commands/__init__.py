"""Scrapy commands of this project: one file each, named as its command is. Their common base is `focused.explain.command`.

Those of the wings lie in their folders ``commands`` and are found here, as Scrapy looks into one package alone.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import focused
from focused import wings
from focused.live.closed_pipe import end_in_silence

if not hasattr(focused, "__version__"):  # its files lie over ours
    sys.exit(
        "the package `focused` of PyPI is a stranger's, and has overwritten a part of this one: pip uninstall focused, then "
        "install scrapy-focused once more with --force-reinstall"
    )
for _package in wings.parts("commands"):
    _spec = find_spec(_package)
    __path__ += list((_spec and _spec.submodule_search_locations) or ())

#: Commands of version 0.1, and what does the same now.
RENAMED = {
    "audit": "judge NAME --sample N, then scrapy judge NAME --findings",
    "label": "judge NAME",
    "score": "parse URL|FILE -a topic=NAME",
    "simulate": "compare --alone -a topic=NAME WEB",
    "watch": "report NAME --new",
}

#: Scrapy has set this before it looks for commands. Another project may have a command of its own by one of these names.
is_our_project = os.environ.get("SCRAPY_SETTINGS_MODULE", "").startswith("focused.")
if is_our_project and Path(sys.argv[0]).stem == "scrapy" and sys.argv[1:2] and (now := RENAMED.get(sys.argv[1])):
    sys.exit(f"scrapy {sys.argv[1]} is now: scrapy {now}")

end_in_silence()  # here, as Scrapy imports this for whatever a person types: its own commands, too, and --help


def __getattr__(name: str) -> type:
    """The command serve-web under a name that an entry point can say."""
    if name == "ServeWeb":
        command: type = import_module(f"{__name__}.serve-web").Command
        return command
    raise AttributeError(name)
