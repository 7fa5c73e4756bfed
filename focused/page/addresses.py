"""Which addresses lie on the public Internet, and which names never do: what a hostile page must not make a crawler ask.

The networks are those of IANA's registries of special-purpose addresses (RFC 6890 and its updates, read in 2026).
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

#: IPv4 networks that no page of the Web lies in.
CLOSED = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",  # this host
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared, behind a provider's NAT
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # metadata of Azure, which gave it a public address
            "169.254.0.0/16",  # link-local; 169.254.169.254 gives the keys of a machine in a cloud
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # IETF protocols; metadata of Oracle
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # relays of 6to4
            "192.168.0.0/16",  # private
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
#: All of IPv6 that is given out to the public (unique-local, link-local, multicast and the rest lie outside),
OPEN_6 = ip_network("2000::/3")
#: and what lies in it and is none of it.
CLOSED_6 = tuple(
    map(
        ip_network,
        (
            "2001::/23",  # IETF protocols: Teredo, which holds an IPv4 address, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which holds an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)
#: What a network of IPv6 alone makes of the IPv4 addresses of all the Web (NAT64, RFC 6052).
NAT64 = ip_network("64:ff9b::/96")

#: Names that are kept for machines nearby (RFC 6761, RFC 6762, RFC 8375, ICANN's board in 2024), or are used so everywhere.
LOCAL_NAMES = frozenset(
    ("localhost", "localdomain", "local", "internal", "intranet", "private", "lan", "home", "corp", "home.arpa")
)


@lru_cache(4096)
def is_public(address: str) -> bool:
    """Whether an address, written as one, lies on the public Internet; False for what is no address.

    An IPv4 address in the clothes of IPv6 (mapped, NAT64) is what it is in its own.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        held = found.ipv4_mapped or (IPv4Address(int(found) & 0xFFFFFFFF) if found in NAT64 else None)
        if held is None:
            return found in OPEN_6 and not any(found in network for network in CLOSED_6)
        found = held
    return not any(found in network for network in CLOSED)


@lru_cache(16384)  # pages link to few hosts, and often
def is_local(host: str) -> bool:
    """Whether the host of a canonical URL says by itself that it is not public: by its address, or by its name."""
    if host.startswith("["):
        return not is_public(host[1:-1])
    name = host.removesuffix(".")
    if name[-1:].isdigit():  # no name ends so (WHATWG URL Standard): an address, however it was written
        return not is_public(name)
    labels = name.rsplit(".", 2)
    return len(labels) == 1 or labels[-1] in LOCAL_NAMES or ".".join(labels[-2:]) in LOCAL_NAMES


def port_of(url: str) -> int:
    """The port of a canonical URL; that of its scheme where it names none."""
    scheme, _, rest = url.partition("://")
    host = rest.partition("/")[0]
    port = host.rpartition("]")[2].partition(":")[2] if ":" in host else ""
    return int(port) if port.isdecimal() else 443 if scheme == "https" else 80
