"""What `copy.deepcopy` calls for each tensor, where no Python frames show it."""

from __future__ import annotations

import numpy as np

from stepscope.analyses.simulation.edits import Ranges
from stepscope.findings.detector_context import Case
from stepscope.findings.top_level_operators import top_level_operators

_BEFORE, _BEHIND = 4, 2
"""Operators of a copied tensor around its `copy_`: a storage is made twice (`empty`, `set_`) and copied, then a tensor
of it is made (`new_empty`, `set_`)."""

_NEAR_NS = 200_000
"""Python between two tensors of one copy, at most."""

_LEAST = 4
"""Tensors of a copy."""


def copied_storages(case: Case) -> Ranges:
    """Where several tensors in a row are copied with their storages, from the first to the last."""
    calls = top_level_operators(case)
    makes, copies, news, empties = (
        calls.named(case, rf"^aten::{name}$") for name in ("set_", "copy_", "new_empty", "empty")
    )
    places = np.flatnonzero(copies)
    places = places[(places >= _BEFORE) & (places + _BEHIND < len(copies))]
    around = makes[places - 3] & empties[places - 2] & makes[places - 1] & news[places + 1] & makes[places + _BEHIND]
    places = places[around & empties[places - _BEFORE]]
    if len(places) == 0:
        return calls.ranges.chosen(places)
    first, last = places - _BEFORE, places + _BEHIND
    part = np.cumsum(calls.begins)
    apart = (first[1:] != last[:-1] + 1) | (part[first[1:]] != part[last[:-1]])
    apart |= calls.ranges.start[first[1:]] - calls.ranges.end[last[:-1]] > _NEAR_NS
    begins = np.flatnonzero(np.append(True, apart))
    ends = np.append(begins[1:], len(places))
    many = ends - begins >= _LEAST
    return calls.together(first[begins[many]], last[ends[many] - 1])
