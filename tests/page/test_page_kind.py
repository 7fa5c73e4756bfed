"""What kind of page it is, by its form: directories, archives, results, walls, errors, and pages that say something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focused.page.html import MAX_HREFS, walked, with_terms
from focused.page.page_kind import INDEX, KINDS, LISTING, SPEAKS, STUB, own_text
from focused.page.reader import Reader, ReadingOptions
from focused.page.text import TextAnalyser

NAMES = [f"machine-learning-{number:03}" for number in range(1, 31)]
#: Three sentences of each language, of more words than a page needs to say something.
TEXTS = {
    "english": "A balsa tree grows as high as a house within five years, and its wood is the lightest that merchants sell. Models, "
    "rafts and the cores of rotor blades are made of it, because strength and weight are in such a happy relation. "
    "Builders of aircraft glued plywood from it during the war, and surfboards still hide it below their varnish.",
    "german": "Ein Balsabaum wächst in fünf Jahren so hoch wie ein Haus, und sein Holz ist das leichteste, das Händler verkaufen. "
    "Modelle, Flöße und Kerne von Rotorblättern werden daraus gemacht, weil Festigkeit und Gewicht gut zueinander passen. "
    "Flugzeugbauer verleimten daraus Sperrholz, und Surfbretter verstecken es bis heute unter glänzendem Lack und bunten Bildern.",
    "spanish": "Un árbol de balsa crece en cinco años tanto como una casa alta, y su madera es la más ligera. "
    "Modelos, balsas y núcleos de palas se fabrican con ella, porque resistencia y peso guardan una relación excelente "
    "para constructores. Fabricantes de aviones encolaban tableros contrachapados durante aquella guerra, "
    "mientras muchas tablas de surf esconden todavía balsa bajo su barniz.",
    "russian": "Бальсовое дерево за пять лет вырастает высотой с большой дом, и его древесина самая лёгкая среди всех. "
    "Модели, плоты и сердцевины лопастей делают именно оттуда, потому что прочность и вес находятся в хорошем соотношении. "
    "Авиастроители клеили фанеру во время войны, а доски для сёрфинга поныне скрывают бальсу под слоем лака.",
    "japanese": "バルサの木は五年で家の高さまで成長し、その木材は世界で最も軽いものです。"
    "模型やいかだ、大きな風車の羽根に使われます。昔から多くの国で愛されている丈夫な材料です。"
    "戦争中は飛行機の合板にも使われ、今もサーフボードの中に隠れています。職人は鋭い刃物で薄い板を切り出します。",
}
TEASERS = {
    "english": "How light wood came from the forests of Ecuador into the workshops of Europe",
    "german": "Wie leichtes Holz aus den Wäldern Ecuadors in die Werkstätten Europas gelangte",
    "spanish": "Cómo la madera ligera llegó desde los bosques del Ecuador hasta talleres europeos",
    "russian": "Как лёгкая древесина попала из лесов Эквадора в мастерские европейских городов",
    "japanese": "軽い木材がエクアドルの森からヨーロッパの工房へ届くまでの長い物語",
}
MENU = "".join(f"<li><a href=/{page}>{page}</a>" for page in ("home", "shop", "news", "team", "contact"))


def kind(body: str, language: str = "english") -> str:
    analyser = TextAnalyser(language)
    walk = walked(f"<title>Wood of the world</title><body>{body}")
    return own_text(with_terms(walk, analyser.terms_of_each)).kind


APACHE = "".join(
    f'<img src="/icons/folder.gif" alt="[DIR]"> <a href="{name}/">{name}/</a>   2019-03-{day:02} 12:17    -   \n'
    for day, name in enumerate(NAMES, 1)
)
APACHE_TABLE = "".join(
    f'<tr><td valign="top"><img src="/icons/text.gif" alt="[TXT]"></td><td><a href="{name}.txt">{name}.txt</a></td>'
    f'<td align="right">2019-03-02 12:17  </td><td align="right"> 12K</td><td>&nbsp;</td></tr>'
    for name in NAMES
)
NGINX = "".join(
    f'<a href="{name}">{name}</a>                       12-Mar-2019 12:17          {size}\n'
    for size, name in enumerate(NAMES, 1000)
)
IIS = "".join(f" 3/12/2019 12:17 PM        &lt;dir&gt; <A HREF='/ml/{name}/'>{name}</A><br>" for name in NAMES)
PYTHON = "".join(f'<li><a href="{name}">{name}</a></li>\n' for name in NAMES)
TABLE_HEAD = "<tr><th>Name</th><th><a href='?C=M;O=A'>Last modified</a></th><th><a href='?C=S;O=A'>Size</a></th></tr>"


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Index of /ml</h1><pre>Name Last modified Size <hr>{APACHE}<hr></pre>"
        "<address>Apache/2.4.6 (CentOS) OpenSSL/1.0.2k-fips Server at archive.example Port 80</address>",
        f"<h1>Index of /ml</h1><table>{TABLE_HEAD}{APACHE_TABLE}</table>",
        f'<h1>Index of /ml/</h1><hr><pre><a href="../">../</a>\n{NGINX}</pre><hr>',
        f"<H1>archive.example - /ml/</H1><hr><pre><A HREF='/'>[To Parent Directory]</A><br><br>{IIS}</pre><hr>",
        f"<h1>Directory listing for /ml/</h1><hr><ul>{PYTHON}</ul><hr>",
    ],
    ids=["apache", "apache-table", "nginx", "iis", "python"],
)
def test_a_directory_is_an_index_whoever_serves_it(body: str) -> None:
    assert kind(body) == INDEX


@pytest.mark.parametrize("language", TEXTS)
def test_menus_and_tables_of_contents_are_an_index(language: str) -> None:
    headings = "".join(f"<li><a href=ch{n}.html>{n}. {TEASERS[language]}</a>" for n in range(12))
    assert kind(f"<ul>{MENU}</ul><h1>2019</h1><ol>{headings}</ol>", language) == INDEX


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize(
    "item",
    [
        "<article><h2><a href=/post-{n}>{teaser}</a></h2><p>{teaser} ... <a href=/post-{n}#more>&rarr;</a></p></article>",
        "<li><h3><a href=/hit?{n}>{teaser}</a></h3><cite>site{n}.example</cite><p>{teaser}</p>",
        "<tr><td><a href=/topic/{n}>{teaser}</a><td>{n}<td>{teaser}",
        "<dt><a href=/function/{n}>f{n}</a><dd>{teaser}",
    ],
    ids=["archive", "search", "forum", "reference"],
)
def test_links_with_a_few_words_each_are_a_listing(item: str, language: str) -> None:
    items = "".join(item.format(n=n, teaser=TEASERS[language]) for n in range(10))
    container = f"<table>{items}</table>" if item.startswith("<tr>") else items
    assert kind(f"<nav><ul>{MENU}</ul></nav><h1>2019</h1>{container}", language) == LISTING


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<p>This document has moved <a href=/there>here</a>.",
        "<h1>404</h1><p>Seite nicht gefunden. <a href=/>Zur Startseite</a>",
        "<p>現在準備中です。",
        "<frameset><frame src=menu.html><frame src=main.html></frameset>",
        f"<nav><ul>{MENU}</ul></nav><h1>Nothing here yet</h1><footer><ul>{MENU}</ul></footer>",
        f"<form><input name=user><input type=PASSWORD name=secret></form><p>{TEXTS['english']}",
    ],
    ids=["empty", "moved", "not found", "soon", "frames", "menus around nothing", "log in"],
)
def test_hardly_a_word_and_hardly_a_link_are_a_stub(body: str) -> None:
    assert kind(body) == STUB


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize(
    "body",
    [
        "<p>{text}",
        "<ul>{menu}</ul><p>{text}<ul>{menu}</ul>",
        "<p>{text}<h2>Related</h2><ul>{links}</ul>",
        "<ul>{links}</ul><p>{text}",
        "<form><input type=password></form><p>{text}<p>{text}<p>{text}<p>{text}",
        "<p>{inline}",
    ],
    ids=["alone", "in menus", "above links", "below links", "beside a way to log in", "links in every sentence"],
)
def test_a_page_with_three_sentences_of_its_own_says_something(body: str, language: str) -> None:
    text = TEXTS[language]
    links = "".join(f"<li><a href=/{n}>{TEASERS[language]} {n}</a>" for n in range(30))
    inline = f"<a href=/1>*</a> {text} <a href=/2>*</a> {text} <a href=/3>*</a> {text} <a href=/4>*</a>"
    assert kind(body.format(text=text, menu=MENU, links=links, inline=inline), language) == SPEAKS


def test_who_keeps_a_page_and_where_to_write_to_say_nothing() -> None:
    keeper = (
        "<h1>Ada Wood</h1><p>Assistant Professor<p>Department of Forestry, Balsa Hall, Room 12<p>University of Quito, Quito, "
        "Ecuador<p>Phone: +593 2 1234, Fax: +593 2 1235<p>Office hours: Monday and Friday<p>Last updated in May by "
        "webmaster@wood.example. Copyright Ada Wood."
    )
    assert kind(keeper) == STUB
    assert kind(f"{keeper}<ul>{MENU}</ul>") == INDEX


def test_a_list_in_which_each_link_leads_a_paragraph_says_something() -> None:
    items = "".join(f"<h3><a href=/{n}>Wood {n}</a></h3><p>{TEXTS['english'] * 2}" for n in range(8))
    assert kind(items) == SPEAKS


def test_what_stands_around_a_text_says_nothing_unless_it_is_nearly_all_there_is() -> None:
    text, titles = TEXTS["english"], "".join(f"<li><a href=/{n}>{TEASERS['english']}</a>" for n in range(9))
    assert kind(f"<header><nav><ul>{MENU}</ul></nav>{text}</header><ul>{titles}</ul><footer>{text}</footer>") == INDEX
    assert kind(f"<header><p>{text}<p>{text}") == SPEAKS  # an element that nobody has closed


def test_a_list_of_posts_that_have_headers_of_their_own_is_a_listing() -> None:
    posts = "".join(
        f"<article><header><h2><a href=/{n}>Post {n}</a></h2></header><p>A sunny day at sea</article>" for n in range(5)
    )
    assert kind(f"<main>{posts}</main>") == LISTING


def test_links_within_the_page_are_no_entries() -> None:
    facts = "".join(f"<li><a href=#fact{n}>{n}</a> Balsa number {n} floats well on lakes." for n in range(10))
    assert kind(f"<ul>{facts}</ul>") == SPEAKS


def test_a_table_of_facts_says_something() -> None:
    rows = "".join(f"<tr><td>Balsa wood {n}<td>light<td>Ecuador<td>{n} kg" for n in range(10))
    assert kind(f"<table>{rows}</table>") == SPEAKS


def test_plain_text_is_judged_by_its_length() -> None:
    reader = Reader(ReadingOptions())

    def kind_of_text(text: str) -> str:
        return reader.read("http://a.example/README", text.encode(), "text/plain").kind

    assert kind_of_text(TEXTS["english"]) == SPEAKS
    assert kind_of_text("See the other file.") == STUB
    assert reader.read("http://a.example/p", b"\x89PNG", "image/png").kind == SPEAKS  # nobody has looked


def test_a_page_of_more_links_than_are_read_is_judged_in_a_moment() -> None:
    paths = "".join(f"<b>{'<i>' * (n % 20)}<a href=/{n}>{n} w</a>{'</i>' * (n % 20)}</b> x " for n in range(MAX_HREFS))
    assert kind(paths) in KINDS


MARKUP = [
    *("<p>", "<a href=/1>", "<a href=#x>", "<a href=/2>x y z", "</a>", "<li>", "<nav>", "<input type=password>"),
    *("<title>", "<pre>"),
]
WORDS = ["1999 ", "wood ", "木材 ", "\x00", "\udc80 ", TEXTS["german"]]


@given(st.lists(st.sampled_from([*MARKUP, *WORDS]), max_size=40))
def test_any_page_has_a_kind_or_none(parts: list[str]) -> None:
    assert kind("".join(parts)) in {SPEAKS, *KINDS}
