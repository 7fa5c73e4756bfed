"""Spiders of a user, as subclasses of the project's (``-s SPIDER_MODULES=tests.live.own_spiders``)."""
