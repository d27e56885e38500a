"""The iterations of inference servers, by the ranges that these write around them.

vLLM: ``execute_context_2(512)_generation_30(30)``: requests whose prompt is read, and their tokens; requests that get a
next token, and these tokens. Some write the total first (``execute_542_context_...``), and ``sq512sk600...`` in place
of a number of tokens: new tokens, then lengths (vllm/v1/worker/gpu_worker.py, ``annotate_profile``).
SGLang: ``step[EXTEND bs=4 toks=1024]``, ``step[DECODE bs=32]`` (sglang/srt/model_executor/model_runner.py).
"""

from __future__ import annotations

import polars as pl

from stepscope.store.trace import Trace

PREFILL, DECODE, MIXED = "prefill", "decode", "mixed"

ITERATION = r"^execute_(?:\d+_)?context_\d+\([^)]*\)_generation_\d+\([^)]*\)|^step\[\w+"
_VLLM = (
    r"^execute_(?:\d+_)?context_(?<readers>\d+)\((?:sq)?(?<read>\d*)[^)]*\)"
    r"_generation_(?<writers>\d+)\((?:sq)?(?<written>\d*)"
)
_SGLANG = r"^step\[(?<mode>\w+)(?: bs=(?<batch>\d+))?(?: toks=(?<tokens>\d+))?"
_MODES = {"EXTEND": PREFILL, "DECODE": DECODE, "MIXED": MIXED}
_CAPTURE = r"^capture_\d+_"
_FRAMES = r"(?:^|/)(?:vllm|sglang|tensorrt_llm|lmdeploy)/"


def iterations(names: pl.Series) -> pl.DataFrame:
    """What names of iterations say: columns phase, requests, tokens (new ones, of all requests); null where nothing."""
    vllm = names.str.extract_groups(_VLLM).struct.unnest().cast(pl.Int64, strict=False)
    sglang = names.str.extract_groups(_SGLANG).struct.unnest()
    both = pl.concat([vllm, sglang], how="horizontal").with_columns(pl.col("batch", "tokens").cast(pl.Int64))
    reads, writes = pl.col("readers") > 0, pl.col("writers") > 0
    phase = (
        pl.when(reads & writes).then(pl.lit(MIXED)).when(reads).then(pl.lit(PREFILL)).when(writes).then(pl.lit(DECODE))
    )
    mode = pl.col("mode").replace(_MODES)
    named = pl.when(mode.is_in([PREFILL, DECODE, MIXED])).then(mode).otherwise(mode.str.to_lowercase())
    scheduled = pl.when(pl.col("readers").is_not_null()).then(
        pl.col("read").fill_null(0) + pl.col("written").fill_null(0)
    )
    # Every request of a decoding batch gets one token.
    decoded = pl.when(named == DECODE).then("batch")
    return both.select(
        pl.coalesce(phase, named).alias("phase"),
        pl.coalesce(pl.col("readers") + pl.col("writers"), "batch").alias("requests"),
        pl.coalesce(scheduled, "tokens", decoded).alias("tokens"),
    )


def is_served(trace: Trace) -> bool:
    """Whether an inference server made the trace: by its iterations, its captures of graphs, or its frames."""
    ranges = trace.frame("annotation", ["name"])["name"]
    frames = trace.frame("python", ["name"])["name"]
    ours = trace.codes(lambda text: text.str.contains(ITERATION) | text.str.contains(_CAPTURE))
    code = trace.codes(lambda text: text.str.contains(_FRAMES))
    return bool(ranges.is_in(ours.implode()).any() or frames.is_in(code.implode()).any())
