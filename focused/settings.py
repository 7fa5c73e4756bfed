"""Settings of the project: Scrapy's own that a topical crawl wants otherwise, then those of focused (all FOCUSED_*).

A topic file overrides any of them in its table [settings], and ``-s NAME=VALUE`` overrides both. See docs/reference/settings.md.
"""

from focused.wings import components

BOT_NAME = "focused"
SPIDER_MODULES = ["focused.spiders"]
NEWSPIDER_MODULE = "focused.spiders"
COMMANDS_MODULE = "focused.commands"

# Politeness: put the address of whoever runs the crawl here.
USER_AGENT = "focused/0.2 (topical crawler; set USER_AGENT to name yourself and a contact)"
ROBOTSTXT_OBEY = True
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1.0
DOWNLOAD_DELAY_JITTER = 0.0  # the frontier waits the delay itself, so that the choice is made as late as possible

# The crawl.
SCHEDULER = "focused.scheduler.FrontierScheduler"
SPIDER_MIDDLEWARES = {"focused.middlewares.FrontierMiddleware": 950}
DOWNLOADER_MIDDLEWARES = {
    **components("DOWNLOADER_MIDDLEWARES"),
    "focused.live.connections.WithinReach": 50,  # before robots.txt is asked for
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,  # extended by:
    "focused.live.robots.obeying.ObeyRobotsTxt": 100,
    "focused.live.web_encoding.WebEncoding": 585,  # after decompression (590), before a look into the page (580)
    "focused.live.document_reading.ReadDocuments": 530,  # of what comes through to the crawl
    "focused.live.throttling.Throttling": 560,  # before Scrapy's retries (550), which ask again at once
}
DOWNLOAD_HANDLERS = {
    "http": "focused.live.connections.JudgedConnections",
    "https": "focused.live.connections.JudgedConnections",
}
LINK_SCORERS = {
    "focused.scorers.dom_context.DomContext": 100,
    "focused.scorers.hub_score.HubScore": 200,
    "focused.scorers.link_classifier.LinkClassifier": 300,
}
ITEM_PIPELINES = {"focused.pipelines.StorePages": 100, "focused.pipelines.StoreHistory": 200}
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
CONCURRENT_REQUESTS = 16
CONCURRENT_ITEMS = 1  # a page is one item: a third off Scrapy's own cost per page
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 10_000_000
RETRY_TIMES = 2
RETRY_GIVE_UP_LOG_LEVEL = "INFO"
COOKIES_ENABLED = False
LOG_LEVEL = "INFO"
REMOTE_CONTROL_ENABLED = False  # a port that runs code is opened only for those who ask for it
STATS_DUMP = False  # the summary says what matters; -s STATS_DUMP=1 shows all
FEED_EXPORT_ENCODING = "utf-8"
FEED_EXPORTERS = {"csv": "focused.feeds.PlainCsvExporter"}  # no cell is a formula, which a spreadsheet would run
FEED_STORAGES = {"stdout": "focused.feeds.Stdout"}  # whose reader may have had enough

DASHBOARD = 0  # a port: a dashboard of the crawl is served there while it runs

# focused
FOCUSED_LOG_JSON = False  # write logs as JSON, one object a line
FOCUSED_DATA_DIR = "data"  # collections lie here, one folder a topic
FOCUSED_TOPICS_DIR = ""  # a folder of topic files that come before the packaged ones
FOCUSED_COMMIT_SECONDS = 1.0  # between two commits
FOCUSED_COMMIT_REQUESTS = (
    50  # that are sent between two commits, at most: this is what a kill costs, however busy the machine
)
FOCUSED_LOCK_SECONDS = 60.0  # for which a lock of another process on crawl.db is waited for
FOCUSED_SNAPSHOT_PAGES = 1000  # between two snapshots: a killed crawl reads at most this many again
FOCUSED_PROGRESS_SECONDS = 10.0  # between two lines of progress in a log (a terminal shows one live line)
FOCUSED_MAX_CRAWL_DELAY = 60.0  # seconds; a longer Crawl-delay in a robots.txt is cut to this
FOCUSED_ROBOTS_RETRY_SECONDS = (
    10.0  # until a robots.txt that is unreachable is asked for again; then twice as long, and so on
)
FOCUSED_MAX_RETRY_AFTER = 3600.0  # seconds; a longer Retry-After of a host is cut to this
FOCUSED_BUSY_SECONDS = (
    10.0  # that a host is left alone which is too busy and does not say for how long; then twice as long, ...
)
FOCUSED_BUSY_WAIT_SECONDS = 600.0  # that a run waits, in all, while only hosts that are too busy are left
FOCUSED_BUSY_TIMES = 3  # that a URL is asked for again when its host was too busy
FOCUSED_POLITE_TO_ADDRESSES = True  # hosts on one IP address are asked as if they were one host
FOCUSED_SEARCH: list[str] = []  # who is asked for seeds, such as "searxng:http://127.0.0.1:8888" and "ddgs"
FOCUSED_BROWSER = (
    ""  # path of the browser that renders pages; empty: chromium or google-chrome on PATH, or Playwright's own
)
