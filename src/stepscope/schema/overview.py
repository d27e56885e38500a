"""Tables about a whole rank and its steps."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    flag,
    label,
    message,
    moment,
    named,
    ns,
    rank,
    share,
    statistic,
    step,
)

_BREAKDOWN = (
    ns("compute_ns", "GPU computing"),
    ns("communication_ns", "communication, nothing computing"),
    ns("memcpy_ns", "memcpys, nothing of the above"),
    ns("memset_ns", "memsets, nothing of the above"),
    ns("runtime_ns", "a CUDA or HIP call on the host, GPU idle", "Runtime calls"),
    ns("data_loading_ns", "waiting for the data loader, nothing of the above"),
    ns("cpu_ns", "an operator on the host, nothing of the above", "CPU operators"),
    ns("other_ns", "none of the above: Python, other libraries, waiting"),
)

HEALTH = Table(
    "health",
    "how far the trace can be trusted, check by check",
    (
        rank("rank of the process; null for the profile as a whole"),
        label("check", "what was checked"),
        label("status", "ok, warning or error"),
        message("value", "what was found", "Result"),
        message("detail", "what it means and what to do", wide=True),
    ),
    key=("rank", "check"),
    rows="check",
    per_rank=True,
    digests=("recorded_needs", "recorded_steps", "communication_calls"),
)

SUMMARY = Table(
    "summary",
    "GPU time of each rank: compute, communication, memcpys and memsets, idle",
    (
        rank(),
        named("device", "GPU model"),
        amount("events", "rows of the trace"),
        amount("steps", "steps found"),
        ns("span_ns", "first activity's start to last activity's end"),
        ns("busy_ns", "union of all GPU activity", "GPU busy"),
        ns("idle_ns", "span - busy", "GPU idle"),
        ns("compute_ns", "union of kernels that compute"),
        ns("communication_ns", "union of communication kernels"),
        ns("exposed_communication_ns", "communication not covered by compute"),
        ns("memory_ns", "union of memcpys and memsets", "Memcpy and memset"),
        ns("exposed_memory_ns", "memcpys and memsets covered by neither", "Exposed memcpy"),
        share("overlap_pct", "share of communication covered by compute; null without communication"),
        amount("kernels", "kernels, communication included"),
        amount("memcpys", "memcpys"),
        amount("memsets", "memsets"),
    ),
    key=("rank",),
    rows="rank",
    per_rank=True,
)

ITERATIONS = Table(
    "iterations",
    "iterations of an inference server: phase, batch, time for a token",
    (
        rank(),
        label("phase", "prefill, decode, mixed, or another that the server names"),
        amount("steps", "iterations", "Iterations", adds=True),
        amount("requests", "requests in them, each counted in each iteration", adds=True),
        amount("tokens", "new tokens, of prompts and of answers; null where the server does not say", adds=True),
        statistic("batch", "requests of an iteration, on average"),
        ns("duration_ns", "time of the iterations on the GPU timeline; of a first one it is not known", adds=True),
        statistic("per_token_ns", "duration / tokens of the iterations whose time is known", "Per token"),
        share("busy_pct", "share of that time in which the GPU is busy", "GPU busy"),
    ),
    key=("rank", "phase"),
    rows="phase of an inference server",
    groupings=(Grouping("step", ("rank", "step"), (step(),), rows="iteration of an inference server"),),
)

STEPS = Table(
    "steps",
    "each step's time and its exact breakdown",
    (
        rank(),
        step(),
        moment("start_ns", "start of the host range, on the trace's clock"),
        ns("duration_ns", "length of the host range", "CPU duration"),
        moment("device_end_ns", "end of the last activity launched in the step", "GPU end"),
        ns("lag_ns", "how long after the host range the GPU finished its work", "GPU lag"),
        ns("period_ns", "GPU end to GPU end of the step before: the step's time on the GPU timeline", "GPU period"),
        flag("cut", "the step is cut by the start or end of the recording"),
        *_BREAKDOWN,
    ),
    key=("rank", "step"),
    rows="step",
    per_rank=True,
)
