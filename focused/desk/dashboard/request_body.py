"""The body of a request, read to a limit, before anybody takes it for anything."""

from __future__ import annotations

from starlette.types import Receive


async def body_of(receive: Receive, most: int) -> bytes:
    """All of it. Raises OverflowError for one of more than `most` bytes."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > most:
            raise OverflowError
        more = message.get("more_body", False)
    return b"".join(parts)
