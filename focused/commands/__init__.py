"""Scrapy commands of this project: one file each, named as its command is. Their common base is `focused.reporting.command`."""

from __future__ import annotations

from importlib import import_module

from focused.run.closed_pipe import end_in_silence

end_in_silence()  # here, as Scrapy imports this for whatever a person types: its own commands, too, and --help


def __getattr__(name: str) -> type:
    """The command serve-web under a name that an entry point can say."""
    if name == "ServeWeb":
        command: type = import_module(f"{__name__}.serve-web").Command
        return command
    raise AttributeError(name)
