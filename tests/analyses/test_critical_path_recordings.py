"""Critical paths of recordings: true to the events, on the side that binds, and like HTA's where that is right."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import stepscope
from building import rows
from oracles import critical_path as critical_path_oracle
from oracles import general as oracle

pytestmark = pytest.mark.real_trace

RECORDINGS = [
    "h200/diverse/streams_sync_events.pt.trace.json.gz",
    "h200/pairs/launch_bound_decode.mended.pt.trace.json.gz",
    "h200/ranks/ddp4/rank0.json.gz",
    "h200/train/cnn.step7.pt.trace.json.gz",
    "public/hta/critical_path/a100-alexnet-cuda_sync.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
]
MORE = [
    "cpu/dataloader_2workers.pt.trace.json",
    "h200/diverse/llama_compile_cudagraphs.pt.trace.json.gz",
    "h200/diverse/llama_no_steps.pt.trace.json.gz",
    "h200/diverse/vit_prefetcher.pt.trace.json.gz",
    "h200/pairs/dataloader_workers.slow.pt.trace.json.gz",
    "h200/pairs/fp32_no_tensor_core.slow.pt.trace.json.gz",
    "h200/pairs/sync_item.slow.pt.trace.json.gz",
    "h200/ranks/collectives4/rank0.json.gz",
    "h200/ranks/fsdp4/rank1.json.gz",
    "public/hta/a100-2rank-nccl_metadata-rank0.json.gz",
    "public/hta/two_rank/sampled-128world-rank0.json.gz",
    "public/tracelens/b200__eager_trace.json.gz",
    "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
]


@pytest.mark.parametrize("name", [*RECORDINGS, *(pytest.param(name, marks=pytest.mark.slow) for name in MORE)])
def test_each_stretch_lies_at_an_event(shared_data: Path, name: str) -> None:
    profile = stepscope.open(str(shared_data / name))
    steps = rows(profile.show("steps"), "step", "start_ns", "duration_ns")
    ranges = [(number, start, start + length) for number, start, length in steps]
    table = profile.show("critical_path", by="event").to_dicts()
    assert critical_path_oracle.violations(table, oracle.read(shared_data / name), ranges) == []


@pytest.mark.parametrize(
    ("name", "kinds", "least_pct"),
    [
        ("pairs/fp32_no_tensor_core.slow.pt", {"compute"}, 95),
        ("pairs_light/fp32_no_tensor_core.slow.light.pt", {"compute"}, 95),
        ("pairs/launch_bound_decode.slow.pt", {"operator", "python", "runtime", "other"}, 99),
        ("pairs/launch_bound_decode.mended.pt", {"compute", "memset", "gpu_gap"}, 99),
        ("pairs/optimizer_for_loop.slow.pt", {"operator", "python", "runtime", "other"}, 95),
        ("pairs/dataloader_workers.slow.pt", {"data_loading"}, 55),
    ],
)
def test_the_path_lies_on_the_side_that_binds(shared_data: Path, name: str, kinds: set[str], least_pct: int) -> None:
    """The bottleneck of each of these was planted."""
    table = stepscope.open(str(shared_data / "h200" / f"{name}.trace.json.gz")).show("critical_path", by="kind")
    assert sum(share for kind, share in rows(table, "kind", "share_pct") if kind in kinds) >= least_pct


def test_it_waits_for_the_gpu_where_the_path_of_hta_does(shared_data: Path) -> None:
    """HTA's path is drawn into this trace. One of its waits is none: the call began after the GPU was done."""
    path = shared_data / "public/hta/critical_path/a100-simple_add-EXPECTED-overlay.json.gz"
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    ends = {
        (event["id"], event["ph"]): event["ts"] * 1000
        for event in events
        if event.get("cat") == "critical_path" and event["args"]["type"] == "critical_path_sync_dependency"
    }
    theirs = sorted(at for (_, phase), at in ends.items() if phase == "f")
    table = stepscope.open(str(path)).show("critical_path", by="event").filter(kind="sync_return")
    ours = [start + length for start, length in rows(table, "start_ns", "duration_ns")]
    assert len(theirs) == 17
    assert ours == theirs[:-1]
    calls = [e for e in events if e.get("cat") == "cuda_runtime"]
    last = next(call for call in calls if (call["ts"] + call["dur"]) * 1000 == theirs[-1])
    done = max(e["ts"] + e["dur"] for e in events if e.get("cat") == "kernel")
    assert last["name"] == "cudaDeviceSynchronize"
    assert last["ts"] > done
