"""Pages of a university's site as they come, of a theme in today's HTML or in that of twenty years ago."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Theme = Callable[[str], str]

MENU = "".join(
    f'<li class="menu-item"><a href="/{part}/">{part.title()}</a></li>' for part in ("news", "teaching", "people")
)
SLOGAN = "Research and teaching about solar cells, their light and their lives, on the roofs of the coast"
ABOUT = (
    "The solar group is a team of thirty engineers who study solar cells, roofs and grids. We teach two courses and run a "
    "laboratory for students and for industry."
)
ADDRESS = (
    "Institute of Solar Energy, Technical University of Somewhere, Harbour Street 12, Building 5. Write to the secretary for "
    "appointments. All rights reserved; hosted by the computing centre of the university."
)
COOKIES = (
    "We use cookies to give you the best experience on our website. If you continue to use this site we will assume that you "
    "are happy with it. You can change your settings at any time in the privacy policy of the university."
)
RECENT = "".join(f'<li><a href="/post-{number}/">Solar post number {number}</a></li>' for number in range(1, 6))


def todays(main: str) -> str:
    return f"""<!doctype html><html lang="en"><head><title>Page | Solar Group</title></head><body class="wp-custom">
        <header id="masthead" class="site-header"><p class="site-title"><a href="/">Solar Group</a></p>
        <p class="site-description">{SLOGAN}</p><nav class="main-navigation"><ul>{MENU}</ul></nav></header>
        <main id="main" class="site-main">{main}</main>
        <aside id="secondary" class="widget-area"><section class="widget widget_text"><h2>About</h2><p>{ABOUT}</p></section>
        <section class="widget widget_recent_entries"><h2>Recent posts</h2><ul>{RECENT}</ul></section></aside>
        <footer id="colophon" class="site-footer"><p>{ADDRESS}</p></footer>
        <div id="cookie-notice" role="dialog"><p>{COOKIES}</p><button>Ok</button></div></body></html>"""


def old(main: str) -> str:
    return f"""<html><head><title>Page - Solar Group</title></head><body bgcolor="white"><table width="100%"><tr>
        <td colspan="2"><h1><a href="/">Solar Group</a></h1><i>{SLOGAN}</i></td></tr>
        <tr><td width="150"><ul>{MENU}</ul><b>About</b><p>{ABOUT}</p><b>Recent posts</b><ul>{RECENT}</ul></td>
        <td><div id="content">{main}</div></td></tr></table><hr><div id="foot">{ADDRESS}</div>
        <div id="privacy"><p>{COOKIES}</p></div></body></html>"""


THEMES: tuple[Theme, ...] = (todays, old)

TEASER = (
    "The solar group has measured how cells of the third generation age in salt water and publishes what it found in number {0} "
    "of its reports. Two harbours on the coast helped, and makers of solar cells who want to know when each must be replaced "
    "[&hellip;]"
)
SHORT = "Registration is open for the solar school number {0} on cells and roofs."


def each(item: str, numbers: Iterable[int]) -> str:
    return "".join(item.format(number) for number in numbers)


POSTS = each(
    '<article class="post"><header class="entry-header"><h2 class="entry-title"><a href="/2024/05/cells-{0}/">Solar cells in '
    'test {0}</a></h2><div class="entry-meta"><span class="posted-on">Posted on <a href="/2024/05/cells-{0}/"><time>May {0}, '
    '2024</time></a></span> <span class="byline">by <a href="/author/ann/">Ann Miller</a></span></div></header>'
    f'<div class="entry-summary"><p>{TEASER}</p></div><footer class="entry-footer">Posted in <a href="/category/news/">News'
    '</a> Tagged <a href="/tag/cells/">cells</a>, <a href="/tag/solar/">solar</a> <a href="/2024/05/cells-{0}/#comments">Leave a '
    "comment</a></footer></article>",
    range(1, 11),
)
OLDER = '<nav class="navigation pagination"><a href="/2024/05/page/2/">Older posts</a></nav>'
ROWS = each(
    '<div class="views-row"><div class="views-field-title"><span class="field-content"><a href="/node/{0}">Solar cell {0} '
    'tested</a></span></div><div class="views-field-created"><span class="field-content">Monday, May {0}, 2024 - 12:17</span>'
    f'</div><div class="views-field-body"><p>{SHORT}</p></div></div>',
    range(60, 70),
)
DAYS = "".join(f"<th>{day}</th>" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
NO_EVENT = '<td class="day"><div><a href="/events/2024-05-{0:02}/">{0}</a></div></td>'
EVENT = (
    '<td class="day has-events"><div><a href="/events/2024-05-{0:02}/">{0}</a></div><h3><a href="/event/talk-{0}/">Talk on solar '
    f'cells</a></h3><div class="tooltip"><p>May {{0}} @ 10:00 am - 11:00 am</p><p>{SHORT}</p></div></td>'
)
WEEKS = "".join(
    f"<tr>{''.join((EVENT if day % 3 else NO_EVENT).format(day) for day in range(week * 7 + 1, week * 7 + 8))}</tr>"
    for week in range(4)
)
FILES = "<tr><td><img alt='[TXT]'></td><td><a href='solar-{0}.csv'>solar-{0}.csv</a></td><td>2024-05-12 10:12</td><td>{0}K</td>"
SORTS = (
    "<th><a href='?C=N;O=D'>Name</a></th><th><a href='?C=M;O=A'>Last modified</a></th><th>Size</th><th>Description</th>"
)
EVENTS = (
    "BEGIN:VEVENT\r\nUID:{0}@solar.example\r\nDTSTART:20240512T100000\r\nSUMMARY:Talk {0} on solar cells\r\n"
    f"DESCRIPTION:{TEASER}\r\nEND:VEVENT\r\n"
)

#: What a theme is put around, and counts as nothing.
LISTS = {
    "archive of a month": f"<header class='page-header'><h1>Month: May 2024</h1></header>{POSTS}{OLDER}",
    "tag": f"<h1>Tag: solar</h1><div class='taxonomy-description'><p>All that we write about it.</p></div>{POSTS}{OLDER}",
    "page 7 of a list": f"<h1>News</h1>{ROWS}<ul class='pager'><li><a href='?page=5'>&lsaquo; previous</a></li><li>7</li></ul>",
    "titles": f"<h1>Archive</h1><ul>{each('<li>May {0}: <a href=/p{0}>Solar cell number {0}</a> (3)</li>', range(1, 31))}</ul>",
    "calendar": f"<h1>Events for May 2024</h1><table><thead><tr>{DAYS}</tr></thead>{WEEKS}</table>",
    "25 words": f"<h1>Solar school</h1><p>{SHORT.format(1)} Please write to the office before May and bring a laptop.</p>",
    "nothing": "<h1>Nothing Found</h1><p>It seems we can&rsquo;t find what you&rsquo;re looking for. Perhaps searching helps.</p>",
}
#: What no theme is put around: the server writes it.
BARE = {
    "Apache": f"<title>Index of /solar</title><h1>Index of /solar</h1><table><tr>{SORTS}</tr>{each(FILES, range(1, 30))}</table>"
    "<address>Apache/2.4.41 (Ubuntu) Server at solar.example Port 443</address>",
    "nginx": "<title>Index of /solar/</title><h1>Index of /solar/</h1><hr><pre><a href='../'>../</a>\n"
    + each("<a href='solar-{0}.csv'>solar-{0}.csv</a>            12-May-2024 10:12      {0}\n", range(1000, 1030))
    + "</pre><hr>",
    "calendar for programs": f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{each(EVENTS, range(1, 9))}END:VCALENDAR\r\n",
}

ARTICLE = (
    "<h1>Why solar cells age</h1><p>A solar cell that stands near the sea lives for twenty years, and one on a mountain for "
    "thirty. Salt creeps under the glass, water follows it, and the contacts turn green.</p><p>Engineers seal the edges with butyl "
    "today. Where that was done, nine of ten solar panels gave full power after a decade, as measurements on three islands "
    "show.</p>"
)
LINKS = each("<li><a href='/cell-{0}/'>Solar cell number {0} and how it was made</a></li>", range(40))
FUNCTIONS = each(
    "<tr><td><p><a href='generated/solar.{0}.html'><code>solar.cell_{0}</code></a>(area)</p></td><td><p>Power of a cell of kind "
    "{0} by its area.</p></td></tr>",
    range(30),
)
TERMS = each(
    "<dt id='t{0}'>Term {0}</dt><dd>A layer of solar cells that holds light, as in <a href='/{0}'>this one</a>.</dd>",
    range(20),
)
ANSWERS = each(
    "<div class='answer'><p>Solar cells of kind {0} lose a tenth of their power in summer. Cool them with air from behind, and "
    "leave a hand's breadth between roof and frame.</p><div class='user'>answered May {0} by <a href='/users/{0}'>user{0}</a>"
    "</div></div>",
    range(1, 7),
)
#: What a theme is put around, and counts, for it says something.
TEXTS = {
    "article": ARTICLE,
    "short article": "<h1>New roof</h1><p>The roof of the library carries solar cells since Monday. Forty panels feed lamps and "
    "lifts, and on bright days the kitchen next door as well. Students of three departments planned the plant, chose inverters "
    "and screwed every clamp themselves.</p>",
    "article over a list of links": f"{ARTICLE}<h2>More</h2><ul>{LINKS}</ul>",
    "index of functions": "<h1>solar.cells</h1><p>Functions that compute power, age and price of solar cells. All take areas in "
    "square metres and return watts, years or euros; arrays are broadcast against each other, and missing values stay missing.</p>"
    f"<table class='autosummary'>{FUNCTIONS}</table>",
    "glossary": f"<h1>Glossary</h1><dl class='glossary'>{TERMS}</dl>",
    "questions and answers": "<h1>How do I cool solar cells?</h1><div class='question'><p>My solar cells stand on a flat black "
    "roof and lose power every noon. Is there a way to keep them cool that needs no pump, no fan and no water at all?</p></div>"
    f"{ANSWERS}",
}
