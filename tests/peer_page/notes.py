"""The longer reasons, by the names that the tables' reasons carry in brackets; they are written in ``notes.md``."""

from __future__ import annotations

from pathlib import Path


def _read() -> dict[str, str]:
    text = Path(__file__).with_name("notes.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {name: " ".join(body.split()) for name, _, body in parts}


NOTES = _read()
