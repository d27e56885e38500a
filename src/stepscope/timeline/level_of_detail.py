"""Coarser views of what an excerpt holds, so that whoever draws it from afar need not walk through every cell."""

from __future__ import annotations

from typing import Any

import numpy as np

from stepscope.store.profile import Profile
from stepscope.timeline.binary_format import unframe
from stepscope.timeline.timeline import open_timeline
from stepscope.timeline.windows import HIGHEST_LEVEL, answer_level, count_cells

_FEW = 20_000
"""So many cells are drawn as they are."""

_FEWER = 6
"""A coarser piece has at most this part of the cells of the one below it."""


def coarser(profile: Profile, piece: dict[str, Any]) -> list[dict[str, Any]]:
    """Pieces of the same lanes and time as a piece of an excerpt, each with a fraction of the cells, finest first."""
    timeline = open_timeline(profile)
    lanes = np.array([lane["lane"] for lane in unframe(piece["data"])[0]["lanes"]], np.int64)
    window = (piece["t0"], piece["t1"])
    found: list[dict[str, Any]] = []
    cells, level = piece["cells"], int(piece["cell_ns"]).bit_length()
    while cells > _FEW and level <= HIGHEST_LEVEL:
        count = count_cells(timeline.parts, timeline.origin_ns, window, level, lanes)
        if count <= cells // _FEWER:
            data = bytes(answer_level(timeline.parts, timeline.origin_ns, window, level, lanes))
            found.append({"t0": window[0], "t1": window[1], "cell_ns": 1 << level, "cells": count, "data": data})
            cells = count
        level += 1
    return found
