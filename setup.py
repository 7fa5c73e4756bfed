"""For scrapyd-deploy, which runs this file to build an egg; everything about the package stands in pyproject.toml."""

import sys

import setuptools

OLDEST = 77  # the first that reads the licence in pyproject.toml

if int(setuptools.__version__.split(".")[0]) < OLDEST:
    sys.exit(f"setup.py: setuptools {setuptools.__version__} is older than {OLDEST}: pip install -U setuptools")

setuptools.setup()
