"""Slices, instants, counters and work of GPUs as one frame, with the columns that every stored table has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from stepscope.numeric import packet_state as st
from stepscope.numeric.packet_state import Ints
from stepscope.numeric.pool import SharedPool
from stepscope.readers.kineto_plan import ACTIVITY_KINDS, GROUPS, HOST_CATEGORIES, INSTANT_CATEGORIES
from stepscope.readers.perfetto.arguments import Arguments, text_of
from stepscope.readers.perfetto.gpu_counters import names_with_units
from stepscope.readers.perfetto.slices import Slices
from stepscope.readers.perfetto.tracks import Track, Tracks
from stepscope.readers.perfetto.writers import (
    CATEGORIES,
    COPIED_CALLS,
    DIRECTIONS,
    FROM_DEVICE,
    ROCPROF,
    STAGES,
    WPROF,
    writer,
)

_TIMED = dict.fromkeys(ACTIVITY_KINDS, "activity") | {
    category: group for group, several in HOST_CATEGORIES.items() for category in several
}
_INSTANT = {category: group for group, several in INSTANT_CATEGORIES.items() for category in several}
_ON_GPU = {*ACTIVITY_KINDS, "gpu_user_annotation", "cuda_sync", "graph_event_node", "graph_host_node"}
_NUMBERS = list(GROUPS)
_NO_CODE = (1 << 32) - 1


@dataclass
class Rows:
    """All rows of a trace.

    Attributes:
        events: of `Packets`, of each row.
        slices: which events are rows, and their lengths.
        arguments: what is said of them.
        tracks: on which they are.
        texts: of the trace.
        is_pytorch: whether PyTorch wrote it.
    """

    events: Ints
    slices: Slices
    arguments: Arguments
    tracks: Tracks
    texts: SharedPool
    is_pytorch: bool

    def code(self, text: str) -> int:
        """Code of a text."""
        return int(self.texts.add([text.encode()])[0])

    def mapped(self, codes: Ints, names: dict[str, str]) -> Ints:
        """Codes of the texts that others are called; those that have no other name stay."""
        distinct, place = np.unique(codes, return_inverse=True)
        found = [names.get(text_of(self.texts, code), "") if code >= 0 else "" for code in distinct.tolist()]
        new = [self.code(text) if text else code for text, code in zip(found, distinct.tolist(), strict=True)]
        return np.array(new, np.int64)[place.reshape(-1)] if len(codes) else codes

    def texts_of(self, codes: Ints) -> pl.Series:
        """Texts of codes, null where there is none."""
        distinct, place = np.unique(codes, return_inverse=True)
        texts = [text_of(self.texts, code) if code >= 0 else None for code in distinct.tolist()]
        return pl.Series(texts, dtype=pl.String)[place.reshape(-1)]

    @cached_property
    def recorded_category(self) -> Ints:
        """As the trace has it; -1 for none."""
        category = self.events[:, st.CATEGORY]
        stage = self.arguments.code(st.STAGE_NAME).fill_null(_NO_CODE).to_numpy().astype(np.int64)
        return np.where((self.events[:, st.KIND] == st.STAGE) & (stage != _NO_CODE), stage, category)

    @cached_property
    def writer(self) -> str:
        codes = np.unique(self.recorded_category)
        return writer({text_of(self.texts, code) for code in codes.tolist() if code >= 0}, self.is_pytorch)

    @cached_property
    def category(self) -> Ints:
        """As PyTorch's traces call it."""
        is_stage = self.events[:, st.KIND] == st.STAGE
        of_stages, of_tracks = self.mapped(self.recorded_category, STAGES), self.recorded_category
        if self.writer in (ROCPROF, WPROF):
            of_tracks = np.where(self.is_copied_call, of_tracks, self.mapped(of_tracks, CATEGORIES))
        return np.where(is_stage, of_stages, of_tracks)

    @cached_property
    def group(self) -> Ints:
        """Place of each row's table in `GROUPS`."""
        kind = self.events[:, st.KIND]
        distinct, place = np.unique(self.category, return_inverse=True)
        names = [text_of(self.texts, code) if code >= 0 else "" for code in distinct.tolist()]
        timed = np.array([_NUMBERS.index(_TIMED.get(name, "other")) for name in names], np.int64)[place.reshape(-1)]
        instant = np.array([_NUMBERS.index(_INSTANT.get(name, "other")) for name in names], np.int64)
        found = np.where(kind == st.INSTANT, instant[place.reshape(-1)], timed)
        found[(kind == st.COUNTER) | (kind == st.GPU_COUNTER)] = _NUMBERS.index("counter")
        found[self.is_copied_call] = _NUMBERS.index("other")
        return found

    @cached_property
    def is_copied_call(self) -> npt.NDArray[np.bool_]:
        """Whether a row repeats a call that another track has."""
        none = np.zeros(len(self.events), np.bool_)
        if self.writer != WPROF:
            return none
        call, *tracks = COPIED_CALLS
        uuids, place = np.unique(self.events[:, st.TRACK], return_inverse=True)
        names = [self.tracks.of(uuid).name for uuid in uuids.tolist()]
        copies = np.array([name >= 0 and text_of(self.texts, name) in tracks for name in names], np.bool_)
        categories = self.texts_of(self.recorded_category)
        found: npt.NDArray[np.bool_] = copies[place.reshape(-1)] & (categories == call).fill_null(False).to_numpy()
        return found

    @cached_property
    def name(self) -> Ints:
        """Code of each row's name; a kernel without one has that of its symbol, a counter that of its track."""
        name = self.events[:, st.NAME].copy()
        kernel = self.arguments.code(st.KERNEL).fill_null(_NO_CODE).to_numpy().astype(np.int64)
        known = (name < 0) & (kernel != _NO_CODE)
        name[known] = kernel[known]
        stages = (name < 0) & (self.events[:, st.KIND] == st.STAGE)
        name[stages] = self.recorded_category[stages]
        counters = (name < 0) & (self.events[:, st.KIND] == st.COUNTER)
        name[counters] = self._of_tracks([track.name for track in self._distinct_tracks[1]])[counters]
        sampled = np.flatnonzero(self.is_gpu_counter)
        units = self.events[sampled, st.DURATION]
        name[sampled] = names_with_units(self.texts, name[sampled], units)
        return name

    @cached_property
    def is_gpu_counter(self) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = self.events[:, st.KIND] == st.GPU_COUNTER
        return found

    @cached_property
    def on_gpu(self) -> pl.Series:
        """Whether a row is of a GPU."""
        distinct, place = np.unique(self.category, return_inverse=True)
        known = [code >= 0 and text_of(self.texts, code) in _ON_GPU for code in distinct.tolist()]
        return pl.Series(np.array(known, np.bool_)[place.reshape(-1)])

    @cached_property
    def device(self) -> pl.Series:
        """Number of the GPU."""
        found = self.arguments.column("device").fill_null(self.arguments.number(st.GPU))
        if self.writer == ROCPROF:
            from_device = self.texts_of(self.name) == FROM_DEVICE
            source, target = self.arguments.number("src_agent"), self.arguments.number("dst_agent")
            found = found.fill_null(source.zip_with(from_device.fill_null(False), target))
        return found.alias("device")

    @cached_property
    def correlation(self) -> pl.Series:
        """Number of the launch: as annotated, else of what a launch says it submits, else of the flow through it."""
        found = self.arguments.column("correlation")
        row, event = self.arguments.pairs(st.SUBMITS)
        own, number = self.arguments.pairs(st.EVENT_ID)
        if len(row) and len(own):
            submits = pl.DataFrame({"event": event, "call": row}).unique("event", keep="first", maintain_order=True)
            stages = pl.DataFrame({"event": number, "stage": own}).join(submits, "event", maintain_order="left")
            call, stage = stages["call"].to_numpy(), stages["stage"].to_numpy()
            of_call = found[call].fill_null(pl.Series(call) + (1 << 32))
            found = found.scatter(call, of_call).scatter(stage, found[stage].fill_null(of_call))
        row, flow = self.arguments.pairs(st.FLOW)
        flows = pl.repeat(None, len(self.events), dtype=pl.Int64, eager=True).scatter(row, flow)
        return found.fill_null(flows).alias("correlation")

    @cached_property
    def direction(self) -> pl.Series:
        """Code of the direction of a copy."""
        found = self.arguments.column("direction")
        if self.writer != ROCPROF:
            return found
        named = self.texts_of(self.name).replace_strict(DIRECTIONS, default=None, return_dtype=pl.String)
        return found.fill_null(self.arguments.codes(named)).alias("direction")

    @cached_property
    def place(self) -> tuple[pl.Series, pl.Series]:
        """Codes of process and thread: of a GPU's work its number and stream, else as the track says."""
        places = [self._place_of(uuid, track) for uuid, track in zip(*self._distinct_tracks, strict=True)]
        process = self._of_tracks([one for one, _ in places])
        thread = self._of_tracks([one for _, one in places])
        known = self.on_gpu & self.device.is_not_null()
        stream = self.arguments.column("stream")
        codes = self.arguments.codes
        gpu = codes(self.device.cast(pl.String)).zip_with(known, pl.Series(process).cast(pl.UInt32))
        of_stream = codes(stream.cast(pl.String)).zip_with(
            known & stream.is_not_null(), pl.Series(thread).cast(pl.UInt32)
        )
        is_counter = pl.Series(self.is_gpu_counter)
        names = pl.Series(self.events[:, st.TRACK]).cast(pl.String)
        counters = codes(("GPU " + names + " Counters").set(~is_counter, None))
        return (
            counters.zip_with(is_counter, gpu).alias("process"),
            of_stream.set(is_counter | (pl.Series(self.events[:, st.KIND] == st.STAGE) & ~known), None).alias("thread"),
        )

    @cached_property
    def process_number(self) -> Ints:
        """Number of the process a row is of, -1 where nothing says it."""
        found = self._of_tracks([track.process for track in self._distinct_tracks[1]])
        if self.writer == WPROF:
            row, flow = self.arguments.pairs(st.FLOW)
            gpu = self.on_gpu.to_numpy()[row]
            found[row[gpu]] = flow[gpu] >> 32
        return found

    def tracks_of_host(self) -> list[Track]:
        """Those that rows are on and that are of a known process."""
        return [track for track in self._distinct_tracks[1] if track.process >= 0]

    @cached_property
    def _distinct_tracks(self) -> tuple[list[int], list[Track]]:
        uuids = np.unique(self.events[:, st.TRACK]).tolist()
        return uuids, [self.tracks.of(uuid) for uuid in uuids]

    def _of_tracks(self, values: list[int]) -> Ints:
        _, place = np.unique(self.events[:, st.TRACK], return_inverse=True)
        return np.array(values, np.int64)[place.reshape(-1)]

    def _place_of(self, uuid: int, track: Track) -> tuple[int, int]:
        process = self.code(str(track.process)) if track.process >= 0 else self.code("")
        if track.thread >= 0:
            return process, self.code(str(track.thread))
        return process, track.name if track.name >= 0 else self.code(f"track {uuid % (1 << 64)}")
