"""The fields of a form that a browser sends, with the files that a person uploads."""

from __future__ import annotations

from collections.abc import Mapping
from email.message import Message
from urllib.parse import parse_qs

PLAIN = "application/x-www-form-urlencoded"
WITH_FILES = "multipart/form-data"
MOST_FIELDS = 20_000
_HEAD = b"\r\n\r\n"  #: ends the headers of a part

Fields = Mapping[str, list[str]]
Files = Mapping[str, bytes]


def fields_of(content_type: str, body: bytes) -> tuple[Fields, Files]:
    """Fields by name, and files that hold something by the name of their field; none of what is no form."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == PLAIN:
        try:
            return parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS), {}
        except ValueError:
            return {}, {}
    boundary = _parameter(content_type, "boundary") if kind == WITH_FILES else ""
    return _parts(body, boundary.encode("latin-1", "replace")) if boundary else ({}, {})


def _parts(body: bytes, boundary: bytes) -> tuple[Fields, Files]:
    """The parts of a form with files (RFC 7578). What is between two boundaries is taken as it is."""
    fields: dict[str, list[str]] = {}
    files: dict[str, bytes] = {}
    parts = (b"\r\n" + body).split(b"\r\n--" + boundary, MOST_FIELDS + 1)[1:]
    for part in parts:
        head, found, content = part.partition(_HEAD)
        about = _disposition(head) if found else ""
        name = _parameter(about, "name")
        if not name:
            continue
        if "filename" in about:
            if content:
                files.setdefault(name, content)
        else:
            fields.setdefault(name, []).append(content.decode("utf-8", "replace"))
    return fields, files


def _disposition(head: bytes) -> str:
    """What a part says of itself."""
    for line in head.decode("utf-8", "replace").split("\r\n"):
        name, _, value = line.partition(":")
        if name.strip().lower() == "content-disposition":
            return value.strip()
    return ""


def _parameter(value: str, name: str) -> str:
    """A parameter of the value of a header; empty where it has none."""
    message = Message()
    message["X"] = value.replace("\r", " ").replace("\n", " ")
    found = message.get_param(name, "", "x")
    return found if isinstance(found, str) else ""
