"""Names of the stats that say how a crawl has ended."""

STOP_STAT = "focused/stop_reason"
ERROR_STAT = "focused/error"  #: what went wrong; not set where nothing did
