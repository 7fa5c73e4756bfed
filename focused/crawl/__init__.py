"""The core of a crawl, without I/O: what is known, what waits, and which link comes next.

It knows no Scrapy, no clock and no socket; the Scrapy scheduler and the simulator are two thin drivers of this same code.
"""
