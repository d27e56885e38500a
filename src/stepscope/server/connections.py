"""Connections that do not get on: closed, so that those who only hold them leave room for others.

uvicorn waits for ever for the first request of a connection, and for a client to take its answer. A program may have no
more than 256 files open on some systems, so a few hundred idle connections kept everybody else out.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 128
"""Connections at a time; a browser has six."""

BACKLOG = 64
"""Connections taken at once: only then those that are too many are closed."""

PATIENCE_S = 20.0
"""Time in which a request has to be whole, and in which some of an answer has to be taken."""


class Connection(H11Protocol):
    """A connection that is closed where a request does not come, or an answer is not taken.

    Where there are too many, the one that has waited longest for a request makes room for a new one.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._unsent = 0
        self._quiet_since: float | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._wait_for_request()
        self._make_room()

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._quiet_since = None

    def on_response_complete(self) -> None:
        # What comes behind it may be here already, and is begun by this call.
        self._wait_for_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look_later()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._clock is not None:
            self._clock.cancel()
        super().connection_lost(exc)

    def _wait_for_request(self) -> None:
        self._quiet_since = self.loop.time()
        self._look_later()

    def _look_later(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        self._unsent = self.transport.get_write_buffer_size()
        self._clock = self.loop.call_later(PATIENCE_S, self._look)

    def _look(self) -> None:
        """Close it where nothing came of it since the last look; neither while an answer is being computed."""
        unsent = self.transport.get_write_buffer_size()
        if (unsent and unsent == self._unsent) or (not unsent and self._quiet_since is not None):
            self.transport.abort()
        elif unsent:
            self._look_later()

    def _make_room(self) -> None:
        # One that was closed is known until the event loop comes round to it.
        known: list[Any] = [one for one in self.connections if not one.transport.is_closing()]
        if len(known) > MOST:
            quiet = [one for one in known if one._quiet_since is not None]
            min(quiet, key=lambda one: one._quiet_since).transport.abort()
