"""``stepscope cache``."""

from __future__ import annotations

import sys
import time

import click


@click.group()
def cache() -> None:
    """List or clear the traces that were read before."""


@cache.command("list")
def list_entries() -> None:
    """List stored traces, most recently used first."""
    from stepscope.messages.quantities import bytes_text, one_line
    from stepscope.reporters.table import TextColumn, render_table
    from stepscope.store.cache import cache_limit, cache_root, entries

    found = entries()
    if not found:
        click.echo(f"no stored traces in {cache_root()}")
        return
    columns = [
        TextColumn("size", [bytes_text(entry.size_bytes) for entry in found], True),
        TextColumn("last used", [time.strftime("%Y-%m-%d %H:%M", time.localtime(e.used)) for e in found], False),
        TextColumn("trace", [one_line(entry.source) for entry in found], False, True),
    ]
    for line in render_table(columns, 100):
        click.echo(line)
    total = sum(entry.size_bytes for entry in found)
    click.echo(f"{len(found)} traces, {bytes_text(total)} of at most {bytes_text(cache_limit())}, in {cache_root()}")


@cache.command(short_help="Delete all stored traces.")
def clear() -> None:
    """Delete all stored traces; the traces themselves are not touched."""
    from stepscope.messages.quantities import bytes_text
    from stepscope.store.cache import clear as clear_cache

    count, size = clear_cache()
    sys.stdout.write(f"deleted {count} stored traces, {bytes_text(size)}\n")
