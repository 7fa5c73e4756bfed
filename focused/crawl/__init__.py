"""The core of a crawl, without I/O: which URLs are known, which wait, and which comes next.

It needs no engine, no clock and no socket. The Scrapy scheduler and the simulator both drive this same code.
"""
