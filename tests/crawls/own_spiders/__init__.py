"""Spiders of a user, as subclasses of the project's (``-s SPIDER_MODULES=tests.crawls.own_spiders``)."""
