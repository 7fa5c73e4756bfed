"""A DNS of the tests: it knows the names and addresses of the variable NAMES, such as ``a.example=127.0.0.1``, and no other."""

from __future__ import annotations

import os

from twisted.internet.defer import fail, succeed
from twisted.internet.error import DNSLookupError
from twisted.internet.interfaces import IResolverSimple
from zope.interface import implementer


@implementer(IResolverSimple)
class ScriptedNames:
    """Used by ``-s DNS_RESOLVER=tests.crawls.scripted_names.ScriptedNames``."""

    def __init__(self, reactor) -> None:
        self.reactor = reactor
        self.known = dict(entry.split("=") for entry in os.environ["NAMES"].split())

    @classmethod
    def from_crawler(cls, _, reactor):
        return cls(reactor)

    def install_on_reactor(self) -> None:
        self.reactor.installResolver(self)

    def getHostByName(self, name: str, timeout=()):  # noqa: N802  (Twisted's name)
        return succeed(self.known[name]) if name in self.known else fail(DNSLookupError(name))
