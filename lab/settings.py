"""Settings under which the laboratory's commands run: those of the project, and more commands."""

from focused.settings import *  # noqa: F403

COMMANDS_MODULE = "lab.commands"
