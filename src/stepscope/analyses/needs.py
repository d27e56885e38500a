"""What a view needs to have been recorded, and the option of ``torch.profiler`` that records it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from stepscope.analyses.presence import (
    has_counters,
    has_frames,
    has_instances,
    has_memory,
    has_modules,
    has_npu_tables,
    has_of_pipeline,
    has_recording,
    has_rows,
    has_snapshot,
    has_stacks,
    has_telemetry,
    has_trace,
    has_values,
)
from stepscope.analyses.recorder_options import option_of
from stepscope.messages import Message
from stepscope.readers.formats import (
    COMMUNICATION_LOG,
    COMPILE_LOG,
    FLIGHT_RECORDER,
    HOST_SAMPLES,
    INPUT_PIPELINE,
    KERNEL_REPORT,
    MEMORY_SNAPSHOT,
    TELEMETRY,
)
from stepscope.store.memo import per_profile, per_rank, per_rank_on_disk
from stepscope.store.profile import Profile, Rank
from stepscope.store.recording import Recording

KINETO = "Kineto"
"""The recorder of ``torch.profiler``."""


def is_kineto(rank: Rank) -> bool:
    """Whether what tables show was recorded by ``torch.profiler``: its options and its overhead are known."""
    return rank.recorder == KINETO


def recording_facts(rank: Rank) -> dict[str, Any]:
    """What ``stepscope record``, or ``stepscope.profile``, says of a recording that it made; empty of any other."""
    found = rank.trace.head.get("stepscopeRecording")
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True)
class Need:
    """Something a recording may lack.

    Attributes:
        lack: what the recording does not have, as "no GPU activity".
        views: what cannot be shown without it.
        option: what records it.
        present: whether a rank has it.
        by_profiler: whether it is torch.profiler that records it.
        with_: what ``stepscope record --with`` calls it; "" where that does not decide.
        by_itself: ``stepscope record`` records it wherever the program has it.
        kind: a kind of recording that holds it, of `readers.formats`; "" for none but a trace.
        name: in `NEEDS`.
    """

    lack: Message
    views: Message
    option: str
    present: Callable[[Rank], bool]
    by_profiler: bool = True
    with_: str = ""
    by_itself: bool = False
    kind: str = ""
    name: str = ""

    def check(self, recorder: str, by_stepscope: bool = False) -> Message:
        """What cannot be shown without it, and what records it: of `KINETO` an option of its own."""
        if by_stepscope and self.with_:
            return Message("check-cannot-show", views=self.views, option=f"--with {self.with_}")
        if recorder == KINETO:
            return Message("check-cannot-show", views=self.views, option=self.option)
        if own := option_of(recorder, self.name):
            return Message("check-cannot-show-with", views=self.views, **own)
        return Message("check-cannot-show-by", views=self.views, option=self.option, recorder=recorder)

    def check_cut(self) -> Message:
        """What cannot be shown of a file that is cut off, which may have held it."""
        return Message("check-cannot-show-cut", views=self.views)

    def note_cut(self) -> Message:
        """The same as a note on a table without rows."""
        return Message("note-no-rows-cut", lack=self.lack)

    def note(self, recorder: str, by_stepscope: bool = False) -> Message:
        """The same as a note on a table without rows."""
        if by_stepscope and self.by_itself:
            return Message("note-no-rows-none-used", lack=self.lack)
        if by_stepscope and self.with_:
            return Message("note-no-rows-not-recorded", lack=self.lack, option=f"--with {self.with_}")
        if recorder == KINETO or not self.by_profiler:
            return Message("note-no-rows-not-recorded", lack=self.lack, option=self.option)
        if own := option_of(recorder, self.name):
            return Message("note-no-rows-not-recorded-with", lack=self.lack, **own)
        return Message("note-no-rows-not-recorded-by", lack=self.lack, option=self.option, recorder=recorder)


_LEVEL_1 = "experimental_config=torch_npu.profiler._ExperimentalConfig(profiler_level=ProfilerLevel.Level1)"
_TOTALS = "mindspore.Profiler(op_time=True)"
_PIPELINE = "mindspore.Profiler(data_process=True)"

NEEDS: dict[str, Need] = {
    "trace": Need(
        Message("need-trace-lack"), Message("need-trace-views"), "torch.profiler", has_trace, by_profiler=False
    ),
    "instances": Need(
        Message("need-instances-lack"),
        Message("need-instances-views"),
        "torch.profiler",
        has_instances,
        by_profiler=False,
    ),
    "gpu": Need(
        Message("need-gpu-lack"),
        Message("need-gpu-views"),
        "activities=[..., ProfilerActivity.CUDA]",
        has_rows("activity"),
        by_itself=True,
    ),
    "runtime": Need(
        Message("need-runtime-lack"),
        Message("need-runtime-views"),
        "activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]",
        has_rows("runtime"),
        by_itself=True,
    ),
    "os_calls": Need(
        Message("need-os-calls-lack"),
        Message("need-os-calls-views"),
        "nsys profile --trace osrt",
        has_rows("os_call"),
        by_profiler=False,
    ),
    "cpu_samples": Need(
        Message("need-cpu-samples-lack"),
        Message("need-cpu-samples-views"),
        "nsys profile --sample=process-tree",
        has_rows("cpu_sample"),
        by_profiler=False,
    ),
    "thread_switches": Need(
        Message("need-thread-switches-lack"),
        Message("need-thread-switches-views"),
        "nsys profile --cpuctxsw=process-tree",
        has_rows("thread_switch"),
        by_profiler=False,
    ),
    "page_faults": Need(
        Message("need-page-faults-lack"),
        Message("need-page-faults-views"),
        "nsys profile --cuda-um-cpu-page-faults=true --cuda-um-gpu-page-faults=true",
        has_rows("page_fault"),
        by_profiler=False,
    ),
    "cuda_memory": Need(
        Message("need-cuda-memory-lack"),
        Message("need-cuda-memory-views"),
        "nsys profile --cuda-memory-usage=true",
        has_rows("cuda_memory"),
        by_profiler=False,
    ),
    "operators": Need(
        Message("need-operators-lack"),
        Message("need-operators-views"),
        "activities=[ProfilerActivity.CPU, ...]",
        has_rows("operator"),
    ),
    "frames": Need(
        Message("need-frames-lack"), Message("need-frames-views"), "activities=[ProfilerActivity.CPU, ...]", has_frames
    ),
    "shapes": Need(
        Message("need-shapes-lack"),
        Message("need-shapes-views"),
        "record_shapes=True",
        has_values("operator", "input_dims"),
        with_="shapes",
    ),
    "stacks": Need(
        Message("need-stacks-lack"), Message("need-stacks-views"), "with_stack=True", has_stacks, with_="stack"
    ),
    "modules": Need(
        Message("need-stacks-lack"), Message("need-stacks-views"), "with_stack=True", has_modules, with_="stack"
    ),
    "counters": Need(
        Message("need-counters-lack"),
        Message("need-counters-views"),
        "experimental_config=torch.profiler._ExperimentalConfig(profiler_metrics=[...])",
        has_counters,
    ),
    "telemetry": Need(
        Message("need-telemetry-lack"),
        Message("need-telemetry-views"),
        "torch >= 2.13 and experimental_config=torch.profiler._ExperimentalConfig(custom_profiler_config="
        '\'{"backend": "cupti_monitor", "enable_environment_counters": true}\')',
        has_telemetry,
        kind=TELEMETRY,
    ),
    "memory": Need(
        Message("need-memory-lack"),
        Message("need-memory-views"),
        "profile_memory=True",
        has_rows("memory"),
        with_="memory",
    ),
    "memory_over_time": Need(
        Message("need-memory-lack"),
        Message("need-memory-views"),
        "profile_memory=True",
        has_memory,
        with_="memory",
        kind=MEMORY_SNAPSHOT,
    ),
    "snapshot": Need(
        Message("need-snapshot-lack"),
        Message("need-snapshot-views"),
        "torch.cuda.memory._record_memory_history(stacks='python', max_entries=1000000), "
        "then torch.cuda.memory._dump_snapshot('snapshot.pickle')",
        has_snapshot,
        by_profiler=False,
        kind=MEMORY_SNAPSHOT,
    ),
    "operator_totals": Need(
        Message("need-operator-totals-lack"),
        Message("need-operator-totals-views"),
        _TOTALS,
        has_rows("operator_total"),
        by_profiler=False,
    ),
    "activity_totals": Need(
        Message("need-activity-totals-lack"),
        Message("need-activity-totals-views"),
        _TOTALS,
        has_rows("activity_total"),
        by_profiler=False,
    ),
    "npu_kernels": Need(
        Message("need-npu-kernels-lack"),
        Message("need-npu-kernels-views"),
        "torch_npu.profiler.profile",
        has_npu_tables,
        by_profiler=False,
    ),
    "npu_collectives": Need(
        Message("need-npu-collectives-lack"),
        Message("need-npu-collectives-views"),
        _LEVEL_1,
        has_rows("npu_collective"),
        by_profiler=False,
    ),
    "npu_pairs": Need(
        Message("need-npu-pairs-lack"),
        Message("need-npu-pairs-views"),
        _LEVEL_1,
        has_rows("npu_pair"),
        by_profiler=False,
    ),
    **{
        name: Need(
            Message("need-npu-memory-lack"),
            Message("need-npu-memory-views"),
            "profile_memory=True",
            has_rows(stored),
            by_profiler=False,
        )
        for name, stored in (("npu_memory", "npu_memory"), ("npu_memory_peak", "npu_allocation"))
    },
    "input_pipeline": Need(
        Message("need-input-pipeline-lack"),
        Message("need-input-pipeline-views"),
        _PIPELINE,
        has_of_pipeline("pipeline_operator"),
        by_profiler=False,
        kind=INPUT_PIPELINE,
    ),
    "input_batches": Need(
        Message("need-input-batches-lack"),
        Message("need-input-batches-views"),
        _PIPELINE,
        has_of_pipeline("pipeline_batch"),
        by_profiler=False,
        kind=INPUT_PIPELINE,
    ),
    "cpu_usage": Need(
        Message("need-cpu-usage-lack"),
        Message("need-cpu-usage-views"),
        _PIPELINE,
        has_of_pipeline("cpu_usage"),
        by_profiler=False,
        kind=INPUT_PIPELINE,
    ),
    "kernel_report": Need(
        Message("need-kernel-report-lack"),
        Message("need-kernel-report-views"),
        "ncu --set full -o kernels PROGRAM",
        has_recording(KERNEL_REPORT),
        by_profiler=False,
        kind=KERNEL_REPORT,
    ),
    "communication_log": Need(
        Message("need-communication-log-lack"),
        Message("need-communication-log-views"),
        "NCCL_PROFILER_PLUGIN=libnccl-profiler-inspector.so NCCL_INSPECTOR_ENABLE=1",
        has_recording(COMMUNICATION_LOG),
        by_profiler=False,
        kind=COMMUNICATION_LOG,
    ),
    "compile_log": Need(
        Message("need-compile-log-lack"),
        Message("need-compile-log-views"),
        "TORCH_TRACE=/shared/compile",
        has_recording(COMPILE_LOG),
        by_profiler=False,
        kind=COMPILE_LOG,
    ),
    "host_samples": Need(
        Message("need-host-samples-lack"),
        Message("need-host-samples-views"),
        "py-spy record -f speedscope -o samples.json -- python train.py",
        has_recording(HOST_SAMPLES),
        by_profiler=False,
        kind=HOST_SAMPLES,
    ),
    "flight_recorder": Need(
        Message("need-flight-recorder-lack"),
        Message("need-flight-recorder-views"),
        "TORCH_FR_BUFFER_SIZE=2000 TORCH_FR_DUMP_TEMP_FILE=/shared/dump_rank_",
        has_recording(FLIGHT_RECORDER),
        by_profiler=False,
        kind=FLIGHT_RECORDER,
    ),
}
NEEDS = {name: replace(need, name=name) for name, need in NEEDS.items()}
"""By the names that `schema.Table.needs` uses."""


def option_for(profile: Profile, name: str) -> str | None:
    """What records a need with the profilers of a run; None where stepscope reads nothing of it from them."""
    options = [option_of(rank.recorder, name) for rank in profile.ranks]
    own = next((one for one in options if one is not None), None)
    return NEEDS[name].option if own is None or None in options else own["option"]


def lacking(profile: Profile, needs: tuple[str, ...]) -> list[Need]:
    """Those of some needs that no rank of a profile has."""
    return [NEEDS[name] for name in needs if not _recorded(profile, name)]


def holders(profile: Profile, need: Need) -> list[Recording]:
    """Recordings of the run that hold it and that no table shows; each says why. The log of a machine is there once."""
    found = {one.path: one for one in profile.unshown if one.stored is not None and one.kind == need.kind}
    return list(found.values())


def held_apart(apart: list[Recording]) -> Message:
    """A note on a table without rows, of what `holders` found."""
    first, *more = apart
    return Message("note-no-rows-apart", name=first.name, more=len(more), note=first.note or "")


def _recorded(profile: Profile, name: str) -> bool:
    """Whether any rank has it; one rank alone is asked for nothing more than this."""
    if len(profile.ranks) == 1:
        return _recorded_on(profile.ranks[0], name)
    return name in _recorded_by_any(profile, tuple(rank.number for rank in profile.ranks))


@per_rank(whole=True)
def _recorded_on(rank: Rank, name: str) -> bool:
    return NEEDS[name].present(rank)


@per_profile
def _recorded_by_any(profile: Profile, numbers: tuple[int, ...]) -> frozenset[str]:
    """Kept with the profile, because what ranks keep in memory is dropped where they are many."""
    needs = pl.concat([recorded_needs(rank) for rank in profile.ranks if rank.number in numbers])
    return frozenset(name for name in needs.columns if needs[name].any())


@per_rank_on_disk
def recorded_needs(rank: Rank) -> pl.DataFrame:
    """One row with a column for each of `NEEDS`: whether the whole recording has it."""
    return pl.DataFrame({name: [need.present(rank)] for name, need in NEEDS.items()})
