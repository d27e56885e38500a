"""The addresses of what was kept of earlier commands: the history of checks, and the ledger of predictions."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from stepscope.answers.results import (
    baseline_document,
    check_commands,
    history_document,
    ledger_document,
    prove_command,
)
from stepscope.checking import history
from stepscope.checking.baselines import FOLDER, Baseline, baselines
from stepscope.proving.ledger import Entry, read_ledger
from stepscope.readers.sources import is_below
from stepscope.server.handlers import parameters, runs_of
from stepscope.server.responses import in_thread
from stepscope.server.result_files import (
    HISTORY,
    LEDGER,
    Kind,
    Links,
    ResultFile,
    chosen_file,
    result_files,
    usual_path,
)
from stepscope.server.runs import Runs


async def _history(request: Request) -> Response:
    """One figure of a history, run by run; without a history what begins one."""
    given = parameters(request)
    name, figure = given.text("file"), given.text("figure")
    return await in_thread(request, lambda: history_answer(runs_of(request), name, figure))


def history_answer(runs: Runs, name: str, figure: str) -> dict[str, Any]:
    """A history of the folder served.

    Raises:
        NotFound: there is no file of this name.
        BadRequest: it is too large, or cannot be read.
    """
    files = _files(runs, HISTORY)
    answer = _head(runs, files) | {
        "commands": check_commands(usual_path(runs.root, HISTORY)),
        "baselines": list(map(baseline_document, _kept(runs))),
    }
    if not files and not name:
        return answer | {"file": None, "history": None}
    file = chosen_file(files, name, HISTORY)
    entries, broken = _entries(file)
    linked = Links(runs.root, runs.listing().runs)
    return answer | {"file": file.name, "broken": broken, "history": history_document(entries, figure, linked)}


async def _ledger(request: Request) -> Response:
    """Predictions that were tested; without any what begins a ledger."""
    name = parameters(request).text("file")
    return await in_thread(request, lambda: ledger_answer(runs_of(request), name))


def ledger_answer(runs: Runs, name: str) -> dict[str, Any]:
    """A ledger of the folder served.

    Raises:
        NotFound: there is no file of this name.
        BadRequest: it is too large, or cannot be read.
    """
    files = _files(runs, LEDGER)
    answer = _head(runs, files) | {"commands": [prove_command(usual_path(runs.root, LEDGER))]}
    if not files and not name:
        return answer | {"file": None, "ledger": None}
    file = chosen_file(files, name, LEDGER)
    entries, broken = _predictions(file)
    linked = Links(runs.root, runs.listing().runs)
    return answer | {"file": file.name, "broken": broken, "ledger": ledger_document(entries, linked)}


def _head(runs: Runs, files: list[ResultFile]) -> dict[str, Any]:
    return {"single": runs.only is not None, "files": [one.name for one in files], "broken": 0}


def _files(runs: Runs, kind: Kind) -> list[ResultFile]:
    """None where one file alone is served: what lies beside it was not meant to be shown."""
    return result_files(runs.root, kind) if runs.only is None else []


def _kept(runs: Runs) -> list[Baseline]:
    folder = os.path.join(runs.root, FOLDER)
    if runs.only is not None or not is_below(folder, runs.root):
        return []
    return [one for one in baselines(folder) if is_below(str(one.folder), runs.root)]


@lru_cache(maxsize=4)
def _entries(file: ResultFile) -> tuple[list[dict[str, Any]], int]:
    """What a file holds, read once for each of its versions."""
    return history.read(file.path)


@lru_cache(maxsize=4)
def _predictions(file: ResultFile) -> tuple[list[Entry], int]:
    return read_ledger(file.path)


routes = [Route("/api/history", _history), Route("/api/ledger", _ledger)]
"""Addresses and their handlers."""
