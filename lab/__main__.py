"""``python -m lab COMMAND``: as ``scrapy COMMAND``, with the commands and the recorded webs of the laboratory as well."""

from __future__ import annotations

import os
import pkgutil
import sys
from importlib import import_module

from scrapy.cmdline import execute
from scrapy.utils.project import ENVVAR

from lab import commands


def usage() -> str:
    """The commands of the laboratory, a line each."""
    found = (
        (module.name, import_module(f"lab.commands.{module.name}"))
        for module in pkgutil.iter_modules(list(commands.__path__)[:1])
    )
    lines = [f"  {name:<13} {module.Command().short_desc()}" for name, module in found if hasattr(module, "Command")]
    return "\n".join(
        (
            "Usage: python -m lab COMMAND [options] [arguments]",
            "",
            "Commands of the laboratory, beside those of scrapy:",
            *lines,
            "",
            "python -m lab COMMAND --help says more of one.",
        )
    )


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["-h"], ["--help"]):
        print(usage())
        sys.exit()
    os.environ["SCRAPY_PROJECT"] = "lab"  # names the settings in scrapy.cfg
    os.environ.pop(ENVVAR, None)
    execute(["python -m lab", *sys.argv[1:]])
