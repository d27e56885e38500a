"""Every table of every recording against the oracle, value by value.

The largest recordings are left out of the default run; `slow` has them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import stepscope
from comparison import differences
from oracles import general as oracle

pytestmark = pytest.mark.real_trace

RECORDINGS = [
    "cpu/dataloader_2workers.pt.trace.json",
    "h200/diverse/llama_compile_cudagraphs.pt.trace.json.gz",
    "h200/diverse/llama_no_steps.pt.trace.json.gz",
    "h200/diverse/streams_sync_events.pt.trace.json.gz",
    "h200/pairs/launch_bound_decode.mended.pt.trace.json.gz",
    "h200/pairs/fp32_no_tensor_core.mended.pt.trace.json.gz",
    "h200/pairs/sync_item.slow.pt.trace.json.gz",
    "h200/pairs_light/batch_size.mended.light.pt.trace.json.gz",
    "h200/ranks/collectives4/rank0.json.gz",
    "h200/ranks/ddp4/rank0.json.gz",
    "h200/ranks/fsdp4/rank3.json.gz",
    "h200/train/cnn.step7.pt.trace.json.gz",
    "h200/train/cnn.step12.pt.trace.json.gz",
    "h200/train/dit_compiled.pt.trace.json.gz",
    "public/hta/a100-2rank-nccl_metadata-rank0.json.gz",
    "public/hta/a100-8rank-old_schema-rank3.json.gz",
    "public/hta/a100-cupti_profiler_ranges.json.gz",
    "public/hta/a100-triton-cuda_driver.json.gz",
    "public/hta/broken/distributedInfo_without_rank.json.gz",
    "public/hta/cpu_only-gloo-300rank-rank34.json.gz",
    "public/hta/critical_path/a100-alexnet-cuda_sync.json.gz",
    "public/hta/critical_path/a100-cuda_event_sync_multi_stream.json.gz",
    "public/hta/mi250-rocm6.2-minitoy.json.gz",
    "public/hta/two_rank/sampled-128world-rank1.json.gz",
    "public/tracelens/b200__eager_trace.json.gz",
    "public/tracelens/h100__Qwen_Qwen1.5-0.5B-Chat__1016005.json.gz",
    "public/tracelens/h100__gaunernst_bert-small-uncased__1016001.json.gz",
    "public/tracelens/inference__vllm_prefilldecode_piecewise__graph_execution.json.gz",
    "public/tracelens/mi300__resnet_act_checkpoint.json.gz",
    "public/tracelens/torch_compile_triton__trace.json.gz",
]
LARGE = [
    "h200/diverse/vit_prefetcher.pt.trace.json.gz",
    "public/hta/v100-2rank-ddp-profile_memory-rank1.json.gz",
    "public/tracelens/inference__xdit_sd_3.5__profile_trace_rank_0.json.gz",
]


@pytest.mark.parametrize("name", [*RECORDINGS, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_tables_of_a_recording_say_what_the_oracle_says(shared_data: Path, name: str) -> None:
    path = shared_data / name
    assert differences(stepscope.open(str(path)), oracle.read(path)) == []


@pytest.mark.parametrize("name", ["batch_size.slow.pt.trace.json.gz", "ddp4_straggler/rank2.json.gz"])
def test_tables_of_an_example_say_what_the_oracle_says(examples: Path, name: str) -> None:
    path = examples / name
    assert differences(stepscope.open(str(path)), oracle.read(path)) == []
