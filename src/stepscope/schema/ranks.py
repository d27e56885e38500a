"""Tables about the ranks of a job: who waits for whom, and why."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    ident,
    label,
    message,
    moment,
    named,
    ns,
    rank,
    rate,
    share,
    statistic,
    step,
)

CALLS = ("communication_calls", "uncovered", "windows")
"""What these tables are made from of each rank."""

COLLECTIVES = Table(
    "collectives",
    "each collective or message with the kernels of all its ranks, on the job's clock",
    (
        ident("collective", "number, by first arrival"),
        step("step in which it was launched; null where unknown"),
        named("op", "all_reduce, all_gather, ..., send_recv", "Operation"),
        named("group", "process group, by its description, else its number; null where not recorded"),
        label("dtype", "type of the elements", "Data type"),
        statistic(
            "call_bytes", "bytes of the larger of input and output on one rank; null where not recorded", "Message size"
        ),
        amount("ranks", "ranks of the group"),
        amount("matched", "ranks whose kernel was found", "Matched ranks"),
        moment("start_ns", "first arrival", "First arrival"),
        moment("end_ns", "last end", "Last end"),
        rank("rank that arrived first", "first_rank"),
        rank("rank that arrived last; among those too close to call, the one with the shortest kernel", "last_rank"),
        ns("skew_ns", "last arrival - first arrival", "Arrival skew"),
        ns("transfer_ns", "what the rank that arrived last saw: its kernel's duration"),
        ns("wait_ns", "sum over ranks of what their kernels took longer", "Wait"),
        ns("lateness_ns", "how much earlier it could begin without the last rank's own delay; null if unknown"),
        ns("end_spread_ns", "last end - first end"),
        rate("algbw", "GB/s (1e9 bytes): call_bytes / transfer_ns", "Algorithm bandwidth", unit="GB/s"),
        rate("busbw", "GB/s per link: algbw x factor of the operation", "Bus bandwidth", unit="GB/s"),
    ),
    key=("collective",),
    rows="collective",
    needs=("gpu",),
    digests=CALLS,
    in_report=False,
)

STRAGGLERS = Table(
    "stragglers",
    "which rank is late, how often, by how much, and what it did before",
    (
        rank("rank"),
        label("verdict", "straggler, or empty"),
        ns("lateness_ns", "time per step by which this rank's own work delays collectives"),
        share("lateness_pct", "share of the job's step", "Of step"),
        amount("late_steps", "steps that it delays by more than noise"),
        amount("steps", "steps in which lateness could be determined"),
        label("cause", "what it did longer than the others before it was late; empty without lateness"),
        message("detail", "the kernels, ranges or calls of it; null where none is known", wide=True),
        amount("votes", "collectives that it delayed"),
        amount("collectives", "collectives in which lateness could be determined"),
        share("cause_pct", "share of the lateness that this explains", "Explained by cause"),
        ns("uncertainty_ns", "lateness per step that is within noise"),
    ),
    key=("rank",),
    rows="rank",
    first=(
        *("rank", "verdict", "lateness_ns", "lateness_pct", "late_steps", "steps", "cause", "cause_pct", "detail"),
        *("uncertainty_ns", "votes", "collectives"),
    ),
    groupings=(Grouping("step", ("rank", "step"), (step(),), rows="step of a rank"),),
    needs=("gpu",),
    digests=CALLS,
)

RANK_MATRIX = Table(
    "rank_matrix",
    "each step of each rank on the GPU timeline, waiting separate from transfer",
    (
        rank("rank"),
        step(),
        ns("duration_ns", "the step's time on the GPU timeline: the sum of the seven parts that follow", "Step time"),
        ns("compute_ns", "kernels that compute"),
        ns("exposed_wait_ns", "communication kernels wait for another rank, and nothing computes"),
        ns("exposed_transfer_ns", "communication kernels transfer, and nothing computes"),
        ns(
            "exposed_unmatched_ns",
            "communication whose wait and transfer are unknown, and nothing computes",
        ),
        ns("exposed_memory_ns", "exposed memcpys and memsets", "Exposed memcpy"),
        ns("idle_ns", "nothing runs", "GPU idle"),
        ns("communication_ns", "all communication, overlapped or not"),
        share("overlap_pct", "share of it that compute covers; null without communication"),
        ns("lateness_ns", "time by which this rank's own work delays collectives"),
        ns(
            "own_ns",
            "duration - exposed_wait: the step without stragglers; null where too much is unmatched",
            "Without waiting",
        ),
        ident("cut", "1 where the recording cut the step"),
    ),
    key=("rank", "step"),
    rows="step of a rank",
    title="Ranks by step",
    needs=("gpu",),
    digests=CALLS,
)

JOB = Table(
    "job",
    "the job's step against its fastest rank, and what its communication waits for",
    (
        step("number of the step; null in the mean over steps, the first row"),
        amount("ranks", "ranks that have it"),
        ns("duration_ns", "the job's step: the longest of its ranks", "Step time"),
        rank("rank whose step without waiting is the shortest", "best_rank", "Fastest rank"),
        ns("best_ns", "that step", "Fastest rank's step"),
        ns("exposed_wait_ns", "of it, waiting for another rank"),
        ns("exposed_transfer_ns", "of it, transferring"),
        rank("rank that is waited for longest", "waited_for", "Waits most for"),
        share("waited_for_pct", "share of the waiting that is for it", "Of the waiting"),
        rank("rank whose step without waiting is the longest", "slowest_rank"),
        ns("slowest_ns", "that step", "Slowest rank's step"),
        ns("exposed_communication_ns", "mean over ranks: waiting, transfer and unmatched"),
        ns("exposed_unmatched_ns", "of it, unmatched"),
    ),
    key=("step",),
    rows="step of the job",
    title="Step of the job",
    first=(
        *("step", "ranks", "duration_ns", "best_rank", "best_ns", "slowest_rank", "slowest_ns", "exposed_wait_ns"),
        *("waited_for", "waited_for_pct", "exposed_transfer_ns", "exposed_unmatched_ns", "exposed_communication_ns"),
    ),
    needs=("gpu",),
    digests=CALLS,
)

RANK_WAITS = Table(
    "rank_waits",
    "wait matrix: which rank waits how long for which other",
    (
        rank("rank that waits"),
        rank("rank that arrives last", "for_rank", "Waits for rank"),
        amount("collectives", "collectives"),
        ns("wait_ns", "waiting, over all steps", "Wait"),
        ns("exposed_wait_ns", "of it, while nothing computes"),
    ),
    key=("rank", "for_rank"),
    rows="pair of ranks",
    title="Wait matrix",
    needs=("gpu",),
    digests=CALLS,
)

CLOCKS = Table(
    "clocks",
    "clock offset of each rank from the job's clock, and its uncertainty",
    (
        rank("rank"),
        named("host", "machine, as the file's name or the devices show it"),
        ns("offset_ns", "subtracted from its times to put them on the job's clock, in the middle of the recording"),
        rate("drift_ppm", "how much faster its clock runs; null where unknown", "Drift ppm"),
        ns("uncertainty_ns", "half the range in which the offset lies"),
        amount("collectives", "collectives it was estimated from"),
        label("method", "how it was estimated"),
    ),
    key=("rank",),
    rows="clock of a rank",
    title="Rank clocks",
    needs=("gpu",),
    digests=CALLS,
)
