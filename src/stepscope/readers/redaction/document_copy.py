"""A copy of a JSON document that holds the members which are read, and nothing else.

What is read is told by a type of polars: of a structure the members that it names are kept, of a list each element, and
of what is neither, numbers and texts.
"""

from __future__ import annotations

import json
from typing import Any

import polars as pl

_LEAF = (str, int, float, bool)


def kept(value: Any, form: Any) -> Any:
    """What a type names of a value; None where it has another form.

    >>> kept({"pid": 7, "command": ["./train"]}, pl.Struct({"pid": pl.Int64}))
    {'pid': 7}
    """
    if isinstance(form, pl.Struct):
        if not isinstance(value, dict):
            return None
        return {field.name: kept(value[field.name], field.dtype) for field in form.fields if field.name in value}
    if isinstance(form, pl.List):
        return [kept(one, form.inner) for one in value] if isinstance(value, list) else None
    return value if isinstance(value, _LEAF) else None


def copied(text: str, form: Any) -> bytes:
    """The copy of a document.

    Raises:
        ValueError: it is no JSON.
    """
    return json.dumps(kept(json.loads(text), form), separators=(",", ":")).encode()
