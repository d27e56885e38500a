"""What a recording says about itself beside its events (see docs/tables/).

Only facts that the reader's allow-list let into the store appear: versions, recording options, devices and process
groups. Nothing of the recording machine's environment is among them.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from stepscope.messages import Message
from stepscope.schema import TABLES
from stepscope.store.profile import Profile

_MOST_RANGES = 20
"""A list of ranks with more gaps than that is cut."""


def metadata(profile: Profile) -> pl.DataFrame:
    """Columns of `schema.TABLES` ``metadata``; facts of all ranks first, in the order of the file."""
    facts: dict[str, dict[int, str]] = {}
    for rank in profile.ranks:
        for key, value in _facts(rank.trace.head, ""):
            facts.setdefault(key, {})[rank.number] = value
    rows: list[tuple[int | None, str, str]] = []
    for key, values in facts.items():
        if len(values) == len(profile.ranks) and len(set(values.values())) == 1:
            rows.append((None, key, next(iter(values.values()))))
        else:
            rows.extend((number, key, value) for number, value in values.items())
    return pl.DataFrame(rows, schema=TABLES["metadata"].schema, orient="row")


def notes(profile: Profile, frame: pl.DataFrame) -> list[Message]:
    if len(frame) == 0:
        return [Message("note-metadata-none")]
    return []


def _facts(value: object, key: str) -> Iterator[tuple[str, str]]:
    """Names and texts of the leaves of a JSON value: ``deviceProperties.0.name``."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _facts(member, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list) and all(isinstance(item, int) for item in value):
        yield key, _ranges_text([int(item) for item in value])
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from _facts(member, f"{key}.{number}")
    elif value is not None:
        yield key, str(value)


def _ranges_text(numbers: list[int]) -> str:
    """Numbers with neighbours joined.

    >>> _ranges_text([0, 1, 2, 3, 8])
    '0-3, 8'
    """
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    texts = [str(a) if a == b else f"{a}-{b}" for a, b in parts[:_MOST_RANGES]]
    return ", ".join(texts + (["..."] if len(parts) > _MOST_RANGES else []))
