"""What is done beside the reading of a trace, which mostly takes longer."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from contextvars import copy_context
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stepscope.store.profile import Profile, Rank

_LONGEST_IMPORT_SECONDS = 5.0


def preloading(*modules: str) -> Callable[[], None]:
    """A function that begins to load the analyses and some modules on a thread, however often it is called.

    Words are loaded, too, and what names the results that are kept. Where what was kept of a trace read before needs
    nothing of them, it is to be `ReadOptions.began`.
    """

    def load() -> None:
        with suppress(Exception):  # reported where it is needed
            from stepscope.analyses import load_analyses

            load_analyses()
            from stepscope.numeric.compiling import load_kept

            load_kept()
            for module in modules:
                import_module(module)
            from stepscope.messages.rendering import prepare
            from stepscope.store.result_cache import code_version

            prepare()
            code_version()

    @cache
    def begin() -> None:
        # In the context of who waits for it: that has the language in it.
        thread = threading.Thread(target=partial(copy_context().run, load), daemon=True)
        thread.start()
        # What imports compiled code while Python shuts down may abort the process. Not without end: after an interrupt
        # in the middle of an import the thread may wait for the lock of all imports for ever.
        atexit.register(thread.join, _LONGEST_IMPORT_SECONDS)

    return begin


def opened_in_turn(openings: Sequence[Callable[[], Profile]], number: int | None = None) -> list[Profile]:
    """Recordings opened one after another; what a comparison asks of each alone is computed while the next one is read.

    Not of the last one: the comparison itself has two threads for it.

    Args:
        number: the rank that is compared; without one, jobs of several are left to the comparison, which chooses.
    """
    from stepscope.findings.two_threads import TwoThreads

    opened: list[Profile] = []
    with TwoThreads() as threads:
        for opening in openings:
            ranks = [rank for rank in opened[-1].ranks if number in (None, rank.number)] if opened else []
            if len(ranks) == 1:
                threads.begin(partial(_examine, ranks[0]))
            opened.append(opening())
    return opened


def _examine(rank: Rank) -> None:
    from stepscope.comparison.compare import examine_alone

    examine_alone(rank)
