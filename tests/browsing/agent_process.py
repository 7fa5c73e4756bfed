"""`scrapy agent` as a person starts it, and what an extension would ask of it."""

import http.client
import json
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.crawls.crawling import Ended, end, scrapy

ORIGIN = f"chrome-extension://{'a' * 32}"
PATIENCE = 60.0
TOPIC = """
[topic]
keywords = ["solar energy"]
seeds = ["http://a.example/"]
"""
QUICK = ("DOWNLOAD_DELAY=0", "DOWNLOAD_TIMEOUT=10", "REMOTE_CONTROL_ENABLED=0", "FOCUSED_BUSY_SECONDS=5")


@dataclass
class Running:
    """An agent that runs; ``code`` is what the extension is paired with, empty where it was paired before."""

    process: subprocess.Popen[str]
    port: int
    code: str
    token: str
    ended: list[Ended] = field(default_factory=list)

    def ask(self, question: str, origin: str | None = ORIGIN, **said: Any) -> tuple[int, dict[str, Any]]:
        """Status and answer to a question of the extension."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        if origin is not None:
            headers["Origin"] = origin
        return self.send(json.dumps(said).encode(), headers, f"/{question}")

    def send(
        self, body: bytes, headers: dict[str, str], path: str = "/status", method: str = "POST"
    ) -> tuple[int, dict[str, Any]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        finally:
            connection.close()

    def told(self, question: str, **said: Any) -> dict[str, Any]:
        """An answer that is no refusal."""
        status, told = self.ask(question, **said)
        assert status == 200, told
        return told

    def read(self, url: str, html: str, seconds: float = 30.0) -> None:
        """Read a page for a while."""
        self.told("reading", url=url, html=html)
        self.told("spent", url=url, seconds=seconds)

    def rests(self) -> dict[str, Any]:
        """Its state once nothing ahead waits any more."""
        deadline = monotonic() + PATIENCE
        while (status := self.told("status"))["waiting"]:
            assert monotonic() < deadline, status
            sleep(0.05)
        return status

    def stop(self) -> Ended:
        """End it as a person does, with Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return end(self.process)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


@contextmanager
def running(
    folder: Path, *options: str, web: int = 0, settings: tuple[str, ...] = QUICK, topic: str = TOPIC, token: str = ""
) -> Iterator[Running]:
    """An agent of the topic ``test`` in this folder; pages come by the proxy at the port ``web``."""
    topics, port = folder / "topics", free_port()
    topics.mkdir(exist_ok=True)
    if not (topics / "test.toml").exists():
        (topics / "test.toml").write_text(topic)
    given = (word for one in (*settings, f"FOCUSED_TOPICS_DIR={topics}") for word in ("-s", one))
    process = scrapy("agent", *given, "--port", str(port), *options, "test", port=web, folder=folder / "data")
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"(\d+)\.([\w-]{16,})", line)
        if found:
            process.stdout.readline()
        assert line, end(process).log
        yield Running(process, port, found[0] if found else "", found[2] if found else token)
    finally:
        if process.poll() is None:
            process.kill()
            end(process)
