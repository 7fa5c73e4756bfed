"""The scenarios, by what they are about. To add one: write a function that builds a `Scene`, under the decorator `scenario`."""

from lab.chaos.scenarios import answers, links, politeness  # noqa: F401  registers them
