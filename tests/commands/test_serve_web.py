"""`scrapy serve-web`: found by its name, serves around a command, forwards signals, tells mistakes in one line."""

import importlib
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from scrapy.cmdline import _get_commands_from_module
from scrapy.exceptions import UsageError

from focused.explain.command import FocusedCommand
from tests.commands.running import refusal, run_command

MODULE = "focused.simulation.commands.serve-web"
SCRAPY = (sys.executable, "-m", "scrapy", "serve-web")
# What the command to run does: asks for a page of the demo web the way any client honouring the environment does.
FETCH = "import urllib.request as r; print(r.urlopen('http://{}/').status)"


def command() -> FocusedCommand:
    made: FocusedCommand = importlib.import_module(MODULE).Command()
    return made


def serve(*argv: str) -> int:
    return run_command(command(), *argv)


def test_scrapy_finds_it_by_its_name() -> None:
    assert command().name in _get_commands_from_module("focused.commands", inproject=True)


def test_a_command_fetches_the_recorded_web_whatever_the_proxy_settings_of_the_caller_are(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert serve("demo", "--", sys.executable, "-c", FETCH.format("sunpower.example")) == 0
    assert capfd.readouterr().out == "200\n"


def test_the_command_keeps_its_own_options_and_dashes(capfd: pytest.CaptureFixture[str]) -> None:
    show = "import sys; print(sys.argv[1:])"
    argv = ["--port", "1", "-s", "A=B", "--", "--log", "x"]
    assert serve("demo", "--", sys.executable, "-c", show, *argv) == 0
    assert capfd.readouterr().out == f"{argv}\n"


def test_scripts_beside_this_python_are_found_first(capfd: pytest.CaptureFixture[str]) -> None:
    show = "import os; print(os.environ['PATH'].split(os.pathsep)[0])"
    assert serve("demo", "--", sys.executable, "-c", show) == 0
    assert capfd.readouterr().out == f"{Path(sys.executable).parent}\n"


@pytest.mark.parametrize(
    ("program", "code"), [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 128 + 9)]
)
def test_the_exit_code_is_that_of_the_command(program: str, code: int) -> None:
    assert serve("demo", "--", sys.executable, "-c", program) == code


def test_requests_are_logged(tmp_path: Path) -> None:
    log = tmp_path / "access.log"
    serve("demo", "--log", str(log), "--latency", "1", "--", sys.executable, "-c", FETCH.format("kickoff.example"))
    assert log.read_text().split()[1:4] == ["GET", "http://kickoff.example/", "200"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "which web? Give 'demo'"),
        (("demo", "ls"), "a command to run goes after --"),
        (("demo", "--port", "65536"), "--port 65536: a port is a number from 0 to 65535"),
        (("demo", "--latency", "-1"), "--latency -1: give milliseconds"),
        (("demo", "--latency", "nan"), "--latency nan: give milliseconds"),
        (("demo", "--", "no-such-program"), "no-such-program: cannot be run: No such file or directory"),
    ],
)
def test_a_mistake_is_one_clear_line(argv: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(serve(*argv), capsys)
    assert said.startswith("scrapy serve-web: ")
    assert message in said


@pytest.mark.parametrize(
    ("argv", "message"),
    [(("demo", "--prot", "1"), "--prot: unknown option"), (("demo", "--"), "a command is missing after --")],
)
def test_wrong_usage_is_refused(argv: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        serve(*argv)


def test_serving_alone_ends_with_ctrl_c_and_exit_code_0() -> None:
    with subprocess.Popen([*SCRAPY, "demo", "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        said = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        said.append(process.stdout.read())
    assert process.returncode == 0
    assert "URLs on 12 hosts at http://127.0.0.1:" in said[0]
    assert "http_proxy=http://127.0.0.1:" in said[2]
    assert said[3] == "0 requests answered.\n"


def test_a_signal_is_forwarded_and_the_command_ends_in_its_own_way() -> None:
    graceful = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, lambda *_: print('asked to end', flush=True) or sys.exit(5))\n"
        "print('ready', flush=True)\n"
        "signal.pause()"
    )
    argv = [*SCRAPY, "demo", "--", sys.executable, "-c", graceful]
    with subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "asked to end\n"
    assert process.returncode == 5
