"""``stepscope baseline``."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence

import click


def _folder(function: click.decorators.FC) -> click.decorators.FC:
    decorate = click.option(
        "--baselines", "root", metavar="DIR", help="Where baselines are saved (default: .stepscope/baselines)."
    )
    return decorate(function)


@click.group()
def baseline() -> None:
    """Save, list and remove the baselines that stepscope check compares with."""


@baseline.command()
@click.argument("name")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@_folder
def save(name: str, paths: Sequence[str], root: str | None) -> None:
    """Keep copies of recordings of one program as the baseline NAME.

    There is one for each setup (device, versions, options of the profiler); saving again replaces that of this setup.
    """
    from stepscope.checking.baselines import FOLDER, check_name
    from stepscope.checking.baselines import save as save_baseline
    from stepscope.commands.options import Selection, open_selected
    from stepscope.comparison.compare import check_comparable
    from stepscope.messages.rendering import say

    check_name(name)
    profiles = [open_selected(Selection([path])) for path in paths]
    for profile in profiles:
        check_comparable(profile.ranks[0])
    kept, replaced = save_baseline(root or FOLDER, name, profiles)
    facts = {"replaced": replaced, "count": len(kept.paths), "size_bytes": kept.size_bytes}
    sys.stderr.write(say("gate-saved", name=name, setup=_setup_text(kept.setup), **facts) + "\n")


@baseline.command("list", short_help="List saved baselines.")
@_folder
def list_baselines(root: str | None) -> None:
    """List saved baselines, each setup of a name in a row."""
    from stepscope.checking.baselines import FOLDER, baselines
    from stepscope.messages.quantities import bytes_text
    from stepscope.messages.rendering import say
    from stepscope.reporters.table import TextColumn, render_table

    folder = root or FOLDER
    found = baselines(folder)
    if not found:
        click.echo(say("gate-saved-none", folder=folder))
        return
    columns = [
        TextColumn(say("gate-title-name"), [one.name for one in found], False),
        TextColumn(
            say("gate-title-saved"),
            [time.strftime("%Y-%m-%d %H:%M", time.localtime(one.saved)) for one in found],
            False,
        ),
        TextColumn(say("gate-title-recordings"), [str(len(one.paths)) for one in found], True),
        TextColumn(say("gate-title-size"), [bytes_text(one.size_bytes) for one in found], True),
        TextColumn(say("gate-title-setup"), [_setup_text(one.setup) for one in found], False, True),
    ]
    for line in render_table(columns, 100):
        click.echo(line)


@baseline.command(short_help="Delete a baseline.")
@click.argument("name")
@_folder
def remove(name: str, root: str | None) -> None:
    """Delete the baseline NAME of all setups."""
    from stepscope.checking.baselines import FOLDER
    from stepscope.checking.baselines import remove as remove_baseline
    from stepscope.errors import BadRequest
    from stepscope.messages import Message
    from stepscope.messages.rendering import say

    folder = root or FOLDER
    count = remove_baseline(folder, name)
    if count == 0:
        found = Message("gate-not-there", folder=folder)
        raise BadRequest(Message("gate-no-baseline", name=name), found, Message("gate-list-first"))
    sys.stderr.write(say("gate-removed", name=name, count=count) + "\n")


def _setup_text(setup: Mapping[str, str]) -> str:
    """What is known of a setup, device first."""
    from stepscope.messages.quantities import one_line

    known = [f"{what} {value}" if what != "device" else value for what, value in setup.items() if value]
    return one_line(", ".join(known))
