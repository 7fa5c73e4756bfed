"""``python -m lab COMMAND``: as ``scrapy COMMAND``, with the commands and the recorded webs of the laboratory as well."""

from __future__ import annotations

import os
import sys

from scrapy.cmdline import execute
from scrapy.utils.project import ENVVAR

if __name__ == "__main__":
    os.environ["SCRAPY_PROJECT"] = "lab"  # names the settings in scrapy.cfg
    os.environ.pop(ENVVAR, None)
    execute(["python -m lab", *sys.argv[1:]])
