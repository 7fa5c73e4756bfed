"""Crawls without the Web: recorded webs, the simulator that crawls them by a virtual clock, and a proxy that serves them."""
