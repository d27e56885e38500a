"""A profiler around each rank of a job instead of around the launcher of its ranks.

Around ``torchrun`` a profiler sees its workers as children that the elastic agent may kill before they have written
anything; around each rank it is the worker itself. So ``torchrun OPTIONS train.py`` becomes
``torchrun OPTIONS --no-python PROFILER python train.py``.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stepscope.capture.agent.identity import RANKS, number_in

_TORCHRUN = "torchrun"
_MODULE = "torch.distributed.run"
"""Not ``torch.distributed.launch``: it adds arguments to those of the script, and takes no other program."""
REMOTE = ("srun", "mpirun", "mpiexec")
"""Launchers of ranks that are no children of theirs: a profiler around one sees none of them."""
_PYTHON = re.compile(r"python(\d+(\.\d+)?)?")
_ALONE = {
    "--standalone",
    "--no-python",
    "--run-path",
    "--virtual-local-rank",
    "-h",
    "--help",
}
"""Options of torchrun that take no value; with _ for - as well. ``-m`` is one, too, and says what the script is."""


@dataclass(frozen=True)
class Torchrun:
    """A command line of torchrun, taken apart.

    Attributes:
        launcher: torchrun and its options.
        program: what each rank runs, as it would be called without torchrun.
    """

    launcher: tuple[str, ...]
    program: tuple[str, ...]


def torchrun(command: Sequence[str]) -> Torchrun | None:
    """The command taken apart; None where it is no torchrun, or names no script."""
    begin = _options_begin(command)
    if begin is None:
        return None
    is_module, has_python = False, True
    kept: list[str] = []
    place = begin
    while place < len(command) and command[place].startswith("-"):
        option = command[place].replace("_", "-") if command[place].startswith("--") else command[place]
        place += 1
        if option in ("-m", "--module"):
            is_module = True
        elif option == "--no-python":
            has_python = False
        else:
            kept.append(command[place - 1])
            if "=" not in option and option not in _ALONE and place < len(command):
                kept.append(command[place])
                place += 1
    script = list(command[place:])
    if not script or "--run-path" in kept or "--run_path" in kept:
        return None
    python = [_python_of(command), "-u"] if has_python else []
    return Torchrun((*command[:begin], *kept), (*python, *(["-m"] if is_module else []), *script))


def _options_begin(command: Sequence[str]) -> int | None:
    name = os.path.basename(command[0])
    if name == _TORCHRUN:
        return 1
    if _PYTHON.fullmatch(name) and len(command) > 2 and command[1] == "-m" and command[2] == _MODULE:
        return 3
    return None


def _python_of(command: Sequence[str]) -> str:
    """The interpreter that torchrun would start its script with: its own."""
    if os.path.basename(command[0]) != _TORCHRUN:
        return command[0]
    folder = os.path.dirname(command[0])
    return os.path.join(folder, "python") if folder else "python"


def around_each(job: Torchrun, profiler: Sequence[str], ranks: Sequence[int], first_only: Sequence[str]) -> list[str]:
    """torchrun with a profiler around each of its ranks.

    Args:
        profiler: command line of the profiler, up to where the program begins.
        ranks: of these alone; of all where there are none.
        first_only: options of the profiler for one rank of a machine.
    """
    head = [*job.launcher, "--no-python"]
    if not ranks and not first_only:
        return [*head, *profiler, *job.program]
    script = f'exec {shlex.join(profiler)} "$@"'
    if first_only:
        script = f'[ "$LOCAL_RANK" = 0 ] && set -- {shlex.join(first_only)} "$@"; {script}'
    if ranks:
        script = f'case "$RANK" in {"|".join(map(str, ranks))}) {script};; esac; exec "$@"'
    return [*head, "sh", "-c", script, "sh", *job.program]


def own_rank(environment: Mapping[str, str]) -> int | None:
    """The rank of this process, as its launcher says."""
    return number_in(environment, RANKS)
