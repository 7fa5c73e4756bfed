"""What the wing brings to a crawler: see `focused.wings`."""

COMPONENTS = {
    "DOWNLOADER_MIDDLEWARES": {"focused.together.together.AnswerFromOthers": 40}  # before robots.txt and delays
}
