"""Which addresses and names are public: what a hostile page may write in whatever way, and what a sound one means."""

import pytest
from hypothesis import given
from hypothesis.strategies import ip_addresses

from focused.page.addresses import CLOSED, is_local, is_public, port_of
from focused.page.urls import UrlRules, host_of

PRIVATE = (
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "100.64.0.1", "100.100.100.200", "192.0.0.192", "168.63.129.16", "198.18.0.1"),
    "198.19.255.255",
    *("224.0.0.251", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.51.100.1", "203.0.113.1"),
    *("::1", "::", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1"),
    *("64:ff9b::169.254.169.254", "64:ff9b:1::1", "2002:7f00:1::", "2002:0a00:1::1"),
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    *("fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1", "100::1", "5f00::1"),
    *("3fff::1", "2001:2::1"),
)
PUBLIC = ("8.8.8.8", "93.184.215.14", "172.32.0.1", "100.128.0.1", "198.20.0.1", "2606:4700:4700::1111", "2a00:1450::1")


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_given_out_to_the_public_is_private(address) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", [*PUBLIC, "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])
def test_the_web_is_public_also_in_the_clothes_of_ipv6(address) -> None:
    assert is_public(address)


@pytest.mark.parametrize("text", ["", "localhost", "127.1", "8.8.8", "08.8.8.8", "a.example", "[::1]", "8.8.8.8 "])
def test_what_is_no_address_is_not_public(text) -> None:
    assert not is_public(text)


@given(ip_addresses(v=4))
def test_an_ipv4_address_is_the_same_in_all_its_clothes(address) -> None:
    expected = not any(address in network for network in CLOSED)
    clothes = (str(address), f"::ffff:{address}", f"64:ff9b::{address}")
    assert {is_public(text) for text in clothes} == {expected}


@given(ip_addresses())
def test_no_address_is_public_that_python_calls_private(address) -> None:
    if is_public(str(address)):
        assert address.is_global or getattr(address, "ipv4_mapped", None)
        assert not (address.is_loopback or address.is_link_local or address.is_multicast or address.is_unspecified)


@pytest.mark.parametrize(
    "url",
    [
        *("http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://127.0.0.1./"),
        *("http://0/", "http://[::]/", "http://[::ffff:7f00:1]/", "http://%31%32%37.0.0.1/", "http://①②⑦.⓪.⓪.①/"),
        *("http://LOCALHOST/", "http://localhost./", "http://a.localhost/", "http://printer.local/"),
        "http://x.internal/",
        *("http://metadata.google.internal/", "http://intranet/", "http://router.lan/", "http://nas.home.arpa/"),
        *("http://me:secret@127.0.0.1/", "http://127。0。0。1/"),
    ],
)
def test_a_url_that_is_private_is_known_however_it_is_written(url) -> None:
    canonical = UrlRules().canonical(url)
    assert canonical is not None
    assert is_local(host_of(canonical))


@pytest.mark.parametrize(
    "host", ["a.example", "local.example", "localhost.example", "example.org.", "8.8.8.8", "[2a00:1450::1]"]
)
def test_other_hosts_do_not_tell_by_themselves(host) -> None:
    assert not is_local(host)


@pytest.mark.parametrize(
    ("url", "port"),
    [
        *(("http://a/", 80), ("https://a/", 443), ("http://a:81/b:82", 81), ("https://[::1]:8443/", 8443)),
        *(("https://[2a00::1]/", 443), ("http://a:8080", 8080)),
    ],
)
def test_the_port_of_a_url(url, port) -> None:
    assert port_of(url) == port
