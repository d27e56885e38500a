"""``stepscope serve``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from stepscope.commands.ending import end_now
from stepscope.commands.options import cluster_options

if TYPE_CHECKING:
    from stepscope.server.guard import Access


@click.command()
@click.argument("path", default=".", metavar="[PATH]")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port; 0 for any free one."
)
@click.option("--no-token", is_flag=True, help="Ask for no token; other users of this machine may ask, too.")
@cluster_options
@click.option("--no-read-ahead", is_flag=True, help="Read no run before it is opened.")
@click.option("--browser", is_flag=True, help="Open the page in a browser.")
def serve(path: str, host: str, port: int, no_token: bool, cluster: str, no_read_ahead: bool, browser: bool) -> None:
    """Show every run found below a folder (default: the current one) in a local web app; of a file, that run.

    Nothing leaves this machine. The printed address holds a token, which every request needs.
    """
    from stepscope.server.serving import make_server, served

    server = make_server(served(path), host, port, not no_token, cluster, not no_read_ahead)
    sys.stdout.write(f"stepscope serves {path} at {server.url} (Ctrl-C ends it)\n")
    sys.stdout.flush()
    for line in _warnings(server.access):
        sys.stderr.write(f"stepscope: {line}\n")
    if browser:
        import webbrowser

        webbrowser.open(server.once)
    try:
        server.run()
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    end_now(0)  # without waiting, perhaps half a minute, for tables that are still being computed


def _warnings(access: Access) -> Iterator[str]:
    """What whoever starts a server should know, a line each."""
    from stepscope.store.cache import cache_root, is_writable

    if not access.loopback:
        tunnel = f"ssh -L {access.port}:127.0.0.1:{access.port} HOST"
        yield f"the link is not encrypted, its token can be read on the way; a safer one: {tunnel} (without --host)"
    if not is_writable():
        yield f"nothing is kept, the cache folder {cache_root()} cannot be written; name another: STEPSCOPE_CACHE"
