"""The name server answers as it is told, each time otherwise; the crawl in a network of its own reaches nobody it must not."""

from __future__ import annotations

import socket
import struct
from contextlib import ExitStack

import pytest

from lab.chaos import scenarios  # noqa: F401  registers them
from lab.chaos.name_server import AAAA, A, NameServer, answering
from lab.chaos.namespace import can_be_made, prepare
from lab.chaos.running import run
from lab.chaos.scene import SCENARIOS

NAMES = {
    "one.example": (("93.184.215.14",),),
    "turns.example": (("93.184.215.14",), ("127.0.0.1", "10.0.0.1")),
    "six.example": (("::1",),),
}


def query(name: str, kind: int = A) -> bytes:
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack("!HHHHHH", 7, 0x100, 1, 0, 0, 0) + labels + struct.pack("!BHH", 0, kind, 1)


def addresses(reply: bytes, size: int = 4) -> list[bytes]:
    count = int.from_bytes(reply[6:8], "big")
    return [reply[len(reply) - (count - n) * (12 + size) :][12 : 12 + size] for n in range(count)]


def test_names_are_answered_in_turn():
    server = NameServer(NAMES)
    assert [addresses(server.reply(query("TURNS.example"))) for _ in range(3)] == [
        [bytes((93, 184, 215, 14))],
        [bytes((127, 0, 0, 1)), bytes((10, 0, 0, 1))],
        [bytes((93, 184, 215, 14))],
    ]


def test_addresses_are_of_the_kind_that_is_asked_for():
    server = NameServer(NAMES)
    assert addresses(server.reply(query("six.example", AAAA)), 16) == [bytes(15) + b"\1"]
    assert addresses(server.reply(query("six.example"))) == []
    assert server.reply(query("one.example"))[3] & 15 == 0
    assert server.reply(query("nobody.example"))[3] & 15 == 3


def test_it_answers_by_udp():
    with answering(NAMES, ("127.0.0.1", 0)) as port, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(5)
        client.sendto(b"nonsense", ("127.0.0.1", port))  # which ends nothing
        client.sendto(query("one.example"), ("127.0.0.1", port))
        reply = client.recv(1000)
    assert reply[:2] == b"\0\7"
    assert addresses(reply) == [bytes((93, 184, 215, 14))]


def test_the_network_that_others_use_is_not_changed():
    interfaces = [name for _, name in socket.if_nameindex()]
    if interfaces == ["lo"]:
        pytest.skip("this machine has no network")
    with ExitStack() as stack, pytest.raises(RuntimeError, match="nothing is changed"):
        prepare(NAMES, stack)
    assert [name for _, name in socket.if_nameindex()] == interfaces


@pytest.mark.slow
@pytest.mark.skipif(not can_be_made(), reason="this machine makes no network namespaces")
def test_names_that_resolve_to_private_addresses_lead_nowhere(tmp_path):
    outcome = run(SCENARIOS["private_names"], tmp_path)
    assert [entry.address for entry in outcome.asked if entry.host == "good.example"] == [
        "93.184.215.14"
    ] * 8  # one cannot be
    assert outcome.found["reached"] == 0
