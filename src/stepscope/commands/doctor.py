"""``stepscope doctor``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from stepscope.answers.machine_checks import commands_of, fix_of, said
from stepscope.capture.doctor.examination import examine
from stepscope.capture.doctor.state import FAILED, NOT_APPLICABLE, OK, PURPOSES, RECORD, WARNING, State, Wanted
from stepscope.capture.system import ThisMachine

_STYLES = {OK: "", NOT_APPLICABLE: "dim", WARNING: "warning", FAILED: "error"}
_NAME_WIDTH = 13


@click.command()
@click.option(
    "--for",
    "purposes",
    type=click.Choice(PURPOSES),
    multiple=True,
    help="What is to work; may be given several times (default: record, and all checks are shown).",
)
@click.option("--python", metavar="PATH", help="Interpreter of the job (default: python on PATH).")
@click.option("--out", metavar="DIR", default=".", help="Where recordings are to go (default: here).")
@click.option("--nsys", metavar="PATH", help="The nsys to use (default: that on PATH, else the newest found).")
@click.option("--ncu", metavar="PATH", help="The ncu to use (default: that on PATH, else the newest found).")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def doctor(
    purposes: Sequence[str], python: str | None, out: str, nsys: str | None, ncu: str | None, as_json: bool
) -> None:
    """Check what recording needs on this machine, and say how to fix what is missing.

    Driver, PyTorch, CUPTI, counters, nsys and ncu, NVTX, DCGM, clocks, rights, disk.

    Exit code 1 where something that is asked for will not work.
    """
    wanted = Wanted(python, os.path.abspath(out), nsys, ncu)
    states = list(examine(ThisMachine(), wanted, purposes))
    asked = purposes or (RECORD,)
    fails = any(state.status == FAILED for state in states)
    if as_json:
        _write_json(states, asked, fails)
    else:
        _write_text(states, asked, fails)
    sys.exit(1 if fails else 0)


def _write_json(states: Sequence[State], asked: Sequence[str], fails: bool) -> None:
    import json

    from stepscope.messages.rendering import render

    checks = []
    for state in states:
        fix = fix_of(state)
        checks.append(
            {
                "check": state.check,
                "status": state.status,
                "code": state.code,
                "text": render(said(state)),
                "fix": None if fix is None else render(fix),
                "commands": list(commands_of(state)),
                "facts": dict(state.facts),
            }
        )
    written = {"schema_version": 1, "for": list(asked), "works": not fails, "checks": checks}
    click.echo(json.dumps(written, indent=2, ensure_ascii=False))


def _write_text(states: Sequence[State], asked: Sequence[str], fails: bool) -> None:
    from stepscope.messages.rendering import say
    from stepscope.reporters.console import output_width, print_lines
    from stepscope.reporters.sections.text_lines import Line

    width = output_width(sys.stdout)
    end = say("doctor-does-not-work", purposes=list(asked)) if fails else say("doctor-works")
    lines = [line for state in states for line in _lines(state, width)]
    print_lines([*lines, Line(""), Line(end, "error" if fails else "strong")])


def _lines(state: State, width: int) -> Iterator[Any]:
    """A check: status, name, what was found, and below it the fix."""
    from stepscope.messages.rendering import render, say
    from stepscope.reporters.display_width import left, width_of, wrapped
    from stepscope.reporters.sections.text_lines import Line

    words = {status: _status_word(status) for status in _STYLES}
    first = max(map(width_of, words.values())) + 2
    margin = " " * (first + _NAME_WIDTH)
    head = left(words[state.status], first) + left(state.check, _NAME_WIDTH)
    for place, line in enumerate(wrapped(render(said(state)), width, margin)):
        yield Line(head + line[len(margin) :] if place == 0 else line, _STYLES[state.status])
    fix = fix_of(state)
    if fix is not None:
        yield from (Line(line) for line in wrapped(say("doctor-fix", fix=fix), width, margin))
        yield from (Line(f"{margin}    {command}") for command in commands_of(state))


def _status_word(status: str) -> str:
    from stepscope.messages.rendering import say

    words = {
        OK: say("doctor-status-ok"),
        WARNING: say("doctor-status-warning"),
        FAILED: say("doctor-status-failed"),
        NOT_APPLICABLE: say("doctor-status-not-applicable"),
    }
    return words[status]
