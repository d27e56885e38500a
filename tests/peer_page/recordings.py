"""The five recordings of the page: what stepscope and the two other tools say about each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

import stepscope
from stepscope.api import OpenProfile


@dataclass(frozen=True)
class Raised:
    """In place of a figure: the tool stopped with this exception."""

    exception: str


@dataclass(frozen=True)
class Source:
    """A recording of the page.

    Attributes:
        key: its name on the page.
        path: the file below ``public``.
        reference: the name of the outputs of both tools.
        about: what it is.
    """

    key: str
    path: str
    reference: str
    about: str


SOURCES = (
    Source(
        "V100",
        "hta/v100-2rank-ddp-profile_memory-rank1.json.gz",
        "v100-2rank-ddp-profile_memory-rank1",
        "rank 1 of 2, DDP training, 5 steps, memory events, whole microseconds",
    ),
    Source(
        "A100-8",
        "hta/a100-8rank-old_schema-rank3.json.gz",
        "a100-8rank-old_schema-rank3",
        "rank 3 of 8, recommendation model, 6 steps, 4 streams, whole microseconds",
    ),
    Source(
        "A100-2",
        "hta/a100-2rank-nccl_metadata-rank0.json.gz",
        "a100-2rank-nccl_metadata-rank0",
        "rank 0 of 2, DDP training, 3 steps, nanoseconds",
    ),
    Source(
        "H100",
        "tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
        "h100-qwen",
        "Qwen1.5-0.5B, inference, 1 step, memory events, Python stack, nanoseconds",
    ),
    Source(
        "B200",
        "tracelens/b200__eager_trace.json.gz",
        "b200-eager",
        "rank 0 of 8, vLLM, inference, no steps, Python stack, nanoseconds",
    ),
)
COUNTERS = Source(
    "A100-counters",
    "hta/a100-cupti_profiler_ranges.json.gz",
    "a100-cupti_profiler_ranges",
    "hardware counters of 77 kernels, no GPU activity",
)


@dataclass
class Recording:
    """A recording opened: its tables, and the outputs of the other tools."""

    source: Source
    path: Path
    profile: OpenProfile
    hta: dict[str, Any]
    plugin: dict[str, Any]
    patched: dict[str, Any]
    _frames: dict[tuple[str, str], pl.DataFrame] = field(default_factory=dict)

    def table(self, name: str, by: str = "") -> pl.DataFrame:
        """A table of stepscope, made once."""
        if (name, by) not in self._frames:
            self._frames[name, by] = self.profile.show(name, by=by)
        return self._frames[name, by]

    def row(self, table: str, /, **where: Any) -> dict[str, Any]:
        """The row of a table whose columns have these values; the only one without."""
        frame = self.table(table).filter(*(pl.col(column) == value for column, value in where.items()))
        [row] = frame.to_dicts()
        return row

    def of_hta(self, method: str) -> Any:
        """What a method of HTA returned: rows of a frame, or another value; `Raised` where it stopped."""
        if method in self.hta["errors"]:
            return Raised(self.hta["errors"][method].partition(":")[0].split()[0])
        result = self.hta["results"].get(method)
        return result["head"] if isinstance(result, dict) and "head" in result else result


def open_recording(data: Path, source: Source) -> Recording:
    """Open one recording.

    Args:
        data: the folder of recordings.
    """
    path = data / "public" / source.path
    return Recording(
        source,
        path,
        stepscope.open(str(path)),
        _read(data / "reference" / "hta-reference" / f"{source.reference}.json"),
        *(
            _worker(data / "reference" / "tb-reference" / f"{source.reference}{variant}.json")
            for variant in ("", ".patched")
        ),
    )


def recordings(data: Path) -> Iterator[Recording]:
    """The five recordings, and the one with counters, opened."""
    return (open_recording(data, source) for source in (*SOURCES, COUNTERS))


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _worker(path: Path) -> dict[str, Any]:
    """The results of the one worker."""
    if not path.exists():
        return {}
    found: dict[str, Any] = next(iter(_read(path)["results"].values()))
    return found
