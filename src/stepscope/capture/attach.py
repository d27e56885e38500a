"""``stepscope attach PID``: have a job that runs record itself, by the way that it was started for."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stepscope.capture import dynolog
from stepscope.capture.agents import Agent, agents_below, environment_of, family, is_running

AGENT, KINETO, SAMPLER = "agent", "kineto", "sampler"
_TRACE = ".pt.trace.json.gz"
_POLL_SECONDS = 0.2
_KINETO_ANSWERS_S = 20.0
"""It polls every five seconds."""
_SETTLED_S = 1.0


@dataclass(frozen=True)
class Attached:
    """What came of it.

    Attributes:
        way: `AGENT`, `KINETO` or `SAMPLER`; "" where there is none.
        folder: of the files.
        pids: processes that were asked.
        files: names of what they wrote.
    """

    way: str
    folder: str
    pids: tuple[int, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wish:
    """What to record, where the agent has not been told already.

    Attributes:
        out: folder of the files.
        steps: so many; Kineto counts steps of optimizers.
        records: of `plan.RECORDS`.
        timeout_s: to wait for files at most.
        sample_s: so long a sampler samples.
    """

    out: str
    steps: int
    records: Sequence[str]
    timeout_s: float
    sample_s: int


def attach(pid: int, wish: Wish, asked: Callable[[str, int], None]) -> Attached:
    """Record a running process and those that it started.

    Args:
        asked: called with the way and the number of processes, before the wait.

    Raises:
        OSError: a file cannot be written, or another daemon answers Kineto already.
    """
    agents = agents_below(pid)
    if agents:
        return _by_agents(agents, wish, asked)
    polling = [one for one in family(pid) if dynolog.is_polling(environment_of(one))]
    if polling:
        return _by_kineto(polling, wish, asked)
    if shutil.which("py-spy") is not None:
        return _by_sampler(pid, wish, asked)
    return Attached("", wish.out)


def sampler_command(pid: int, out: str, seconds: int) -> list[str]:
    """py-spy: stacks of Python, at intervals; no operators and no GPU."""
    file = os.path.join(out, f"{pid}.pyspy.json")
    return ["py-spy", "record", "--pid", str(pid), "--duration", str(seconds), "--format", "chrometrace", "-o", file]


def _by_agents(agents: Sequence[Agent], wish: Wish, asked: Callable[[str, int], None]) -> Attached:
    folder = agents[0].out
    before = _traces(folder)
    for agent in agents:
        agent.ask()
    asked(AGENT, len(agents))
    pids = tuple(agent.pid for agent in agents)

    def fresh(pid: int) -> set[str]:
        return {name for name in _traces(folder) - before if f"_{pid}." in name or f"_{pid}_" in name}

    _wait(pids, lambda pid: bool(fresh(pid)), wish.timeout_s)
    return Attached(AGENT, folder, pids, tuple(sorted(_traces(folder) - before)))


def _by_kineto(pids: Sequence[int], wish: Wish, asked: Callable[[str, int], None]) -> Attached:
    os.makedirs(wish.out, exist_ok=True)
    log_file = os.path.join(wish.out, f"kineto.{time.time_ns()}.json")
    request = dynolog.config(log_file, wish.steps, wish.records)
    asked(KINETO, len(pids))
    with dynolog.Daemon(environment_of(pids[0])) as daemon:
        taken = daemon.hand_out(request, set(pids), min(_KINETO_ANSWERS_S, wish.timeout_s))
    files = {pid: dynolog.written_name(log_file, pid) for pid in sorted(taken)}
    _wait(tuple(files), lambda pid: _is_settled(files[pid]), wish.timeout_s)
    written = [os.path.basename(file) for file in files.values() if os.path.exists(file)]
    return Attached(KINETO, wish.out, tuple(files), tuple(written))


def _by_sampler(pid: int, wish: Wish, asked: Callable[[str, int], None]) -> Attached:
    os.makedirs(wish.out, exist_ok=True)
    asked(SAMPLER, 1)
    command = sampler_command(pid, wish.out, wish.sample_s)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    files = () if done.returncode else (os.path.basename(command[-1]),)
    return Attached(SAMPLER, wish.out, (pid,), files)


def _traces(folder: str) -> set[str]:
    return {name for name in os.listdir(folder) if name.endswith(_TRACE)}


def _is_settled(path: str) -> bool:
    """Whether a file is there and no longer grows: Kineto writes it under its final name."""
    try:
        status = Path(path).stat()
    except OSError:
        return False
    return status.st_size > 0 and time.time() - status.st_mtime > _SETTLED_S


def _wait(pids: Sequence[int], is_there: Callable[[int], bool], seconds: float) -> None:
    """Until each process has its file or has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not all(is_there(pid) or not is_running(pid) for pid in pids):
        time.sleep(_POLL_SECONDS)
