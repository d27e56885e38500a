"""What Polars' allocator is asked to keep, by an environment variable."""

from __future__ import annotations

import os

import pytest

from stepscope.store.freed_memory import reuse_freed, set_for_polars

NAME = "_RJEM_MALLOC_CONF"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, "muzzy_decay_ms:0,narenas:2,dirty_decay_ms:1000"),
        ("narenas:9", "narenas:9,dirty_decay_ms:1000"),
        ("dirty_decay_ms:0", "dirty_decay_ms:0"),
    ],
)
def test_what_the_user_chose_stays_and_nothing_is_asked_twice(
    monkeypatch: pytest.MonkeyPatch, given: str | None, expected: str
) -> None:
    """A process may run several commands."""
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setenv(NAME, given or "")
    if given is None:
        monkeypatch.delenv(NAME)
    for _ in range(2):
        set_for_polars()
        reuse_freed()
    assert os.environ[NAME] == expected
