"""Every reader keeps to the same contract. A new one adds an `Example` here."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from building import ascend as ascend_building
from building import flat, kernel, launched, operator, step, write
from building.compiling import training as compile_log
from building.hangs import MadeJob
from building.inspector import MadeLogs
from building.snapshots import small_training
from readers.contract import Example, check_damage, check_determinism, check_empty, check_example
from readers.csv_kernels import EXAMPLE, KernelCsv
from readers.mindspore_files import DATA, GPU, timeline
from readers.ncu_building import details_page, raw_page, report
from readers.ncu_files import LABELS, TWO, UNITS
from readers.nsys_building import as_folder, everything_beside, training
from readers.perfetto_building import AsPyTorch
from readers.rocm_building import MadeRocpd, csv, document
from readers.telemetry_files import FILES
from readers.test_nsys_processes import two_ranks
from readers.test_py_spy import RAW, sampled, speedscope
from stepscope.errors import BadRequest
from stepscope.readers import registry
from stepscope.readers.ascend.format import AscendFolder, AscendTimeline
from stepscope.readers.compile_log.format import CompileLog
from stepscope.readers.flight_recorder.format import FlightRecorderJson, FlightRecorderPickle
from stepscope.readers.kineto_format import Kineto
from stepscope.readers.mindspore.format import MindDataFile, MindDataFolder, MindSporeFolder, MindSporeTimeline
from stepscope.readers.nccl_inspector.format import NcclInspector
from stepscope.readers.ncu.format import NsightComputePage, NsightComputeReport
from stepscope.readers.nsys.format import NsightSystems, NsightSystemsFolder
from stepscope.readers.perfetto.format import Perfetto
from stepscope.readers.py_spy.format import CollapsedStacks, Speedscope
from stepscope.readers.rocm.format import Rocpd, RocprofCsv, RocprofJson
from stepscope.readers.snapshot_format import MemorySnapshots
from stepscope.readers.sources import Source
from stepscope.readers.telemetry.format import DcgmExporter, DcgmMonitor, MonitoredSmi, OwnLines, QueriedSmi, TimedTable


def kineto_trace(folder: Path) -> bytes:
    """A small trace as bytes."""
    events = flat([step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)])
    path = write(folder / "made.json", *events, schemaVersion=1, deviceProperties=[{"id": 0, "name": "NVIDIA H200"}])
    return path.read_bytes()


def ncu_example(kind: str) -> Example:
    """Two kernels, as a report or as a page of it."""
    if kind == "ncu raw":
        return Example(NsightComputePage(), "kernels.csv", raw_page(TWO, UNITS).encode())
    if kind == "ncu details":
        return Example(NsightComputePage(), "kernels.csv", details_page(TWO, LABELS).encode())
    content = report(TWO)
    if kind == "ncu":
        return Example(NsightComputeReport(), "kernels.ncu-rep", content)
    return Example(NsightComputeReport(), "kernels.ncu-rep.gz", gzip.compress(content, mtime=0))


def dump_example(kind: str) -> Example:
    """A dump of the flight recorder, a log of NCCL Inspector or of torch.compile, or samples of py-spy."""
    if kind == "inspector":
        logs = MadeLogs()
        logs.call(1, {0: 100, 1: 90})
        logs.send(1, 0, 1, 20)
        return Example(NcclInspector(), "node-pid1.log", logs.text(0).encode())
    if kind == "samples":
        return Example(Speedscope(), "samples.json", speedscope(sampled([[0, 1], [0]])).encode())
    if kind == "raw samples":
        return Example(CollapsedStacks(), "samples.raw", RAW.encode())
    if kind == "compile log":
        return Example(CompileLog(), "dedicated_log_torch_trace_abc.log", compile_log().text().encode())
    job = MadeJob(2)
    job.call()
    job.call("send 0->1", ranks=[0], state="started")
    if kind == "dump":
        return Example(FlightRecorderPickle(), "dump.pickle", job.pickled(0))
    return Example(FlightRecorderJson(), "dump.json", job.json(0))


def mindspore_example(kind: str) -> Example:
    """A folder of which the first file is damaged, or a file alone."""
    if kind == "mindspore timeline":
        return Example(MindSporeTimeline(), "trace_view.json", json.dumps(timeline()).encode())
    reader, files = (MindSporeFolder(), GPU) if kind == "mindspore" else (MindDataFolder(), DATA)
    (name, content), *others = files.items()
    if kind == "minddata file":
        return Example(MindDataFile(), name, content.encode())
    return Example(reader, name, content.encode(), {other: text.encode() for other, text in others}, is_folder=True)


def ascend_example(kind: str) -> Example:
    """A timeline alone, or the folder of analysed files."""
    (name, content), *others = ascend_building.files().items()
    if kind == "ascend timeline":
        return Example(AscendTimeline(), name, content.encode())
    beside = {other: text.encode() for other, text in others}
    return Example(AscendFolder(), name, content.encode(), beside, is_folder=True)


def perfetto_example(kind: str) -> Example:
    """A trace as PyTorch writes it."""
    events = flat([step(1, 0, 100), operator("aten::mm", 0, 30), launched(kernel("gemm", 20, 60, 1), 10)])
    content = AsPyTorch(events).bytes()
    if kind == "perfetto":
        return Example(Perfetto(), "rank0.pftrace", content)
    return Example(Perfetto(), "rank0.pftrace.gz", gzip.compress(content, mtime=0))


def rocm_example(kind: str, folder: Path) -> Example:
    """A recording of rocprofv3."""
    if kind == "rocpd":
        MadeRocpd(folder / "made.db").add().close()
        return Example(Rocpd(), "77_results.db", (folder / "made.db").read_bytes())
    if kind == "rocprof json":
        return Example(RocprofJson(), "77_results.json", json.dumps(document()).encode())
    (name, content), *others = csv().items()
    return Example(RocprofCsv(), name, content.encode(), {other: text.encode() for other, text in others})


ASCEND = ("ascend", "ascend timeline")
MINDSPORE = ("mindspore", "mindspore timeline", "minddata", "minddata file")
ROCM = ("rocpd", "rocprof json", "rocprof csv")
PERFETTO = ("perfetto", "perfetto gzip")
DUMPS = ("dump", "dump json", "inspector", "compile log", "samples", "raw samples")
NCU = ("ncu", "ncu gzip", "ncu raw", "ncu details")
KINDS = [
    *("kineto", "kineto gzip", "csv", "snapshot", "snapshot gzip", "nsys", "nsys ranks"),
    *(*NCU, *DUMPS, *MINDSPORE, *ASCEND, *PERFETTO, *ROCM, *FILES),
]
FOLDERS = [pytest.param(kind, marks=pytest.mark.long) for kind in ("nsys parquet", "nsys arrow")]


@pytest.fixture(params=[*KINDS, *FOLDERS])
def example(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Example]:
    reader = KernelCsv()
    with registry.added(reader):
        if request.param == "csv":
            yield Example(reader, "kernels.csv", EXAMPLE.encode())
        elif request.param in FILES:
            known = {"q.csv": QueriedSmi, "dmon.log": MonitoredSmi, "node.prom": DcgmExporter, "nvml.csv": TimedTable}
            known |= {"dcgmi.log": DcgmMonitor, "own.telemetry.jsonl": OwnLines}
            yield Example(known[request.param](), request.param, FILES[request.param].encode())
        elif request.param in MINDSPORE:
            yield mindspore_example(request.param)
        elif request.param in ASCEND:
            yield ascend_example(request.param)
        elif request.param in ROCM:
            yield rocm_example(request.param, tmp_path)
        elif request.param in PERFETTO:
            yield perfetto_example(request.param)
        elif request.param in NCU:
            yield ncu_example(request.param)
        elif request.param in DUMPS:
            yield dump_example(request.param)
        elif request.param == "nsys":
            yield Example(NsightSystems(), "export.sqlite", training().write(tmp_path / "made.sqlite").read_bytes())
        elif request.param == "nsys ranks":
            made = everything_beside(two_ranks(20, 30))
            yield Example(NsightSystems(), "export.sqlite", made.write(tmp_path / "made.sqlite").read_bytes())
        elif request.param.startswith("nsys "):
            _, ending = request.param.split()
            folder = as_folder(training().write(tmp_path / "made.sqlite"), tmp_path / "tables", ending)
            files = {path.name: path.read_bytes() for path in folder.iterdir()}
            name = f"CUPTI_ACTIVITY_KIND_KERNEL.{ending}"
            content = files.pop(name)
            yield Example(NsightSystemsFolder(), name, content, files, is_folder=True)
        elif request.param == "snapshot":
            yield Example(
                MemorySnapshots(), "made.pickle", small_training().write(tmp_path / "good.pickle").read_bytes()
            )
        elif request.param == "snapshot gzip":
            content = gzip.compress(small_training().write(tmp_path / "good.pickle").read_bytes(), mtime=0)
            yield Example(MemorySnapshots(), "made.pickle.gz", content)
        elif request.param == "kineto":
            yield Example(Kineto(), "trace.json", kineto_trace(tmp_path))
        else:
            yield Example(Kineto(), "trace.json.gz", gzip.compress(kineto_trace(tmp_path), mtime=0))


@pytest.mark.long
def test_a_good_recording_is_recognised_and_read_whole(example: Example, tmp_path: Path) -> None:
    check_example(example, tmp_path / "made")


@pytest.mark.long
def test_reading_twice_gives_the_same(example: Example, tmp_path: Path) -> None:
    check_determinism(example, tmp_path / "made")


@pytest.mark.long
def test_damage_is_a_sentence_or_a_sound_result(example: Example, tmp_path: Path) -> None:
    check_damage(example, tmp_path / "made")


def test_what_is_no_recording_is_refused(example: Example, tmp_path: Path) -> None:
    check_empty(example, tmp_path / "made")


def test_every_format_has_a_name_of_its_own_and_a_recorder() -> None:
    names = [one.name for one in registry.formats()]
    assert len(set(names)) == len(names)
    assert all(one.recorder and one.kind for one in registry.formats())
    assert all(suffix == suffix.lower() and suffix[0] == "." for suffix in registry.suffixes())


def test_what_nothing_claims_goes_to_the_last_reader(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    source = Source(str(tmp_path / "a.txt"))
    with registry.added(KernelCsv()), source.open() as stream:
        assert registry.reader_of(source, stream).name == "kineto"
        assert stream.peek(5) == b"hello"


def test_a_reader_of_another_package_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name, value = "odd", "odd_package:Reader"

        def load(self) -> object:
            raise ImportError("no such thing")

    registry._installed.cache_clear()
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: [Entry()])
    with pytest.raises(BadRequest, match=r"cannot use the reader odd: importing odd_package:Reader failed"):
        registry.readers()
    monkeypatch.undo()
    registry._installed.cache_clear()
