"""Tables about the ranks of a job: who waits for whom, and why."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, message, ns, number, text

CALLS = ("communication_calls", "uncovered", "windows")
"""What these tables are made from of each rank."""

COLLECTIVES = Table(
    "collectives",
    "each collective or message with the kernels of all its ranks, on the job's clock",
    (
        count("collective", "number, by first arrival"),
        count("step", "step in which it was launched; null where that is not known"),
        text("op", "all_reduce, all_gather, ..., send_recv"),
        text("group", "process group, by its description, else its number; null where not recorded"),
        text("dtype", "type of the elements"),
        count("call_bytes", "bytes of the larger of input and output on one rank; null where not recorded"),
        count("ranks", "ranks of the group"),
        count("matched", "ranks whose kernel was found"),
        ns("start_ns", "first arrival"),
        ns("end_ns", "last end"),
        count("first_rank", "rank that arrived first"),
        count("last_rank", "rank that arrived last; of those too near to tell, the one with the shortest kernel"),
        ns("skew_ns", "last arrival - first arrival"),
        ns("transfer_ns", "what the rank that arrived last saw: its kernel's duration"),
        ns("wait_ns", "sum over ranks of what their kernels took longer"),
        ns("lateness_ns", "how much earlier it could begin without the last rank's own delay; null if not known"),
        ns("end_spread_ns", "last end - first end"),
        number("algbw", "GB/s (1e9 bytes): call_bytes / transfer_ns"),
        number("busbw", "GB/s per link: algbw x factor of the operation"),
    ),
    needs=("gpu",),
    digests=CALLS,
    in_report=False,
)

STRAGGLERS = Table(
    "stragglers",
    "which rank is late, how often, by how much, and what it did before",
    (
        count("rank", "rank"),
        text("verdict", "straggler, or empty"),
        ns("lateness_ns", "time per step that collectives began later for this rank's own work alone"),
        number("lateness_pct", "share of the job's step"),
        count("late_steps", "steps that it holds back by more than can be told from chance"),
        count("steps", "steps in which it could be told"),
        text("cause", "what it did longer than the others before it was late; empty without lateness"),
        message("detail", "the kernels, ranges or calls of it; null where none is known"),
        count("votes", "collectives that began late for it"),
        count("collectives", "collectives in which it could be told"),
        number("cause_pct", "share of the lateness that this explains"),
        ns("uncertainty_ns", "lateness per step that cannot be told from chance"),
    ),
    by=("step",),
    needs=("gpu",),
    digests=CALLS,
)

RANK_MATRIX = Table(
    "rank_matrix",
    "each step of each rank on the GPU's clock, with waiting apart from transferring",
    (
        count("rank", "rank"),
        count("step", "number of the step"),
        ns("duration_ns", "the step's time on the GPU's clock: the sum of the seven parts that follow"),
        ns("compute_ns", "kernels that compute"),
        ns("exposed_wait_ns", "communication kernels wait for another rank, and nothing computes"),
        ns("exposed_transfer_ns", "communication kernels transfer, and nothing computes"),
        ns("exposed_unmatched_ns", "communication that could not be told apart, and nothing computes"),
        ns("exposed_memory_ns", "copies and fills alone"),
        ns("idle_ns", "nothing runs"),
        ns("communication_ns", "all communication, overlapped or not"),
        number("overlap_pct", "share of it that computing covers; null without communication"),
        ns("lateness_ns", "time that collectives began later for this rank's own work alone"),
        ns("own_ns", "duration - exposed_wait: the step if nobody were late; null where too much is unmatched"),
        count("cut", "1 where the recording cut the step"),
    ),
    needs=("gpu",),
    digests=CALLS,
)

JOB = Table(
    "job",
    "the job's step against its best rank, and what its communication waits for",
    (
        count("step", "number of the step; null in the mean over steps, the first row"),
        count("ranks", "ranks that have it"),
        ns("duration_ns", "the job's step: the longest of its ranks"),
        count("best_rank", "rank whose step without waiting is the shortest"),
        ns("best_ns", "that step"),
        ns("exposed_wait_ns", "of it, waiting for another rank"),
        ns("exposed_transfer_ns", "of it, transferring"),
        count("waited_for", "rank that is waited for longest"),
        number("waited_for_pct", "share of the waiting that is for it"),
        count("slowest_rank", "rank whose step without waiting is the longest"),
        ns("slowest_ns", "that step"),
        ns("exposed_communication_ns", "mean over ranks: waiting, transferring, and not told apart"),
        ns("exposed_unmatched_ns", "of it, not told apart"),
    ),
    needs=("gpu",),
    digests=CALLS,
)

RANK_WAITS = Table(
    "rank_waits",
    "which rank waits how long for which other",
    (
        count("rank", "rank that waits"),
        count("for_rank", "rank that arrives last"),
        count("collectives", "collectives"),
        ns("wait_ns", "waiting, over all steps"),
        ns("exposed_wait_ns", "of it, while nothing computes"),
    ),
    needs=("gpu",),
    digests=CALLS,
)

CLOCKS = Table(
    "clocks",
    "how far each rank's clock is from the job's, and how sure that is",
    (
        count("rank", "rank"),
        text("host", "machine, as the file's name or the devices tell it"),
        ns("offset_ns", "what is taken off its times to put them on the job's clock, in the middle of the recording"),
        number("drift_ppm", "how much faster its clock runs; null where that cannot be told"),
        ns("uncertainty_ns", "half the range in which the offset lies"),
        count("collectives", "collectives it was estimated from"),
        text("method", "how it was found"),
    ),
    needs=("gpu",),
    digests=CALLS,
)
