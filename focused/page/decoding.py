"""From the bytes of a response to its characters."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, resolve_encoding, to_unicode

#: What browsers decode (WHATWG Encoding Standard, section 4.2), by Python's names. Python's codecs are more, some of which are no
#: character sets (hex, zip), take quadratic time (punycode) or give markup that a browser does not see (utf-7).
ENCODINGS = frozenset(
    (
        *("utf-8", "utf-16", "utf-16-be", "utf-16-le", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
        *("gbk", "gb18030", "big5", "big5hkscs", "euc_jp", "iso2022_jp", "shift_jis", "cp932", "euc_kr", "cp949"),
        *(f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
        *(f"cp{page}" for page in (866, 874, *range(1250, 1259))),
    )
)
#: Characters of a Content-Type that says an encoding; Python keeps every name that it was ever asked for.
LONGEST_HEADER = 500
LOOKED_THROUGH = 65_536  #: bytes in which a declaration is looked for, and by which an encoding is guessed
LOOKED_AT_FIRST = 200  #: bytes that show whether a text is one of ASCII letters
SAMPLE = 4_000  #: bytes of text, without tags, by which an encoding is guessed
GOOD_FOR_EACH_BAD = 5  #: letters beyond ASCII that UTF-8 with wrong bytes has for each of these
LEAST_IN_WORDS = 0.3  #: share of bytes beyond ASCII that stand in threes or more where the letters are not Latin
FEWEST_LETTERS = 20  #: of a text whose language can be guessed
_MARKS = {
    mark: (mark, name)
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    )
}
_WIDE = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}  #: how a document in UTF-16 begins
_LABEL = re.compile(
    rb"""<(?:meta\b[^>]{0,300}?charset\s*=|\?xml\b[^>]{0,100}?encoding\s*=)\s*["']?\s*([\w.:-]{1,40})""", re.IGNORECASE
)
#: What a browser does not read as tags: each to its end, or to that of the document.
_HIDDEN = re.compile(
    rb"<!--(?:[^-]|-(?!->))*+(?:-->)?|<(script|style|title|textarea)\b[^>]*+>(?:[^<]|<(?!/\1))*+", re.IGNORECASE
)
_TAGS = re.compile(
    rb"<!--(?:[^-]|-(?!->))*+(?:-->)?|<(script|style)\b[^>]*+>(?:[^<]|<(?!/\1))*+|<[^<>]*+>?|&#?\w{1,10};",
    re.IGNORECASE,
)
_HIGH = re.compile(rb"[\x80-\xff]")
_HIGH_WORDS = re.compile(rb"[\x80-\xff]{3,}")
_KANA_LEADS = re.compile(rb"[\x81-\x83][\x40-\x7e\x80-\xfc]")  #: in Shift_JIS, where the second byte may be ASCII
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_BROWSERS_NAMES = {
    "euc_jis_2004": "euc_jp",
    "euc_jisx0213": "euc_jp",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "johab": "cp949",
    "shift_jis_2004": "cp932",
    "shift_jisx0213": "cp932",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso2022_jp_1": "iso2022_jp",
    "iso2022_jp_2": "iso2022_jp",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "ptcp154": "cp1251",
    "kz1048": "cp1251",
}
#: By language, where it is not that of Western Europe: the encoding of Latin letters that its pages had before UTF-8.
_LATIN = {
    **dict.fromkeys(("bs", "cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq", "sr"), "cp1250"),
    **dict.fromkeys(("az", "ku", "tr"), "cp1254"),
    **dict.fromkeys(("et", "lt", "lv"), "cp1257"),
    "vi": "cp1258",
}
_ONLY_1250 = re.compile(rb"[\x80-\x9f\xa5\xb9\xbe]")  #: letters and signs of windows-1250 where ISO 8859-2 has none
_ONLY_8859_2 = re.compile(rb"[\xa1\xa6\xac\xb1\xb6\xbc]")  #: letters of ISO 8859-2 where windows-1250 has signs


#: Names of the standard that Python lacks.
_MORE_NAMES = {
    "iso_8859_8_i": "iso8859-8",
    "logical": "iso8859-8",
    "visual": "iso8859-8",
    "unicode": "utf-16-le",
    "ucs_2": "utf-16-le",
    "iso_10646_ucs_2": "utf-16-le",
    "x_mac_cyrillic": "mac-cyrillic",
    "x_mac_ukrainian": "mac-cyrillic",
    "mac": "mac-roman",
    "x_mac_roman": "mac-roman",
    "cn_big5": "big5hkscs",
    "x_x_big5": "big5hkscs",
    "koi": "koi8-r",
    "koi8_ru": "koi8-u",
    "x_cp1250": "cp1250",
    "x_gbk": "gb18030",
    "x_euc_jp": "euc_jp",
    "windows_949": "cp949",
    "dos_874": "cp874",
    "unicode_1_1_utf_8": "utf-8",
}


def _known_by_another_name(name: str) -> codecs.CodecInfo | None:
    python_name = _MORE_NAMES.get(name.replace("-", "_"))
    return codecs.lookup(python_name) if python_name else None


codecs.register(_known_by_another_name)


def decode(body: bytes, content_type: str = "") -> str:
    """Characters of a text response; what cannot be decoded becomes U+FFFD. See `encoding_of`."""
    return decoded(body, content_type)[0]


def decoded(body: bytes, content_type: str = "") -> tuple[str, str]:
    """The same, and the name of its encoding."""
    mark = _MARKS.get(body[:2]) or _MARKS.get(body[:3])
    encoding = mark[1] if mark else encoding_of(body, content_type)
    body = body[len(mark[0]) :] if mark else body
    if encoding == "utf-8":  # a character may be cut at the end
        return codecs.getincrementaldecoder("utf-8")("replace").decode(body), encoding
    return to_unicode(body, encoding), encoding


def encoding_of(body: bytes, content_type: str = "") -> str:
    """Python's name of the encoding of a text response. Only those count that browsers know.

    It is that of the byte order mark, of the header, of the document's own declaration; else UTF-8, if the body is that but for a
    few bytes; else what its letters make likely.
    """
    mark = _MARKS.get(body[:2]) or _MARKS.get(body[:3])
    return mark[1] if mark else declared_encoding(body, content_type) or _guessed(body)


def declared_encoding(body: bytes, content_type: str = "") -> str | None:
    """Python's name of the first encoding of the Web that the header says, else the document; None without one."""
    return next((_meant(name, body) for name in _declared(body, content_type) if name in ENCODINGS), None)


def is_misdeclared(body: bytes, content_type: str = "") -> bool:
    """Whether a response says an encoding that browsers do not know."""
    return any(name and name not in ENCODINGS for name in _declared(body, content_type))


def _declared(body: bytes, content_type: str) -> Iterator[str | None]:
    """Python's names of the encodings that the header says and, where that is none of the Web, the document, in order."""
    by_header = http_content_type_encoding(content_type) if len(content_type) < LONGEST_HEADER else None
    yield by_header
    if by_header not in ENCODINGS:
        first = html_body_declared_encoding(body)
        yield first
        if first not in ENCODINGS:
            yield from map(resolve_encoding, _further_labels(body))


def _further_labels(body: bytes) -> Iterator[str]:
    """The labels of a document after its first one, or behind its first 4 KB; what stands in comments and scripts is none."""
    start = body[:LOOKED_THROUGH]
    if b"charset" in start or b"CHARSET" in start or b"encoding" in start:
        for label in _LABEL.findall(_HIDDEN.sub(b" ", start)):
            yield label.decode("ascii", "ignore")


def _meant(name: str, body: bytes) -> str:
    """The encoding that a label means: text that can be read as ASCII is not UTF-16 (HTML Standard, section 13.2.3.2)."""
    return "utf-8" if name.startswith("utf-16") and body and b"\0" not in body[:LOOKED_AT_FIRST] else name


def _guessed(body: bytes) -> str:
    """Encoding of a body that does not say it."""
    if (wide := _WIDE.get(body[:2])) is not None:
        return wide
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return "utf-8" if _is_mostly_utf8(body[:LOOKED_THROUGH]) else _by_letters(body[:LOOKED_THROUGH])
    return "iso2022_jp" if b"\x1b$B" in body or b"\x1b$@" in body else "utf-8"


def _is_mostly_utf8(body: bytes) -> bool:
    text = body.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    return sum(map(len, _BEYOND_ASCII.findall(text))) > (1 + GOOD_FOR_EACH_BAD) * wrong


def _by_letters(body: bytes) -> str:
    """The encoding that the letters of a text make likely, from a piece of it without tags."""
    pieces = (piece for piece in _TAGS.sub(b"\n", body).split(b"\n") if not piece.isascii())
    sample, length = list[bytes](), 0
    for piece in pieces:
        sample.append(piece[:SAMPLE])
        length += len(sample[-1])
        if length >= SAMPLE:
            break
    text = b" ".join(sample)
    high = len(_HIGH.findall(text))
    in_words = sum(map(len, _HIGH_WORDS.findall(text)))
    leads = len(_KANA_LEADS.findall(text))
    if max(in_words, 2 * leads) < LEAST_IN_WORDS * high:
        return _of_latin_letters(text)
    from charset_normalizer import from_bytes  # 30 ms to import, which most pages do not need

    for match in from_bytes(text):
        name = codecs.lookup(match.encoding).name
        name = _BROWSERS_NAMES.get(name, name)
        if name in ENCODINGS and not name.startswith("utf-"):
            return name
    return "cp1252"


def _of_latin_letters(text: bytes) -> str:
    """The encoding of a text of Latin letters, by the language that its letters of ASCII make likely."""
    import py3langid

    words = text.decode("cp1252", "replace")
    language = py3langid.classify(words)[0] if len(words) >= FEWEST_LETTERS else ""
    likely = _LATIN.get(language, "cp1252")
    if likely == "cp1250" and not _ONLY_1250.search(text) and _ONLY_8859_2.search(text):
        return "iso8859-2"
    return likely
