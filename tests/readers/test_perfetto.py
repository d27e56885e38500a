"""Perfetto traces: packets made byte by byte, and the same events as JSON, which is the oracle."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import stepscope
from building import annotation as range_of
from building import call, flat, kernel, launched, memcpy, operator, step, sync, write
from readers import perfetto_building as made
from readers.contract import read
from readers.perfetto_building import BEGIN, COUNTER, END, INSTANT, annotated, event, slices, snapshot, trace, track
from stepscope.errors import UnreadableInput
from stepscope.readers import registry
from stepscope.readers.perfetto.format import Perfetto
from stepscope.readers.perfetto.nested import rendered
from stepscope.readers.sources import Source

MAIN = [track(10, process=(900, "python")), track(11, parent=10, thread=(900, 901, "main"))]


def training() -> list[dict[str, Any]]:
    """Two steps with operators, launches, kernels, a copy, a wait and a counter, as JSON has them."""
    shapes = {"Input Dims": [[8, 16], [16, 4], []], "Input type": ["float", "float", ""], "Sequence number": 7}
    sizes = {"grid": [4, 2, 1], "block": [256, 1, 1], "registers per thread": 32, "graph id": 3}
    events = flat(
        [
            [
                step(number, at, at + 5000),
                operator("aten::linear", at + 100, at + 900, **shapes),
                operator("aten::addmm", at + 150, at + 850, **{"Ev Idx": 4, "Concrete Inputs": ["", "", "1"]}),
                launched(kernel("gemm_128x128", at + 700, at + 1900, number * 10 + 1, **sizes), at + 200),
                launched(memcpy(at + 2000, at + 2600, number * 10 + 2, bytes=4096), at + 1000),
                range_of("forward", at + 50, at + 1200),
                range_of("twin", at + 50, at + 1200, thread=2),
                call(at + 3000, at + 3900, number * 10 + 3, name="cudaStreamSynchronize"),
                sync("Stream Sync", at + 3050, at + 3800, number * 10 + 3),
            ]
            for number, at in ((1, 10_000), (2, 20_000))
        ]
    )
    samples = [
        {"ph": "C", "name": "Power (W)", "pid": "GPU 0 Counters", "ts": ns / 1000, "args": {"": watts}}
        for ns, watts in ((10_000, 312.5), (20_000, 400.0))
    ]
    return [one for one in events if one["ph"] == "X"] + samples


def frames(folder: Path, content: bytes, name: str = "made.pftrace") -> dict[str, pl.DataFrame]:
    """Tables of a trace, codes as texts."""
    (folder / name).write_bytes(content)
    found = read(Perfetto(), Source(str(folder / name)))
    texts = found.frames.pop("texts")["text"]
    codes = {
        table: [one for one, kind in frame.schema.items() if kind == pl.UInt32 and one != "event"]
        for table, frame in found.frames.items()
    }
    return {
        table: frame.with_columns(texts.gather(frame[name]).alias(name) for name in codes[table])
        for table, frame in found.frames.items()
    }


def facts(folder: Path, content: bytes) -> Any:
    (folder / "made.pftrace").write_bytes(content)
    return read(Perfetto(), Source(str(folder / "made.pftrace"))).facts


def said(found: Any) -> str:
    return str(found.truncated.id)


@pytest.mark.long
def test_what_pytorch_writes_as_packets_gives_the_tables_of_its_json(tmp_path: Path) -> None:
    events = training()
    both = [tmp_path / "json", tmp_path / "packets"]
    for folder in both:
        folder.mkdir()
    write(both[0] / "rank0.json", *events)
    (both[1] / "rank0.pftrace.gz").write_bytes(gzip.compress(made.AsPyTorch(events).bytes()))
    oracle, ours = (stepscope.open(str(folder)) for folder in both)
    for table in (
        *("summary", "steps", "kernels", "operators", "annotations", "launches", "memcpy", "idle", "sync"),
        *("critical_path", "counters", "step_trace", "graphs"),
    ):
        # Only packets say how processes and threads are called, and that is an event.
        found, expected = (one.show(table) for one in (ours, oracle))
        assert_frame_equal(found.drop("events", strict=False), expected.drop("events", strict=False))
    assert len(ours.show("kernels")) == 1


def test_numbers_hold_until_their_sequence_clears_them_and_each_sequence_has_its_own(tmp_path: Path) -> None:
    def numbered(sequence: int, text: str, flags: int = 1) -> bytes:
        names = made.message((12, made.message((2, made.message((1, 1), (2, text))))))
        return names + made.message((10, sequence), (13, flags))

    found = frames(
        tmp_path,
        trace(
            *MAIN,
            numbered(1, "first"),
            numbered(2, "other"),
            *(event(INSTANT, 11, 10 * at, (10, 1), sequence=one) for at, one in ((1, 1), (2, 2))),
            numbered(1, "second"),
            event(INSTANT, 11, 30, (10, 1)),
        ),
    )
    assert found["other"]["name"].to_list() == ["first", "other", "second"]
    assert found["other"]["thread"].to_list() == ["901"] * 3


def test_times_that_are_differences_on_a_clock_of_a_sequence(tmp_path: Path) -> None:
    defaults = made.message((59, made.message((58, 64), (11, made.message((11, 11))))), (10, 1), (13, 1))
    packets = [
        *MAIN,
        defaults,
        snapshot({6: 1_000_000, 64: 500, 1: 1_790_000_000_000_000_000}, running={64: 1000}),
        made.message((8, 3), (11, made.message((9, INSTANT), (23, "a"))), (10, 1)),
        made.message((8, 4), (11, made.message((9, INSTANT), (23, "b"))), (10, 1)),
        made.message((8, 2_000_000), (58, 6), (11, made.message((9, INSTANT), (23, "c"))), (10, 1)),
    ]
    found = frames(tmp_path, trace(*packets))
    assert found["other"].select("name", "start_ns").rows() == [("a", 1_003_000), ("b", 1_007_000), ("c", 2_000_000)]
    assert facts(tmp_path, trace(*packets)).time_base_ns == 1_790_000_000_000_000_000 - 1_000_000


def test_slices_nest_by_time_whatever_the_order_of_packets(tmp_path: Path) -> None:
    outer, inner = slices("outer", 11, 100, 900, "a"), slices("inner", 11, 200, 300, "a")
    found = frames(tmp_path, trace(*MAIN, *inner, *outer))
    assert sorted(found["other"].select("name", "start_ns", "duration_ns").rows()) == [
        ("inner", 200, 300),
        ("outer", 100, 900),
    ]


def test_a_slice_without_an_end_lasts_until_the_recording_ends_and_an_end_alone_is_said(tmp_path: Path) -> None:
    open_one = event(BEGIN, 11, 400, (23, "open"), flags=0)
    content = trace(
        *MAIN,
        event(END, 11, 50, flags=0),
        *slices("whole", 11, 100, 200),
        open_one,
        event(INSTANT, 11, 1000, (23, "last"), flags=0),
    )
    found, said = frames(tmp_path, content), facts(tmp_path, content)
    assert found["other"].filter(name="open")["duration_ns"].to_list() == [600]
    assert (said.unfinished, said.ends_alone, said.damaged) == (1, 1, 0)


def test_events_that_need_what_their_writer_lost_are_left_out_and_counted(tmp_path: Path) -> None:
    lost = made.message((42, 1), (10, 1))
    said = facts(
        tmp_path,
        trace(
            *MAIN,
            made.Numbers().packet(),
            lost,
            event(INSTANT, 11, 5, (10, 1)),
            event(INSTANT, 11, 6, (23, "kept"), flags=0),
        ),
    )
    assert (said.lost_packets, said.gaps, said.events) == (1, 1, 2 + 1 - 0)


def test_compressed_packets_are_read_where_they_stand(tmp_path: Path) -> None:
    hidden = made.compressed(*slices("inside", 11, 10, 20))
    found = frames(tmp_path, trace(*MAIN, hidden, *slices("outside", 11, 100, 20)))
    assert found["other"]["name"].to_list() == ["inside", "outside"]
    assert facts(tmp_path, trace(*MAIN, *slices("a", 11, 0, 1), made.message((50, b"no zlib")))).bad_archives == 1


def test_annotations_of_every_kind_reach_their_columns_or_the_further_arguments(tmp_path: Path) -> None:
    values = {"bytes": 4096, "ratio": 0.5, "on": True, "text": 'say "hi"', "dims": [[2, 3], []], "nested": {"a": [1]}}
    large = made.annotation(1 << 63, (10, "large"))
    found = frames(tmp_path, trace(*MAIN, *slices("op", 11, 0, 9, "cpu_op", *annotated(**values), (4, large))))
    assert dict(found["extras"].select("key", "value").rows()) == {
        "bytes": "4096",
        "ratio": "0.5",
        "on": "true",
        "text": '"say \\"hi\\""',
        "dims": "[[2, 3], []]",
        "nested": '{"a": [1]}',
        "large": str(1 << 63),
    }


def test_nested_annotations_end_where_they_are_too_deep() -> None:
    value = made.annotation(1)
    for _ in range(200):
        value = made.message((12, value))
    assert json.loads(rendered(value, lambda kind, number: "")) is not None


def test_counters_are_multiplied_and_added_up_as_their_tracks_say(tmp_path: Path) -> None:
    unit = made.message((4, 1024), (5, 1))
    counters = [track(20, "bytes", counter=unit), track(21, "level", counter=b"")]
    samples = [event(COUNTER, 20, at, (30, 2), flags=0) for at in (1, 2, 3)]
    real = event(COUNTER, 21, 4, (44, 2.5), flags=0)
    found = frames(tmp_path, trace(*counters, *samples, real))["counter"]
    assert found.select("name", "value").rows() == [
        ("bytes", 2048.0),
        ("bytes", 4096.0),
        ("bytes", 6144.0),
        ("level", 2.5),
    ]


def test_values_of_counters_that_grow_beyond_floats_are_none(tmp_path: Path) -> None:
    """Multiplied by the factor of their track they overflowed, with a warning on stderr."""
    counters = [track(20, "huge", counter=made.message((4, 1024)))]
    samples = [event(COUNTER, 20, at, (44, value), flags=0) for at, value in ((1, 1e308), (2, 1.5))]
    found = frames(tmp_path, trace(*counters, *samples))["counter"]
    assert found["value"].to_list() == [None, 1536.0]


def test_counters_that_events_carry_along(tmp_path: Path) -> None:
    carried = [(31, 20), (31, 21), (12, 7), (45, 22), (12, 9), (46, 1.5)]
    tracks = [track(number, f"counter {number}", counter=b"") for number in (20, 21, 22)]
    found = frames(tmp_path, trace(*MAIN, *tracks, *slices("op", 11, 0, 9, "cpu_op", *carried)))["counter"]
    assert found.select("name", "value").rows() == [("counter 20", 7.0), ("counter 21", 9.0), ("counter 22", 1.5)]


def described(*counters: tuple[int, str, list[int], list[int]], packed: bool = False) -> bytes:
    """A descriptor of counters: number, name, units to multiply by and to divide by."""
    specs = []
    for number, name, over, under in counters:
        units = (
            [(7, bytes(over)), (8, bytes(under))]
            if packed
            else [*((7, one) for one in over), *((8, one) for one in under)]
        )
        specs.append((1, made.message((1, number), (2, name), *units)))
    return made.message(*specs)


def sampled(time: int, *fields: tuple[int, Any], sequence: int = 1, **values: float) -> bytes:
    """A sample of counters of a GPU, by their numbers: whole or real."""
    own = [
        (2, made.message((1, int(name[1:])), (3 if isinstance(value, float) else 2, value)))
        for name, value in values.items()
    ]
    return made.message((8, time), (10, sequence), (52, made.message(*fields, *own)))


def samples_of(found: dict[str, pl.DataFrame]) -> list[tuple[Any, ...]]:
    return found["counter"].select("process", "name", "start_ns", "value").rows()


@pytest.mark.parametrize("packed", [False, True])
def test_counters_that_an_event_describes_are_of_every_sequence_and_have_units(tmp_path: Path, packed: bool) -> None:
    """Descriptors inside events were not read, and their samples had no name; nor were units."""
    power, read_bytes = (3, "Power", [29], []), (4, "Read", [7], [22])
    first = made.message((10, 1), (52, made.message((1, described(power, read_bytes, packed=packed)), (3, 2))))
    again = (1, described((3, "Other", [], [])))
    content = trace(
        first,
        sampled(10, c3=50, c4=1.5),
        sampled(20, again, c3=70, c4=2.5, sequence=2),
        sampled(30, c3=90, sequence=2),
    )
    found = frames(tmp_path, content)
    assert samples_of(found) == [
        ("GPU 2 Counters", "Power (W)", 10, 70.0),
        ("GPU 2 Counters", "Read (B/s)", 10, 2.5),
        ("GPU 2 Counters", "Power (W)", 20, 90.0),
        ("GPU 2 Counters", "Read (B/s)", 20, None),
        ("GPU 2 Counters", "Power (W)", 30, None),
    ]
    assert facts(tmp_path, content).untimed == 0


def test_a_sample_of_a_gpu_says_what_was_until_then_but_for_pytorch(tmp_path: Path) -> None:
    """A value was shown from its sample on: one sample too late in every trace but PyTorch's."""
    interned = made.message(
        (12, made.message((47, made.message((1, 1), (2, described((0, "Busy", [37], []))), (3, 1)))))
    )
    numbers = interned + made.message((10, 1), (13, 1))
    two = [sampled(at, (4, 1), c0=value) for at, value in ((30, 9), (10, 5), (20, 7))]
    found = frames(tmp_path, trace(numbers, *two))
    assert samples_of(found) == [
        ("GPU 1 Counters", "Busy (%)", 30, None),
        ("GPU 1 Counters", "Busy (%)", 10, 7.0),
        ("GPU 1 Counters", "Busy (%)", 20, 9.0),
    ]
    base = 1_790_000_000_000_000_000
    own = [sampled(base + at, (4, 1), c0=at) for at in (10, 20)]
    found = frames(tmp_path, trace(snapshot({6: base, 1: base}), numbers, *own))
    assert samples_of(found) == [("GPU 1 Counters", "Busy (%)", 10, 10.0), ("GPU 1 Counters", "Busy (%)", 20, 20.0)]


def test_samples_of_counters_that_nothing_describes_are_counted(tmp_path: Path) -> None:
    """They became counters of "GPU -1" without a name."""
    content = trace(*MAIN, *slices("op", 11, 0, 9, "cpu_op"), sampled(10, (4, 9), c0=5), sampled(10, c7=5))
    assert "counter" not in frames(tmp_path, content)
    assert facts(tmp_path, content).lost_packets == 2


def rocprof() -> bytes:
    """Two kernels that overlap on a queue, their launches, a copy and a range, as rocprofv3 writes them."""

    def one(name: str, uuid: int, begin: int, end: int, category: str, number: int, **more: Any) -> list[bytes]:
        said = annotated(begin_ns=begin, end_ns=end, delta_ns=end - begin, kind=11, corr_id=number, **more)
        return slices(name, uuid, begin, end - begin, category, *said, made.fixed(47, number))

    sizes = {"agent": 2, "queue": 1, "workgroup_size": 64, "grid_size": 1024}
    copy = {"src_agent": 2, "dst_agent": 0, "copy_bytes": 4096}
    return trace(
        track(1, process=(77, "app")),
        track(2, parent=1, thread=(77, 77, "app")),
        track(3, "COMPUTE AGENT [2] QUEUE [0] (GPU)"),
        track(4, "COPY to AGENT [0] THREAD [0] (CPU)"),
        *one("hipLaunchKernel", 2, 1000, 1100, "hip_api", 5, operation=9),
        *one("hipLaunchKernel", 2, 1200, 1300, "hip_api", 6, operation=9),
        *one("iteration", 2, 900, 1900, "marker_api", 4),
        *one("MEMORY_COPY_DEVICE_TO_HOST", 4, 1700, 1800, "memory_copy", 7, **copy),
        *one("vec_add", 3, 1500, 1600, "kernel_dispatch", 5, **sizes),
        *one("vec_mul", 3, 1550, 1700, "kernel_dispatch", 6, **sizes),
    )


def test_rocprofv3_kernels_keep_their_times_where_they_overlap_and_find_their_launch(tmp_path: Path) -> None:
    found = frames(tmp_path, rocprof())
    columns = ["name", "start_ns", "duration_ns", "device", "stream", "correlation", "bytes"]
    assert found["activity"].select(columns).rows() == [
        ("MEMORY_COPY_DEVICE_TO_HOST", 1700, 100, 2, None, 7, 4096),
        ("vec_add", 1500, 100, 2, 1, 5, None),
        ("vec_mul", 1550, 150, 2, 1, 6, None),
    ]
    assert found["runtime"].select("category", "correlation").rows() == [("hip_runtime", 5), ("hip_runtime", 6)]
    assert found["annotation"]["name"].to_list() == ["iteration"]
    opened = stepscope.open(str(tmp_path / "made.pftrace"))
    assert opened.show("kernels")["name"].to_list() == ["vec_mul", "vec_add"]


def test_wprof_joins_launches_by_flows_of_a_process_and_leaves_out_its_copies(tmp_path: Path) -> None:
    both = (900 << 32) | 17
    sizes = annotated(device_id=0, stream_id=7, context_id=1, **{f"grid_{one}": 4 for one in "xyz"})
    found = frames(
        tmp_path,
        trace(
            *MAIN,
            track(12, "CUDA", parent=11),
            track(13, "PYTORCH", parent=11),
            track(14, "GPU #0"),
            track(15, "Stream #7 (python 900)", parent=14),
            *slices("cudaLaunchKernel", 12, 100, 20, "CUDA_API", made.fixed(47, both)),
            *slices("aten::add", 13, 50, 100, "PYTORCH"),
            *slices("cudaLaunchKernel", 13, 100, 20, "CUDA_API", made.fixed(47, both)),
            *slices("vec_add", 15, 200, 50, "CUDA_KERNEL", *sizes, made.fixed(47, both)),
        ),
    )
    assert found["activity"].select("process", "thread", "correlation", "grid").rows() == [
        ("0", "7", both, "[4, 4, 4]")
    ]
    assert found["runtime"].select("thread", "correlation").rows() == [("901", both)]
    assert found["operator"].select("name", "thread").rows() == [("aten::add", "901")]
    assert found["other"]["category"].to_list() == ["CUDA_API"]


def test_work_of_a_gpu_finds_its_launch_by_what_that_submits(tmp_path: Path) -> None:
    launch = made.message((3000, made.message((1, 55))))
    stage = made.message((1, 55), (2, 300), (17, "k"), (14, 1), (11, 3))
    stages = made.message((12, made.message((24, made.message((1, 1), (2, "Kernel"))))), (10, 1), (13, 1))
    found = frames(
        tmp_path,
        trace(
            *MAIN,
            stages,
            *slices("launch", 11, 10, 5, "cuda_runtime", launch),
            made.message((8, 100), (53, stage), (10, 1), (13, 2)),
        ),
    )
    assert found["activity"].select("name", "device", "duration_ns").rows() == [("k", 3, 300)]
    assert found["activity"]["correlation"].to_list() == found["runtime"]["correlation"].to_list()


def test_a_process_with_work_on_a_gpu_is_a_rank(tmp_path: Path) -> None:
    def of(process: int, uuid: int) -> list[bytes]:
        flow = made.fixed(47, (process << 32) | 1)
        return [
            track(uuid, process=(process, "python")),
            track(uuid + 1, parent=uuid, thread=(process, process, "main")),
            track(uuid + 2, f"Stream #7 (python {process})"),
            *slices("cudaLaunchKernel", uuid + 1, 100, 20, "CUDA_API", flow),
            *slices("k", uuid + 2, 200, process, "CUDA_KERNEL", *annotated(device_id=0, stream_id=7), flow),
        ]

    (tmp_path / "two.pftrace").write_bytes(trace(*of(30, 10), *of(40, 20)))
    opened = stepscope.open(str(tmp_path / "two.pftrace"))
    assert opened.show("summary")["rank"].to_list() == [0, 1]
    assert opened.show("kernels", rank=0)["total_ns"].to_list() == [30]


@pytest.mark.parametrize(
    ("content", "is_one"),
    [
        (trace(*MAIN), True),
        (trace(snapshot({6: 1}), *MAIN), True),
        (trace(made.message((1, 5), (2, "/host:CPU"))), False),
        (trace(made.message((2, "/device:GPU:0"))), False),
        (b"\n\n\n\n", False),
        (b"", False),
        (b"\n\xff", False),
    ],
)
def test_packets_are_recognised_by_their_fields(content: bytes, is_one: bool, tmp_path: Path) -> None:
    (tmp_path / "file.bin").write_bytes(content)
    assert (registry.recognised(Source(str(tmp_path / "file.bin"))).format == "perfetto") is is_one


def test_the_end_that_is_missing_is_said(tmp_path: Path) -> None:
    whole = trace(*MAIN, *slices("a", 11, 0, 5), *slices("b", 11, 10, 5))
    assert "packets-cut" in said(facts(tmp_path, whole[:-3]))
    assert "packets-broken" in said(facts(tmp_path, whole + b"\xff" * 30))
    with pytest.raises(UnreadableInput, match="no event"):
        facts(tmp_path, trace(*MAIN))
