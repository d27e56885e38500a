"""What tests of the server ask it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx
from starlette.types import ASGIApp

ADDRESS = "http://127.0.0.1:8080"

PAUSE_S = 0.01
"""Between two requests of those who wait: without it they take the time from the thread that they wait for."""


class Client:
    """Asks a server without a socket; requests name its address unless their headers say otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def request(self, method: str, url: str, **options: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=ADDRESS) as client:
                return await client.request(method, url, **options)

        return asyncio.run(ask())

    def get(self, url: str, **options: Any) -> httpx.Response:
        return self.request("GET", url, **options)


def get(client: Client, path: str, status: int = 200, **parameters: Any) -> Any:
    """The JSON of an address; asked again while the run is still being read."""
    deadline = time.monotonic() + 60
    while (answer := client.get(f"/api/{path}", params=parameters)).status_code == 409 != status:
        assert time.monotonic() < deadline, answer.text
        time.sleep(PAUSE_S)
    assert answer.status_code == status, answer.text
    return answer.json()


def until(happened: Callable[[], bool]) -> None:
    """Ask again and again until something has happened, a minute at most."""
    deadline = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(PAUSE_S)


def opened(client: Client, run: str) -> dict[str, Any]:
    """What `/api/run` says of a run once it is read, or cannot be."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        answer: dict[str, Any] = get(client, "run", run=run)
        if answer["state"] != "reading":
            return answer
        time.sleep(PAUSE_S)
    raise AssertionError(f"{run} is still being read")


def ids(client: Client) -> list[str]:
    """The runs that are listed, by name."""
    return sorted(run["id"] for run in get(client, "runs")["runs"])


def error(client: Client, path: str, status: int, **parameters: Any) -> str:
    """What was found, of a request that is refused; the other two parts are there as well."""
    found: dict[str, Any] = get(client, path, status, **parameters)["error"]
    messages = found.pop("messages")
    assert set(found) == {"tried", "found", "advice"}
    assert all(found.values())
    assert {name: one["text"]["en"] for name, one in messages.items()} == found
    assert all(one["text"]["zh"] for one in messages.values())
    return str(found["found"])


def notes(answer: dict[str, Any]) -> list[str]:
    """The notes of an answer in English."""
    return [note["text"]["en"] for note in answer["notes"]]
