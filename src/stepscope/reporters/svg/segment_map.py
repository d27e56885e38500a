"""The map of segments: what lies where in what the caching allocator holds, of the table ``memory_blocks``."""

from __future__ import annotations

from typing import Any

import polars as pl

from stepscope.messages.quantities import bytes_text
from stepscope.messages.rendering import say
from stepscope.reporters.svg.drawing import CATEGORY_COLOURS, FREE, HATCH, LINE, MARGIN, QUIET, WIDTH, Drawing

_LABELS = 270
_ROOM = WIDTH - 2 * MARGIN - _LABELS
_HIGH, _GAP = 16, 5
_MOST_SEGMENTS, _MOST_ELEMENTS = 120, 6_000
_NARROW = 1.5
"""Neighbours narrower than so many pixels together are drawn as one."""

_SEGMENT = ["rank", "device", "segment"]


def segment_map(blocks: pl.DataFrame) -> str:
    """A row for each segment, the largest first, its blocks to scale: colours are categories, white is free."""
    whole = blocks.group_by(_SEGMENT, maintain_order=True).agg(
        pl.col("bytes").sum().alias("size"), pl.col("pool").first(), pl.col("stream").first()
    )
    whole = whole.sort("size", *_SEGMENT, descending=[True, False, False, False])
    drawing = Drawing(say("picture-segments", segments=len(whole), reserved_bytes=int(whole["size"].sum())))
    drawing.line(say("picture-segments-scale"))
    _legend(drawing, blocks)
    largest = int(whole["size"].max() or 0)  # type: ignore[arg-type]
    drawn = 0
    parts = blocks.partition_by(_SEGMENT, as_dict=True)
    several = len(whole.select("rank", "device").unique()) > 1
    for row in whole.iter_rows(named=True):
        if row["size"] <= 0 or drawn == _MOST_SEGMENTS or drawing.count > _MOST_ELEMENTS:
            break
        _segment(drawing, row, _pieces(parts[tuple(row[name] for name in _SEGMENT)], _ROOM / largest), several)
        drawn += 1
    rest = whole[drawn:]
    if len(rest):
        drawing.line(say("picture-segments-left-out", segments=len(rest), left_bytes=int(rest["size"].sum())))
    return drawing.document()


def _legend(drawing: Drawing, blocks: pl.DataFrame) -> None:
    used = blocks.filter(pl.col("requested_bytes") > 0)
    sums = dict(used.group_by("category").agg(pl.col("requested_bytes").sum()).iter_rows())
    entries = [
        (colour, f"{name} {bytes_text(sums[name])}") for name, colour in CATEGORY_COLOURS.items() if name in sums
    ]
    rounding = int((used["bytes"] - used["requested_bytes"]).sum())
    free = int(blocks.filter(pl.col("requested_bytes") == 0)["bytes"].sum())
    entries.append((HATCH, f"{say('picture-rounding')} {bytes_text(rounding)}"))
    entries.append((FREE, f"{say('picture-free')} {bytes_text(free)}"))
    drawing.legend(entries)


def _pieces(blocks: pl.DataFrame, scale: float) -> pl.DataFrame:
    """Blocks with their place in pixels; runs of narrow ones that are alike are one.

    Columns: x, width, asked (width of what was asked for), category, state, bytes, requested_bytes, blocks, source.
    """
    placed = blocks.filter(pl.col("offset_bytes").is_not_null() & (pl.col("bytes") > 0)).sort("offset_bytes")
    narrow = pl.col("bytes") * scale < _NARROW
    pixel = (pl.col("offset_bytes") * scale / _NARROW).floor()
    place = pl.int_range(pl.len())
    run = pl.when(narrow).then(pixel.cast(pl.Int64)).otherwise(-1 - place)
    return (
        placed.with_columns(run.alias("run"))
        .group_by("run", maintain_order=True)
        .agg(
            (pl.col("offset_bytes").first() * scale).alias("x"),
            (pl.col("bytes").sum() * scale).alias("width"),
            (pl.col("requested_bytes").sum() * scale).alias("asked"),
            *(pl.col(name).sort_by("bytes").last() for name in ("category", "state", "source", "op")),
            pl.col("bytes").sum(),
            pl.col("requested_bytes").sum(),
            pl.len().alias("blocks"),
        )
    )


def _segment(drawing: Drawing, row: dict[str, Any], pieces: pl.DataFrame, several: bool) -> None:
    drawing.y += _GAP
    top, left = drawing.y, MARGIN + _LABELS
    where = f"rank {row['rank']} {row['device']}  " if several else ""
    pool = "" if row["pool"] in (None, "(0, 0)") else f"  {row['pool']}"
    stream = f"  {say('picture-stream', stream=str(row['stream']))}" if row["stream"] else ""
    address = "-" if row["segment"] is None else f"0x{row['segment']:x}"
    label = f"{where}{address}{pool}{stream}"
    drawing.text(MARGIN, top + 12, label, colour=QUIET, room=_LABELS - 80)
    drawing.text(left - 8, top + 12, bytes_text(row["size"]), colour=QUIET, end=True, room=80)
    width = float(pieces["width"].sum())
    drawing.box(left, top, width, _HIGH, FREE, edge=QUIET)
    for piece in pieces.iter_rows(named=True):
        _block(drawing, left + piece["x"], top, piece)
    drawing.y = top + _HIGH


def _block(drawing: Drawing, x: float, top: float, piece: dict[str, Any]) -> None:
    """One block, or several narrow ones; free ones are left white and say their size."""
    if piece["category"] is None:
        drawing.box(x, top, piece["width"], _HIGH, FREE, f"{piece['state']}: {bytes_text(piece['bytes'])}", edge=LINE)
        return
    colour = CATEGORY_COLOURS.get(piece["category"], QUIET)
    several = say("picture-blocks", blocks=piece["blocks"]) if piece["blocks"] > 1 else piece["state"]
    facts = (piece["category"], bytes_text(piece["bytes"]), several, piece["op"], piece["source"])
    drawing.box(x, top, piece["width"], _HIGH, colour, " · ".join(fact for fact in facts if fact), edge=FREE)
    rounding = piece["width"] - piece["asked"]
    if rounding >= 1:
        drawing.box(x + piece["asked"], top, rounding, _HIGH, HATCH)
