"""What the wing brings to a crawler: see `focused.wings`."""

COMPONENTS = {
    "DOWNLOADER_MIDDLEWARES": {
        "focused.together.answered_by_others.AnswerFromOthers": 40
    }  # before robots.txt and delays
}
