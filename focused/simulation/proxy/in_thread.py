"""Runs a server in a thread of its own, so that whoever needs it goes on meanwhile."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager


@contextmanager
def in_thread(listen: Callable[[], Awaitable[asyncio.Server]], name: str) -> Iterator[int]:
    """Run a server until the block ends; its port. Whatever ``listen`` has begun ends with it.

    listen : begins to listen; called in the thread, in its event loop
    name : of the thread

    Raises OSError where it cannot listen.
    """
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    port: Future[int] = Future()

    async def run() -> None:
        try:
            listener = await listen()
        except BaseException as error:
            port.set_exception(error)
            return
        port.set_result(listener.sockets[0].getsockname()[1])
        await stop.wait()
        listener.close()
        await _end_tasks()

    def run_thread() -> None:
        try:
            loop.run_until_complete(run())
        finally:
            loop.close()

    thread = threading.Thread(target=run_thread, name=name, daemon=True)
    thread.start()
    try:
        yield port.result()
    finally:
        if not port.exception():
            loop.call_soon_threadsafe(stop.set)
        thread.join()


async def _end_tasks() -> None:
    """Cut the connections that idle clients keep open."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0)  # lets transports close their sockets
