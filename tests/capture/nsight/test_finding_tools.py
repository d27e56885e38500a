"""What the help of a tool says that it can do, in the layout of either tool."""

from __future__ import annotations

import pytest

from fake_machine import FakeMachine, answering
from stepscope.capture.nsight.tool import NCU, NSYS, Broken, Tool, find
from stepscope.capture.system import Answer

NSYS_HELP = """\
usage: nsys profile [<args>] [application] [<application args>]

\t-b, --backtrace=

\t   Possible values are 'fp', 'lbr' or 'none'. Needs --sample, which is described below.

\t--capture-range-end=

\t   Possible values are 'none', 'stop'.
"""
NCU_HELP = """\
General Options:
  -h [ --help ]                         Print this help message.
  --set arg                             Identifier of a set, see --list-sets.
  -k [ --kernel-name ] arg              Name of kernels.
"""


def machine(name: str, version: str, help_: Answer) -> FakeMachine:
    return FakeMachine(programs={name: lambda argv: help_ if argv[-1] == "--help" else Answer(0, version)})


@pytest.mark.parametrize(
    ("name", "says", "help_", "version", "options"),
    [
        (
            NSYS,
            "NVIDIA Nsight Systems version 2022.4.2.1-df9881f",
            NSYS_HELP,
            (2022, 4, 2),
            {"--backtrace", "--capture-range-end"},
        ),
        (
            NCU,
            "Copyright (c) 2018-2025\nVersion 2025.3.1.0 (build 36398880) (public-release)",
            NCU_HELP,
            (2025, 3, 1),
            {"--help", "--set", "--kernel-name"},
        ),
    ],
)
def test_versions_and_options(name: str, says: str, help_: str, version: tuple[int, ...], options: set[str]) -> None:
    for answer in (Answer(0, help_), Answer(1, "", help_)):
        assert find(name, machine(name, says, answer)) == Tool(name, name, version, frozenset(options))


def test_a_tool_that_shows_no_help_is_taken_for_a_new_one() -> None:
    """Else every window would be refused, and everything left out."""
    tool = find(NSYS, machine(NSYS, "NVIDIA Nsight Systems version 2026.1.1.1", Answer(1, "")))
    assert isinstance(tool, Tool)
    assert tool.has("--capture-range-end")
    assert tool.first_of("--gpu-metrics-devices", "--gpu-metrics-device") == "--gpu-metrics-devices"


def test_one_that_was_named_is_used_or_nothing() -> None:
    there = FakeMachine(programs={"nsys": answering("NVIDIA Nsight Systems version 2025.3.2.474")})
    assert find(NSYS, there, "/nowhere/nsys") == Broken(NSYS, "/nowhere/nsys")
    assert find(NSYS, FakeMachine()) is None


def test_a_newer_one_off_path_is_used_where_that_on_path_does_not_answer() -> None:
    says = "NVIDIA Nsight Systems version {}.1.1-0"
    places = {f"/opt/nvidia/nsight-systems/{one}/bin/nsys": answering(says.format(one)) for one in ("2025.3", "2023.4")}
    found = find(NSYS, FakeMachine(programs={"nsys": answering("", 1), **places}))
    assert isinstance(found, Tool)
    assert (found.path, found.version) == ("/opt/nvidia/nsight-systems/2025.3/bin/nsys", (2025, 3, 1))
