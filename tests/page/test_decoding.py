"""Media types and encodings of responses."""

import codecs

import pytest

from focused.page.decoding import ENCODINGS, decode, encoding_of, is_misdeclared
from focused.page.media_types import media_type


@pytest.mark.parametrize(
    ("header", "body", "found"),
    [
        ("Text/HTML; charset=utf-8", b"", "text/html"),
        ("text/html, text/plain", b"", "text/html"),
        ("image/png", b"<html>", "image/png"),
        ("", b"  <!DOCTYPE html><p>", "text/html"),
        ("", b"<center>1996</center><p>", "text/html"),
        ("*/*", b"%PDF-1.4", "application/pdf"),
        ("", b"a < b and c > d", "text/plain"),
        ("", b"\x89PNG\x00\x01", "application/octet-stream"),
        ("", codecs.BOM_UTF16_LE + "<html>".encode("utf-16-le"), "text/html"),
    ],
)
def test_the_header_says_the_type_and_without_it_the_body_does(header: str, body: bytes, found: str) -> None:
    assert media_type(header, body) == found


@pytest.mark.parametrize("header", ["", "text/plain", "text/html; charset=utf-8", "text/calendar"])
def test_a_calendar_is_one_whatever_the_header_says(header: str) -> None:
    assert media_type(header, codecs.BOM_UTF8 + b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") == "text/calendar"
    assert media_type(header, b"BEGIN:VCALENDAR is how a calendar begins") != "text/calendar" or "calendar" in header


@pytest.mark.parametrize(
    ("body", "header", "text"),
    [
        (codecs.BOM_UTF8 + "ü".encode(), "text/html; charset=latin-1", "ü"),
        ("ü€".encode("utf-16"), "", "ü€"),
        ("ü€".encode("cp1252"), "text/html; charset=iso-8859-1", "ü€"),
        ('<meta charset="koi8-r">я'.encode("koi8-r"), "text/html", '<meta charset="koi8-r">я'),
        (
            "<?xml version='1.0' encoding='latin-1'?>ü".encode("latin-1"),
            "",
            "<?xml version='1.0' encoding='latin-1'?>ü",
        ),
        ("ü€".encode(), "", "ü€"),
        ("ü€".encode("cp1252"), "", "ü€"),
        ("aü".encode()[:2], "", "a"),
        (b"a\xff", "text/html; charset=utf-8", "a\ufffd"),
        ("ü".encode(), "text/html; charset=no-such-thing", "ü"),
        (b"6869", "text/html; charset=hex", "6869"),
        (b"a-b", "text/html; charset=punycode", "a-b"),
        (b"a", "text/html; charset=undefined", "a"),
    ],
)
def test_characters_are_decoded_as_browsers_do(body: bytes, header: str, text: str) -> None:
    assert decode(body, header) == text


NO_ENCODINGS = (
    *("hex", "rot13", "punycode", "idna", "base64", "zip", "bz2", "uu", "quopri", "unicode_escape"),
    "raw_unicode_escape",
    *("undefined", "utf-7", "utf-32", "mbcs", "cp037", "palmos", "utf-8-sig", "x" * 10_000, "../../etc/passwd", "\x00"),
)


@pytest.mark.parametrize("name", NO_ENCODINGS)
def test_what_is_no_encoding_of_the_web_is_never_run(name: str) -> None:
    body = "é 6869".encode("koi8-r", "ignore") + "ü".encode()
    for declared in (f'<meta charset="{name}">', f'<?xml version="1.0" encoding="{name}"?>', ""):
        page = declared.encode() + body
        assert decode(page, f"text/html; charset={name}") == decode(page) == page.decode()


def test_the_document_is_heard_where_the_header_says_nonsense() -> None:
    page = '<meta charset="koi8-r">я'.encode("koi8-r")
    assert decode(page, "text/html; charset=hex") == '<meta charset="koi8-r">я'
    assert encoding_of(page, "text/html; charset=hex") == "koi8-r"
    assert encoding_of(b"\xe4 b") == "cp1252"


def test_only_a_response_that_says_nonsense_is_misdeclared() -> None:
    assert is_misdeclared(b"", "text/html; charset=punycode")
    assert is_misdeclared(b"<meta charset=hex>")
    assert not is_misdeclared(b"<meta charset=hex>", "text/html; charset=utf-8")
    assert not is_misdeclared(b"<p>", "text/html; charset=no-such-thing")


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("iso-8859-8-i", "iso8859-8"), ("x-gbk", "gb18030"), ("unicode", "utf-16-le"), ("windows-949", "cp949")],
)
def test_names_that_only_the_web_has_are_known(name: str, encoding: str) -> None:
    assert encoding_of(b"", f"text/html; charset={name}") == encoding


def test_every_encoding_has_the_name_that_python_gives_it() -> None:
    assert [name for name in ENCODINGS if codecs.lookup(name).name != name] == []


RUSSIAN = "Тепловой насос это устройство для переноса тепловой энергии. "
#: By encoding: a text of a language that was written in it before UTF-8.
LEGACY = {
    "cp1251": RUSSIAN,
    "koi8-r": RUSSIAN,
    "cp1250": "Tepelné čerpadlo je zařízení, které přečerpává teplo z chladnějšího místa. Příliš žluťoučký kůň. ",
    "iso8859-2": "Pompa ciepła to urządzenie, które przenosi ciepło z miejsca chłodnego do cieplejszego. Zażółć gęślą jaźń. ",
    "cp1252": "Die Wärmepumpe heizt große Häuser – “sparsam” und für 100 €. La pompe à chaleur: où étiez-vous, garçon? ",
    "cp1253": "Η αντλία θερμότητας είναι μια συσκευή που μεταφέρει θερμότητα. ",
    "cp1254": "Isı pompası, ısıyı soğuk bir yerden sıcak bir yere taşıyan bir cihazdır. Şimdi çok güzel görünüyor. ",
    "cp1255": "משאבת חום היא מכשיר המעביר חום ממקום קר למקום חם יותר. ",
    "cp1256": "المضخة الحرارية جهاز ينقل الحرارة من مكان بارد إلى مكان دافئ. ",
    "cp874": "ปั๊มความร้อนเป็นอุปกรณ์ที่ถ่ายเทความร้อน ",
    "gbk": "热泵是一种把低温热源的热量转移到高温的设备，压缩机和制冷剂是它的主要部件。",
    "big5": "熱泵是一種把低溫熱源的熱量轉移到高溫的設備，壓縮機和製冷劑是它的主要部件。",
    "shift_jis": "ヒートポンプは低温の物体から熱を奪い高温の物体に与える装置である。",
    "euc_jp": "太陽光発電は太陽の光を電気に変える仕組みであり、屋根の上に置かれる。",
    "iso2022_jp": "太陽光発電は太陽の光を電気に変える仕組みであり、屋根の上に置かれる。",
    "euc_kr": "열펌프는 낮은 온도의 열원에서 높은 온도로 열을 옮기는 장치이다. ",
}
SCRIPT = "<script>var menu = ['home', 'about']; // " + "x" * 500 + "</script>"


@pytest.mark.parametrize(
    "around", ["{}", "<html><head><title>heat</title>" + SCRIPT + "</head><body class='a b'><p>{}</p>"]
)
@pytest.mark.parametrize("codec", LEGACY)
def test_letters_tell_the_encoding_that_a_page_does_not_declare(codec: str, around: str) -> None:
    text = LEGACY[codec] * 3
    assert text in decode(around.format(text).encode(codec), "text/html")


def test_an_english_page_with_some_foreign_letters_is_western() -> None:
    text = "A café in Paris serves “crème brûlée” for 5 € – and it’s good. " + "Plain words follow here. " * 50
    assert decode(text.encode("cp1252")) == text


@pytest.mark.parametrize("where", ["{}", "<p>{}</p>" * 50])
def test_a_wrong_byte_in_utf8_costs_a_character(where: str) -> None:
    page = where.replace("{}", RUSSIAN * 3).encode()
    assert decode(page + b"\xff" + page) == page.decode() + "\ufffd" + page.decode()


@pytest.mark.parametrize("header", ["text/html", "text/html; charset=utf-16", "text/html; charset=UTF-16BE"])
def test_what_can_be_read_as_ascii_is_not_utf16(header: str) -> None:
    page = f'<meta charset="UTF-16"><p>{RUSSIAN}</p>'
    assert decode(page.encode(), header) == page


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_needs_no_mark_where_a_tag_begins_it(codec: str) -> None:
    assert decode("<p>Ü".encode(codec)) == "<p>Ü"
    assert decode("Ü".encode(codec), f"text/html; charset={codec}") == "Ü"


@pytest.mark.parametrize(
    "head",
    [
        "<style>" + "p { color: red } " * 400 + '</style><meta charset="windows-1251">',
        '<meta charset="utf8mb4"><meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        "<!-- " + "x" * 5000 + "<meta charset=koi8-r> --><meta charset=windows-1251>",
        "<script>" + "x" * 5000 + "'<meta charset=koi8-r>'</script><meta charset=windows-1251>",
    ],
)
def test_the_first_declaration_that_is_one_counts_wherever_it_stands(head: str) -> None:
    page = f"<html><head>{head}</head><p>я"  # one letter: nothing could be guessed
    assert decode(page.encode("cp1251"), "text/html; charset=no-such-thing") == page


def test_ten_million_bytes_are_guessed_by_a_piece_of_them() -> None:
    for body in (b"\xe4<" * 5_000_000, b"<!--\xe4" * 2_000_000, b"<script>\xe4" * 1_000_000, b"\xff" * 10_000_000):
        assert encoding_of(body)
