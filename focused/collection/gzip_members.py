"""Gzip members as anybody may have written them: a few bytes may unpack to any number; no more are taken than a page has."""

from __future__ import annotations

import zlib
from typing import BinaryIO

LARGEST = 2**28  #: bytes that a member may hold; more is damage
BLOCK = 2**14  #: bytes that are unpacked at once where nothing is kept: to 17 MB at most (1032 times as many)
GZIP = 31  #: as wbits of zlib


def unpacked(member: bytes) -> bytes:
    """What a gzip member holds. Raises ValueError, or what zlib raises, for what is no whole one or holds too much."""
    unpacker = zlib.decompressobj(wbits=GZIP)
    content = unpacker.decompress(member, LARGEST)
    if not unpacker.eof:
        raise ValueError(f"more than {LARGEST:,} bytes" if len(content) == LARGEST else "it breaks off")
    return content


def are_members(file: BinaryIO, length: int) -> bool:
    """Whether the next bytes of a file are gzip members from first to last, none of which holds more than `LARGEST` bytes."""
    unpacker, size, is_between = zlib.decompressobj(wbits=GZIP), 0, True
    while length:
        block = file.read(min(BLOCK, length))
        if not block:
            return False
        length -= len(block)
        while block:
            try:
                size += len(unpacker.decompress(block))
            except zlib.error:
                return False
            if size > LARGEST:
                return False
            block, is_between = unpacker.unused_data, unpacker.eof
            if is_between:
                unpacker, size = zlib.decompressobj(wbits=GZIP), 0
    return is_between
