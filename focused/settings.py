"""Settings of the project: Scrapy's own that a topical crawl wants otherwise, then those of focused (all FOCUSED_*).

A topic file overrides any of them in its table [settings], and ``-s NAME=VALUE`` overrides both. docs/reference/settings.md shows
what ``#:`` says of each.
"""

from focused.wings import components

BOT_NAME = "focused"
SPIDER_MODULES = ["focused.spiders"]
NEWSPIDER_MODULE = "focused.spiders"
#: the commands of focused; its `crawl` reports a mistake in one line
COMMANDS_MODULE = "focused.commands"

#: set it: server operators must see who crawls, and how to reach you
USER_AGENT = "focused/0.2 (topical crawler; set USER_AGENT to name yourself and a contact)"
#: politeness
ROBOTSTXT_OBEY = True
#: one request at a time for each host
CONCURRENT_REQUESTS_PER_DOMAIN = 1
#: seconds between two requests to one host; a longer `Crawl-delay` wins
DOWNLOAD_DELAY = 1.0
#: the frontier waits the delay itself and then chooses the best URL; with a jitter it would choose too early
DOWNLOAD_DELAY_JITTER = 0.0

#: hands out the best URL whose host is ready, as late as possible
SCHEDULER = "focused.scheduler.FrontierScheduler"
#: reads each response once, scores its links, yields its item
SPIDER_MIDDLEWARES = {"focused.middlewares.FrontierMiddleware": 950}
#: in this order: pages that another topic of the process fetched; private addresses and ports refused; `robots.txt` by RFC 9309, in
#: place of Scrapy's middleware; PDF documents; rendering, after redirects and retries; busy hosts left alone, where Scrapy would
#: ask again at once; redirects, unpacking and refreshes as in browsers; only encodings of the Web; only the first bytes of
#: pages, if the topic says so; requests signed with `FOCUSED_IDENTITY`
DOWNLOADER_MIDDLEWARES = {
    **components("DOWNLOADER_MIDDLEWARES"),
    "focused.live.connections.WithinReach": 50,  # before robots.txt is asked for
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,  # extended by:
    "focused.live.robots.obeying.ObeyRobotsTxt": 100,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,  # extended by:
    "focused.live.redirects.Redirects": 600,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,  # extended by:
    "focused.live.unpacking.Unpacking": 590,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,  # extended by:
    "focused.live.redirects.Refreshes": 580,
    "focused.live.web_encoding.WebEncoding": 585,  # after decompression (590), before a look into the page (580)
    "focused.live.first_bytes.FirstBytes": 583,  # of what is unpacked
    "focused.live.document_reading.ReadDocuments": 530,  # of what comes through to the crawl
    "focused.live.throttling.Throttling": 560,  # before Scrapy's retries (550), which ask again at once
    "focused.live.identity.SignRequests": 990,  # the last before the downloader
}
#: Scrapy's own handler, but it connects to public addresses only, and takes answers as browsers do; another one, such as
#: HTTP/2, judges none (the log warns)
DOWNLOAD_HANDLERS = {
    "http": "focused.live.connections.JudgedConnections",
    "https": "focused.live.connections.JudgedConnections",
}
#: what scores links, for `adaptive` and `combined`; your own come beside them, also in a topic file; `None` (there `false`) takes
#: one out
LINK_SCORERS = {
    "focused.scorers.dom_context.DomContext": 100,
    "focused.scorers.hub_score.HubScore": 200,
    "focused.scorers.link_classifier.LinkClassifier": 300,
}
#: store the page, then the history that points to it; your pipelines may run before, between or after
ITEM_PIPELINES = {"focused.pipelines.StorePages": 100, "focused.pipelines.StoreHistory": 200}
#: see below
EXTENSIONS = {
    **components("EXTENSIONS"),
    "focused.extensions.CrawlSession": 0,
    "focused.live.remote_control.RemoteControl": 0,
    "focused.live.ipv6_literals.ReachIPv6": 790,
    "focused.extensions.CrawlDelay": 800,
    "focused.extensions.ContentTypes": 810,
    "focused.explain.progress.Progress": 900,
    "scrapy.extensions.logstats.LogStats": None,  # Progress says more
    "scrapy.extensions.telnet.TelnetConsole": None,
}
#: how many hosts are fetched from at once; the more, the fewer are ready to choose from, and the less a strategy decides
CONCURRENT_REQUESTS = 16
#: a page is one item: a third off Scrapy's own cost per page
CONCURRENT_ITEMS = 1
#: seconds; a slow host takes one of the `CONCURRENT_REQUESTS`
DOWNLOAD_TIMEOUT = 30
#: bytes; a larger page is a failure, `too large`. Keep it below 250 MB: a larger page in a WARC file ends the crawl
DOWNLOAD_MAXSIZE = 10_000_000
#: a page whose body breaks off is kept, marked `truncated`; `True`: it is asked for again, then a failure
DOWNLOAD_FAIL_ON_DATALOSS = False
#: as in Scrapy; 429 and 503 are not retried like this, see `FOCUSED_BUSY_TIMES`
RETRY_TIMES = 2
#: a dead link is not an error of the crawl
RETRY_GIVE_UP_LOG_LEVEL = "INFO"
#: a crawl sees pages as a stranger does
COOKIES_ENABLED = False
#: at `DEBUG`, Scrapy writes several lines per page
LOG_LEVEL = "INFO"
#: this port can run code: open it only if you need it
REMOTE_CONTROL_ENABLED = False
#: the summary says what matters; `-s STATS_DUMP=1` shows all stats
STATS_DUMP = False
#: otherwise JSON feeds escape all letters outside ASCII
FEED_EXPORT_ENCODING = "utf-8"
#: a `'` before each text that a spreadsheet would run as a formula; `scrapy.exporters.CsvItemExporter` is Scrapy's own
FEED_EXPORTERS = {"csv": "focused.live.feeds.PlainCsvExporter"}
#: after `-o -:jsonl | head` the crawl goes on without errors
FEED_STORAGES = {"stdout": "focused.live.feeds.Stdout"}

#: a port, such as 8123, at which the dashboard of the crawl is served while it runs, for this machine only; 0: none
DASHBOARD = 0

#: write logs as JSON, one object a line: `time`, `level`, `logger`, `message`
FOCUSED_LOG_JSON = False
#: folder of all collections, one folder a topic; a relative path starts at the working directory. Not in a topic file
FOCUSED_DATA_DIR = "data"
#: a folder of topic files that come before the packaged ones. Not in a topic file
FOCUSED_TOPICS_DIR = ""
#: seconds between two commits; when they are over, the crawl commits before it sends another request
FOCUSED_COMMIT_SECONDS = 1.0
#: most requests between two commits: what a kill costs, beside those that had no answer yet
FOCUSED_COMMIT_REQUESTS = 50
#: seconds that the crawl waits, without a request, for `crawl.db` if another program has locked it; then it ends
FOCUSED_LOCK_SECONDS = 60.0
#: pages between two snapshots: a killed crawl reads at most this many stored pages again
FOCUSED_SNAPSHOT_PAGES = 1000
#: seconds between two progress lines in a log; a terminal shows one live line
FOCUSED_PROGRESS_SECONDS = 10.0
#: longest `Crawl-delay` to respect, in seconds; a longer one is cut to this, with a warning
FOCUSED_MAX_CRAWL_DELAY = 60.0
#: seconds until a `robots.txt` that is unreachable is asked for again; each wait doubles, up to an hour
FOCUSED_ROBOTS_RETRY_SECONDS = 10.0
#: longest `Retry-After` to respect, in seconds; a longer one is cut to this
FOCUSED_MAX_RETRY_AFTER = 3600.0
#: seconds for which a host is left alone after a 429 or 503 that does not say for how long; each in a row doubles it, 64 times
#: at most
FOCUSED_BUSY_SECONDS = 10.0
#: seconds that a run waits, in all, while only busy hosts are left; then it ends with `busy_hosts`
FOCUSED_BUSY_WAIT_SECONDS = 600.0
#: times that a URL is asked for again after a 429 or 503; then it is a failure
FOCUSED_BUSY_TIMES = 3
#: hosts on one IP address are asked as if they were one host, and their domains share their first pages
FOCUSED_POLITE_TO_ADDRESSES = True
#: search providers to ask for seeds, such as `["searxng:http://127.0.0.1:8888", "ddgs"]`, or text with blanks between. A crawl
#: that fails asks them too, and so sends them words of its topic and of pages it fetched. Not in a topic file
FOCUSED_SEARCH: list[str] = []
#: file with the key that signs each request, which `scrapy identity new` writes; empty: nothing is signed
FOCUSED_IDENTITY = ""
#: path of the browser that renders pages; empty: Chromium or Chrome on `PATH`, else Playwright's own
FOCUSED_BROWSER = ""
