"""Every event and every field of real traces is in the tables, exactly, and nothing else is."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from readers.reproduction import differences, gather, parse
from stepscope.readers.kineto import KinetoReader
from stepscope.readers.sources import Source

EXAMPLES = ["ddp4_straggler/rank0.json.gz", "launch_bound_decode.fixed.pt.trace.json.gz"]

RECORDINGS = [
    "cpu/dataloader_2workers.pt.trace.json",
    "h200/diverse/streams_sync_events.pt.trace.json.gz",
    "h200/train/cnn.step7.pt.trace.json.gz",
    "mindspore/mindinsight-samples/utils/resource/run_2/normal_run/profiler/ascend_timeline_display_1.json",
    "public/hta/a100-cupti_profiler_ranges.json.gz",
    "public/hta/a100-triton-cuda_driver.json.gz",
    "public/hta/broken/no_distributedInfo.json.gz",
    "public/hta/cpu_only-gloo-300rank-rank34.json.gz",
    "public/hta/cpu_only-no_schema-rank0.json.gz",
    "public/hta/critical_path/a100-alexnet-cuda_sync.json.gz",
    "public/hta/critical_path/a100-simple_add-EXPECTED-overlay.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
    "public/hta/two_rank/sampled-128world-rank1.json.gz",
    "public/tracelens/h100__gaunernst_bert-small-uncased__1016001.json.gz",
    "public/tracelens/torch_compile_triton__trace.json.gz",
]


def check(path: Path) -> None:
    with Source(str(path)).open() as stream:
        reader = KinetoReader(stream)
        tables = gather(reader.tables())
    packed = path.read_bytes()
    parsed = parse((gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8", "replace"))
    events = parsed if isinstance(parsed, list) else parsed["traceEvents"]
    facts = reader.facts
    assert facts.events == len(events)
    assert (facts.damaged, facts.truncated, facts.lost_bytes, facts.head_damaged) == (0, None, 0, False)
    assert list(differences(events, tables)) == []


@pytest.mark.long
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_stored_whole(examples: Path, name: str) -> None:
    check(examples / name)


@pytest.mark.real_trace
@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_is_stored_whole(shared_data: Path, name: str) -> None:
    check(shared_data / name)
