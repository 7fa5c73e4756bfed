"""For scrapyd-deploy, which runs this file to build an egg, and for wheels; all but the packages stands in pyproject.toml."""

import sys

import setuptools

OLDEST = 77  # the first that reads the licence in pyproject.toml

if int(setuptools.__version__.split(".")[0]) < OLDEST:
    sys.exit(f"setup.py: setuptools {setuptools.__version__} is older than {OLDEST}: pip install -U setuptools")

setuptools.setup(
    # The trained models beside the package become a folder inside it: importlib.resources.files("focused") / "models".
    packages=[*setuptools.find_namespace_packages(include=["focused", "focused.*"]), "focused.models"],
    package_dir={"focused.models": "models"},
)
