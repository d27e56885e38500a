"""Mangled C++ names (``_ZN5aiter...``), as some compilers leave them to the profiler (Itanium C++ ABI, 5.1)."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"L(?P<kind>[a-z])(?P<minus>n?)(?P<digits>\d+)E|DF16[b_]|[ST][0-9A-Z]*_|(?P<length>[1-9]\d{0,3})|.")
"""A literal, a type of 16 bits, something named before, the length of a name, anything else."""
_TRUTHS = {"0": "false", "1": "true"}
_OWN, _ARGUMENT, _LITERAL, _PARAMETER = range(4)


def mangled_parts(text: str) -> tuple[str, str]:
    """Names in a mangled name: those of the function, up to its template arguments, and all others.

    >>> mangled_parts("_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdE")
    ('ck_tile::kentry', 'Rmsnorm2dFwd')
    """
    parts = list(_parts(text))
    return "::".join(_of(parts, _OWN)), " ".join(_of(parts, _ARGUMENT, _PARAMETER))


def readable(text: str) -> str:
    """A mangled name with what its template arguments name and count; built-in types are left out.

    >>> readable("_ZN5aiter11norm_kernelIDF16bLi256ELb1EEEvPT0_PN3c104HalfE")
    'aiter::norm_kernel<256, true>'
    """
    parts = list(_parts(text))
    arguments = ", ".join(_of(parts, _ARGUMENT, _LITERAL))
    return "::".join(_of(parts, _OWN)) + (f"<{arguments}>" if arguments else "")


def _of(parts: list[tuple[str, int]], *kinds: int) -> list[str]:
    return [name for name, kind in parts if kind in kinds]


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """Names and literals in order, each with what it belongs to."""
    at, kind, depth = 2, _OWN, 0
    named = False
    while match := _TOKEN.match(text, at):
        at, token = match.end(), match.group()
        if match["length"]:
            at += int(token)
            named = True
            yield text[match.end() : at], kind
        elif match["kind"]:
            if kind == _ARGUMENT:
                digits = match["digits"]
                yield (
                    _TRUTHS.get(digits, digits) if match["kind"] == "b" else "-" * len(match["minus"]) + digits,
                    _LITERAL,
                )
        elif kind == _OWN and token == "I" and named:
            kind, depth = _ARGUMENT, 1
        elif kind == _ARGUMENT:
            depth += (token in "INJX") - (token == "E")
            kind = _ARGUMENT if depth else _PARAMETER
