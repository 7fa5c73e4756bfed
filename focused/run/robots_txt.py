"""Whose rules in robots.txt hold for us."""

from __future__ import annotations

from scrapy.settings import BaseSettings


def obedient_as(settings: BaseSettings) -> str | None:
    """The name of the robot whose rules in robots.txt hold for us; None where it is not obeyed."""
    if not settings.getbool("ROBOTSTXT_OBEY"):
        return None
    return str(settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"])
