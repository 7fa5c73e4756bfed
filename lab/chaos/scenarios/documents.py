"""Hostile PDF files, where documents are read."""

from __future__ import annotations

import zlib
from dataclasses import replace

from lab.chaos.replies import answer
from lab.chaos.scenarios.bodies import scene_of
from lab.chaos.scene import Scene, scenario
from lab.chaos.server import Behaviour

PDF = ("Content-Type", "application/pdf")


def _file(*objects: bytes, trailer: bytes = b"<</Root 1 0 R>>") -> bytes:
    """A PDF of these objects, numbered from 1."""
    data, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    return data + head + table + b"trailer\n" + trailer + b"\nstartxref\n%d\n%%%%EOF" % len(data)


def _stream(data: bytes, layers: int = 1) -> bytes:
    for _ in range(layers):
        data = zlib.compress(data, 6)
    filters = b"/FlateDecode " * layers
    return b"<</Length %d/Filter[%s]>>\nstream\n%s\nendstream" % (len(data), filters, data)


def _page(contents: bytes, *more: bytes) -> bytes:
    return _file(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>",
        contents,
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *more,
    )


TEXT = b"BT /F 12 Tf (solar energy) Tj ET "


def files() -> dict[str, bytes]:
    return {
        "spaces": _page(_stream(b" " * 80_000_000, 2)),
        "texts": _page(_stream(TEXT * 1_000_000, 2)),
        "layers": _page(_stream(b"\0" * 30_000_000, 4)),
        "deep-arrays": _page(_stream(b"[" * 300_000)),
        "deep-dicts": _file(b"<</Type/Catalog/Pages " + b"<</A " * 5000 + b">>" * 5000 + b">>"),
        "page-loop": _file(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"),
        "million-pages": _file(
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Count 9/Kids[" + b"3 0 R " * 60_000 + b"]>>",
            b"<</Type/Page>>",
        ),
        "form-loop": _page(
            _stream(b"/X Do " * 100),
            _stream(b"/X Do " * 100)[:2] + b"/Type/XObject/Subtype/Form" + _stream(b"/X Do " * 100)[2:],
        ),
        "xref-loop": b"%PDF-1.7\ntrailer<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF",
        "no-xref": b"%PDF-1.7\n" + b"1 0 obj\n" * 100_000,
        "cut": _page(_stream(TEXT * 1000))[:-500],
        "not-at-all": b"%PDF-1.7\n" + bytes(range(256)) * 2000,
        "huge-length": _page(b"<</Length 99999999999/Filter/FlateDecode>>\nstream\nabc\nendstream"),
    }


@scenario("PDF files that unpack a thousandfold, lead in circles, or are deep or broken", "pypdf")
def documents() -> Scene:
    answers: dict[str, Behaviour] = {name: answer(200, data, PDF) for name, data in files().items()}
    scene = scene_of(answers, seconds=240.0)
    return replace(scene, arguments={"reading.documents": "true", "scope.content_types": "text/html,application/pdf"})
