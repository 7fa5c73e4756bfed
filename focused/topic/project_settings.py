"""The settings of `focused/settings.py` in a project of somebody's own, where they hold only if that project says nothing else."""

from __future__ import annotations

from typing import Any

from scrapy.settings import BaseSettings

from focused import settings as ours

#: Which components run: ours come beside those of the project.
COMPONENTS = (
    *("DOWNLOADER_MIDDLEWARES", "DOWNLOAD_HANDLERS", "EXTENSIONS", "FEED_EXPORTERS"),
    *("FEED_STORAGES", "ITEM_PIPELINES", "LINK_SCORERS", "SPIDER_MIDDLEWARES"),
)
#: What belongs to our project and not to a crawl.
OF_THE_PROJECT = ("BOT_NAME", "COMMANDS_MODULE", "NEWSPIDER_MODULE", "SPIDER_MODULES")
REMOTE_CONTROL = "scrapy.extensions.remote_control.RemoteControl"  #: imported, it takes a tenth of a crawl's start
OURS = "FOCUSED_"  #: begins the names of our own settings


def values() -> dict[str, Any]:
    """All settings of `focused/settings.py`."""
    return {name: value for name, value in vars(ours).items() if name.isupper()}


def own_names() -> list[str]:
    """Names of the settings that only focused reads."""
    return [name for name in values() if name.startswith(OURS)]


def add_own_defaults(settings: BaseSettings) -> None:
    """Give the settings that only focused reads their defaults, for a command."""
    for name in own_names():
        settings.set(name, values()[name], "addon")


def add_topical_defaults(settings: BaseSettings) -> None:
    """Give a topical crawl its components and its defaults; what the project or a person set stands, but for the scheduler."""
    for name, value in values().items():
        if name in COMPONENTS:
            merged = {**value, **settings.getdict(name)}
            # One above, as Scrapy gives the project's settings once more to a crawler that is made.
            settings.set(name, merged, max(settings.getpriority(name) or 0, ADDON_PRIORITY) + 1)
        elif name == "SCHEDULER":  # without it there is no topical crawl; one for other spiders is none of ours
            settings.set(name, value, "spider")
        elif name not in OF_THE_PROJECT:
            settings.set(name, value, "addon")
    # What is named in EXTENSIONS is imported, on or off: so this one leaves its place to `focused.live.remote_control`.
    base = {name: order for name, order in settings.getdict("EXTENSIONS_BASE").items() if name != REMOTE_CONTROL}
    settings.set("EXTENSIONS_BASE", base, "addon")


ADDON_PRIORITY = 15  #: of Scrapy: above its defaults, below a project's settings
