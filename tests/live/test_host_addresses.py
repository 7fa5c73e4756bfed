"""Hosts are looked up once each and a few at a time, before they are asked; names of one machine are known as such."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from focused.live.host_addresses import HostAddresses, machine_of


class Names:
    """A resolver that answers when the test says so."""

    def __init__(self) -> None:
        self.asked: dict[str, object] = {}
        self.found: list[tuple[str, str | None]] = []
        self.host_addresses = HostAddresses(self.asked.__setitem__, lambda *found: self.found.append(found), at_once=2)

    def answer(self, host: str, *addresses: str) -> None:
        self.asked.pop(host)([ip_address(address) for address in addresses])


def test_a_host_is_known_when_its_look_up_has_an_answer():
    names = Names()
    assert not names.host_addresses.knows("a.example")
    names.answer("a.example", "192.0.2.1")
    assert names.host_addresses.knows("a.example")
    assert names.found == [("a.example", "4:c0000201")]
    assert names.asked == {}


def test_a_name_without_an_address_is_known_too_and_not_asked_again():
    names = Names()
    names.host_addresses.knows("gone.example")
    names.answer("gone.example")
    assert names.host_addresses.knows("gone.example")
    assert names.found == [("gone.example", None)]


def test_few_are_asked_at_a_time():
    names = Names()
    for host in "abcd":
        assert not names.host_addresses.knows(host)
        assert not names.host_addresses.knows(host)
    assert (list(names.asked), names.host_addresses.under_way) == (["a", "b"], 4)
    names.answer("b", "192.0.2.1")
    assert (list(names.asked), names.host_addresses.under_way) == (["a", "c"], 3)


def test_an_address_for_a_name_needs_no_look_up():
    names = Names()
    assert names.host_addresses.knows("192.0.2.1")
    assert names.host_addresses.knows("[2001:db8::1]")
    assert [machine for _, machine in names.found] == ["4:c0000201", "6:20010db800000000"]
    assert names.asked == {}


def test_without_a_resolver_every_host_may_be_asked():
    assert HostAddresses(None, lambda *found: pytest.fail(str(found)), 1).knows("a.example")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (["192.0.2.1"], ["192.0.2.2"], False),
        (["192.0.2.1", "192.0.2.2"], ["192.0.2.2", "192.0.2.1"], True),
        (["::ffff:192.0.2.1"], ["192.0.2.1"], True),
        (["2001:db8::1"], ["2001:db8::ffff:2"], True),  # one customer has them all
        (["2001:db8::1"], ["2001:db8:0:1::1"], False),
        (["127.0.0.2"], ["127.0.0.3"], False),
    ],
)
def test_machines_are_told_apart_by_what_costs_money(one, other, same):
    machines = [machine_of([ip_address(address) for address in addresses]) for addresses in (one, other)]
    assert (machines[0] == machines[1]) == same
    assert None not in machines


@pytest.mark.parametrize("own", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_none_that_hosts_share(own):
    assert machine_of([ip_address(own)]) is None
