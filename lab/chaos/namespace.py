"""A network of its own (Linux): public and private addresses on the loopback device, a name server of ours, no way out.

A crawl there needs no proxy: it looks names up and connects by itself, so what it connects to can be seen. `run_inside` starts
`lab.chaos.inside` in new namespaces; that program sets the network up and runs the scenario.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from lab.chaos.access_log import Entry
from lab.chaos.checker import Finding
from lab.chaos.name_server import Answers, answering
from lab.chaos.outcome import Outcome

PUBLIC, OTHER = "93.184.215.14", "93.184.215.15"  #: of our servers there
PRIVATE = ("10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "198.18.0.1", "fd00::1", "fec0::1")
UNSHARE = ("unshare", "--map-root-user", "--net", "--mount")
RESULT = "outcome.json"


@cache
def can_be_made() -> bool:
    """Whether this machine lets us make namespaces and change addresses there."""
    try:
        tried = subprocess.run(
            [*UNSHARE, "sh", "-c", "ip link set lo up && mount --bind /dev/null /etc/resolv.conf"], capture_output=True
        )
    except OSError:
        return False
    return tried.returncode == 0


def run_inside(name: str, folder: Path) -> Outcome:
    """Run a registered scenario in a network of its own."""
    command = [*UNSHARE, sys.executable, "-m", "lab.chaos.inside", name, str(folder.resolve())]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2])
    values = json.loads((folder / RESULT).read_text())
    values["asked"] = [Entry(**entry) for entry in values["asked"]]
    values["findings"] = [Finding(**finding) for finding in values["findings"]]
    values["good"] = frozenset(values["good"])
    return Outcome(**values)


def prepare(names: Mapping[str, Answers], stack: ExitStack) -> None:
    """Set up the network of the namespace that we are in, until the stack is closed. Raises RuntimeError in any but a new one."""
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        raise RuntimeError("not in a network of our own: nothing is changed")
    for command in ("link set lo up", *(f"addr add {address} dev lo" for address in (PUBLIC, OTHER, *PRIVATE))):
        subprocess.run(["ip", *command.split()], check=True)
    file = Path(stack.enter_context(tempfile.TemporaryDirectory()), "resolv.conf")
    file.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    subprocess.run(["mount", "--bind", file, "/etc/resolv.conf"], check=True)
    stack.callback(subprocess.run, ["umount", "/etc/resolv.conf"])
    stack.enter_context(answering(names, ("127.0.0.1", 53)))
