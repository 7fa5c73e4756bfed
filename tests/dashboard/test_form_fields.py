"""Forms with files: what a browser sends is taken apart as it is, and what is no form gives nothing."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException
from starlette.requests import Request

from focused.desk.dashboard.safety import Fields, Files
from focused.desk.dashboard.safety import fields_of as fields_of_request

BOUNDARY = "----WebKitFormBoundaryX7"
KIND = f"multipart/form-data; boundary={BOUNDARY}"


def fields_of(kind: str, body: bytes) -> tuple[Fields, Files]:
    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind.encode())], "app": None}
    return asyncio.run(fields_of_request(Request(scope, receive)))


def part(about: str, content: bytes) -> bytes:
    return f"--{BOUNDARY}\r\nContent-Disposition: form-data; {about}\r\n\r\n".encode() + content + b"\r\n"


def form(*parts: bytes) -> bytes:
    return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode()


@given(text=st.text(), data=st.binary(min_size=1).filter(lambda data: BOUNDARY.encode() not in data))
def test_what_was_sent_comes_in(text: str, data: bytes) -> None:
    sent = text.encode("utf-8", "replace")
    body = form(part('name="q"', sent), part('name="list"; filename="x.html"', data), part('name="q"', b"two"))
    fields, files = fields_of(KIND, body)
    assert fields == {"q": [sent.decode(), "two"]}
    assert files == {"list": data}


def test_a_file_that_nobody_chose_is_none() -> None:
    assert fields_of(KIND, form(part('name="list"; filename=""', b""))) == ({}, {})


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"q": "x"}'),
        ("text/plain", b"q=x"),
        (KIND, b""),
        (KIND, b"--" + BOUNDARY.encode()),
    ],
)
def test_what_is_no_form_has_no_fields(kind: str, body: bytes) -> None:
    assert fields_of(kind, body) == ({}, {})


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", form(part('name="q"', b"x"))),
        (KIND, form(b"--" + BOUNDARY.encode() + b"\r\nContent-Disposition: form-data\r\n\r\nx\r\n")),
        ("multipart/form-data; boundary*=x''%ff", b"--x\r\n\r\n"),
    ],
)
def test_a_damaged_form_is_refused(kind: str, body: bytes) -> None:
    with pytest.raises(HTTPException):
        fields_of(kind, body)


@given(st.binary(max_size=300))
def test_no_body_is_a_mistake_of_ours(body: bytes) -> None:
    for kind in (KIND, "application/x-www-form-urlencoded"):
        with suppress(HTTPException):  # which says that it is none
            fields_of(kind, body)
