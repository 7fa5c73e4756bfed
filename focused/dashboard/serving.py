"""Runs the dashboard until a person ends it."""

from __future__ import annotations

import socket

import uvicorn
from starlette.applications import Starlette

STREAMS_MAY_TAKE = 1  #: seconds to end; a stream of a running crawl would go on for ever


def serve(app: Starlette, listener: socket.socket) -> None:
    """Serve an application on a socket that listens, until Ctrl-C or SIGTERM. Only warnings are told."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=STREAMS_MAY_TAKE,
    )
    uvicorn.Server(config).run(sockets=[listener])
