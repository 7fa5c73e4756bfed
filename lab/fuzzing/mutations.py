"""From cases that are known to cases that are not: small changes of bytes, most of them unkind."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

MAX_LENGTH = 60_000  #: bytes of a case; what takes O(n**2) shows by then
MANY = (2, 3, 10, 100, 1_000, 10_000)  #: times that something is repeated

#: What has broken readers before: ends, controls, marks, numbers at limits, encodings that are none, hosts that cannot be.
UNKIND = (
    *(b"\0", b"\n", b"\r\n", b"\t", b" ", b"<", b">", b"&", b"%", b"%00", b"%FF", b"'", b'"', b"\\", b"#", b"?", b"@", b":"),
    *(b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc3", "\u0301\u0316".encode(), "\ufdfa".encode()),
    *("\u202e".encode(), "\u200b".encode(), "\u3002".encode(), "\U0001f4a9".encode(), "ß".encode(), "İ".encode(), "\x85".encode()),
    *(b"-1", b"0", b"1e999", b"nan", b"99999999999999999999", b"65536", b"0x7f.1", b"[::1]", b"[::ffff:1.2.3.4]", b"xn--a"),
    *(b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<script>", b"</p>", b"<p>", b"<a href=", b"<base href=", b"<svg>", b"</body>"),
    *(b"&#0;", b"&#x110000;", b"&NotEqualTilde;", b"charset=hex", b"charset=utf-7", b"charset=utf-16", b"user:secret@"),
    *(b"..", b"/../", b"//", b"{", b"}", b"[", b"]", b"\"\"\"", b"*", b"$", b"(?", b"\x1b[2J"),
)  # fmt: skip


def mutated(case: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """A case with one to eight changes, at most `MAX_LENGTH` long. ``others``: to take pieces from."""
    data = bytearray(case)
    for _ in range(chance.randint(1, 8)):
        chance.choice(_CHANGES)(data, others, chance)
    return bytes(data[:MAX_LENGTH])


def shrunk(case: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """A shorter case that still fails: pieces are left out, from large ones to single bytes, as long as it does."""
    size = len(case) // 2
    while size:
        start = 0
        while start < len(case):
            shorter = case[:start] + case[start + size :]
            if fails(shorter):
                case = shorter
            else:
                start += size
        size //= 2
    return case


def _span(data: bytearray, chance: random.Random) -> tuple[int, int]:
    start = chance.randint(0, len(data))
    return start, min(len(data), start + chance.choice((1, 2, 4, 16, 64, 1024)))


def _leave_out(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _span(data, chance)
    del data[start:end]


def _repeat(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _span(data, chance)
    piece = bytes(data[start:end])
    times = min(chance.choice(MANY), MAX_LENGTH // max(1, len(piece)))
    data[end:end] = piece * times


def _insert(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    place = chance.randint(0, len(data))
    data[place:place] = chance.choice(UNKIND) * chance.choice((1, 1, 1, 2, 50))


def _change(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    if data:
        data[chance.randrange(len(data))] = chance.randrange(256)


def _move(data: bytearray, _: Sequence[bytes], chance: random.Random) -> None:
    start, end = _span(data, chance)
    piece = bytes(data[start:end])
    del data[start:end]
    place = chance.randint(0, len(data))
    data[place:place] = piece


def _graft(data: bytearray, others: Sequence[bytes], chance: random.Random) -> None:
    other = bytearray(chance.choice(others))
    start, end = _span(other, chance)
    place = chance.randint(0, len(data))
    data[place:place] = other[start:end]


_CHANGES = (_leave_out, _repeat, _insert, _insert, _change, _move, _graft)
