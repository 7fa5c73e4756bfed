"""What the wing brings to a crawler: see `focused.wings`."""

COMPONENTS = {
    "DOWNLOADER_MIDDLEWARES": {"focused.rendering.middleware.Render": 540}  # after redirects (600, 580), retries (550)
}
