"""Ask a running server for what a page shows: ``python served.py WHAT PATH``, parts as JSON like `workloads`.

``table``: the largest table of a trace, warm, over a socket; beside it the same rows as JSON by Python's own means.
``runs``: the list of a folder of traces, looked through again; beside it `os.walk` with a `stat` of every file.
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from workloads import Stopwatch

_TIMES = 5
_BETWEEN_LOOKS_SECONDS = 2.1


@contextmanager
def _server(path: str) -> Iterator[http.client.HTTPConnection]:
    """A connection to a server of this process."""
    from stepscope.server.serving import make_server, served

    server = make_server(served(path), "127.0.0.1", 0, with_token=False)
    threading.Thread(target=server.run, daemon=True).start()
    yield http.client.HTTPConnection("127.0.0.1", server.listener.getsockname()[1])


def _get(connection: http.client.HTTPConnection, path: str, **parameters: str) -> bytes:
    connection.request("GET", f"/api/{path}?{urlencode(parameters)}", headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{path}: status {answer.status}")
    return body


def table(path: str) -> None:
    """``served``: the table; ``json``: its rows as Python objects, dumped."""
    from stepscope.analyses import make_table
    from stepscope.store.opening import open_profile

    name = "memory_events"
    asked = {"run": os.path.basename(path), "table": name}
    open_profile(path)
    watch = Stopwatch()
    with _server(path) as connection:
        while b'"reading"' in _get(connection, "run", run=asked["run"]):
            time.sleep(0.1)
        _get(connection, "table", **asked)
        for _ in range(_TIMES):
            with watch("served"):
                _get(connection, "table", **asked)
    frame = make_table(open_profile(path), name).head(300_000)
    for _ in range(_TIMES):
        with watch("json"):
            json.dumps({"rows": frame.to_dicts()}).encode()
    print(json.dumps(watch.seconds))


def runs(folder: str) -> None:
    """``served``: the list; ``walk``: every file's size and time, by the standard library."""
    watch = Stopwatch()
    with _server(folder) as connection:
        _get(connection, "runs")
        for _ in range(_TIMES):
            time.sleep(_BETWEEN_LOOKS_SECONDS)
            with watch("served"):
                _get(connection, "runs")
    for _ in range(_TIMES):
        with watch("walk"):
            for place, _, names in os.walk(folder):
                for name in names:
                    os.stat(os.path.join(place, name))
    print(json.dumps(watch.seconds))


if __name__ == "__main__":
    {"table": table, "runs": runs}[sys.argv[1]](sys.argv[2])
