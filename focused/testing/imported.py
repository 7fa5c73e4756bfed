"""Importing this imports what a crawl needs. The process that forks does so once (see `focused.testing.forked`)."""

import gc

from focused.live.preloading import import_all

import_all()
gc.freeze()  # the collector of a forked process leaves these objects alone, and their memory stays shared
