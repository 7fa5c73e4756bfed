"""Importing this imports what a crawl needs, and reads what it reads first. The process that forks does so once.

See `focused.testing.forked`. What is read here is the same for all: what words mean, and the list of domains.
"""

import gc
from contextlib import suppress
from importlib import import_module

from scrapy.settings import default_settings

from focused.crawl.url_forms import domain_of
from focused.exceptions import FocusedError
from focused.live.preloading import import_all
from focused.scorers.word_vectors import WordVectors

import_all()
for name, table in vars(default_settings).items():
    if name.endswith("_BASE") and isinstance(table, dict):
        for component in {*table, *table.values()}:
            if isinstance(component, str) and component.startswith("scrapy."):
                import_module(component.rpartition(".")[0])
domain_of("a.example")
with suppress(FocusedError):  # the packages of the extra are not installed
    WordVectors().of(["sun"])
gc.freeze()  # the collector of a forked process leaves these objects alone, and their memory stays shared
