"""Runs the dashboard until a person ends it."""

from __future__ import annotations

import socket
from collections.abc import Collection, Sequence
from pathlib import Path

import uvicorn

from focused.desk.dashboard.app import create_app
from focused.desk.dashboard.launcher import Launcher
from focused.desk.dashboard.served import Served

STREAMS_MAY_TAKE = 1  #: seconds to end; a stream of a running crawl would go on for ever


def served_by(
    data: Path, names: Sequence[str], topics_dir: Path | None, settings: Sequence[str], search: Sequence[str] = ()
) -> Served:
    """What a dashboard of these collections serves; one of all collections may start crawls.

    search : specs of the providers that may be asked for seeds

    Raises StorageError for a collection that is not there.
    """
    return Served(data, names, None if names else Launcher(data, topics_dir, settings, search))


def serve(
    served: Served, listener: socket.socket, *, hosts: Collection[str], password: str = "", any_address: bool = False
) -> None:
    """Serve on a socket that listens, until Ctrl-C or SIGTERM. Only warnings are told; the others are of `create_app`."""
    config = uvicorn.Config(
        create_app(served, hosts=hosts, password=password, any_address=any_address),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=STREAMS_MAY_TAKE,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        if served.launcher is not None:
            served.launcher.close()
