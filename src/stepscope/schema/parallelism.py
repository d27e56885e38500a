"""Tables about how a job is split over ranks: its messages, links, pipeline stages and experts."""

from __future__ import annotations

from stepscope.schema.columns import (
    Table,
    amount,
    ident,
    label,
    named,
    ns,
    rank,
    rate,
    share,
    size,
    statistic,
    step,
)

_GROUP = named("group", "process group, by its description, else its number; null where not recorded")
_MATCHED = amount("matched_calls", "calls whose other ranks were found")

MESSAGE_SIZES = Table(
    "message_sizes",
    "communication by message size, in powers of two: are there many small messages?",
    (
        named("op", "collective or message", "Operation"),
        _GROUP,
        statistic("from_bytes", "least size, a power of two or 0; null for calls whose size was not recorded"),
        statistic("below_bytes", "sizes are below this one"),
        amount("calls", "kernels, over all ranks"),
        share("calls_pct", "share of all calls", "Calls %"),
        size("bytes", "bytes of the larger of input and output, over all calls"),
        ns("total_ns", "sum of durations, waiting for other ranks included"),
        ns("transfer_ns", "of it, transferring; null where no call has its partners"),
        share("transfer_pct", "share of all transfer time", "Transfer %"),
        _MATCHED,
        rate(
            "algbw",
            "GB/s (1e9 bytes): bytes of the matched calls / their transfer_ns",
            "Algorithm bandwidth",
            unit="GB/s",
        ),
        rate("busbw", "GB/s per link: algbw x factor of the operation", "Bus bandwidth", unit="GB/s"),
    ),
    key=("op", "group", "from_bytes"),
    rows="class of sizes",
    needs=("gpu",),
)

LINKS = Table(
    "links",
    "bandwidth from rank to rank, where two ranks communicate alone: which link is slow?",
    (
        rank("rank that sends; of a group of two ranks, the first", "src", "Source"),
        rank("rank that receives; of a group of two ranks, the second", "dst", "Destination"),
        label("kind", "send_recv, or the operation of a group of two ranks", "Operation"),
        label("machines", "same, different, or empty where the files do not name them"),
        amount("calls", "messages or collectives of both ranks"),
        size("bytes", "bytes of them; null where no size was recorded"),
        ns("transfer_ns", "what the rank that arrived last saw"),
        rate("bandwidth", "GB/s (1e9 bytes) of calls with a size, with the factor of the operation", unit="GB/s"),
        amount("compared_links", "links with calls of the same kind, machines and size"),
        share("of_median_pct", "bandwidth as a share of the median of those; null with fewer than three"),
        label("verdict", "slow, or empty"),
    ),
    key=("src", "dst", "kind"),
    rows="link",
    needs=("gpu",),
)

PIPELINE = Table(
    "pipeline",
    "pipeline bubbles: how long each stage waits for its neighbours' microbatches",
    (
        rank("rank"),
        step(),
        ident("stage", "stage of the pipeline, from 0; null where messages do not show it"),
        amount("stages", "stages of this pipeline"),
        amount("microbatches", "messages from the stage before, of the first stage to the one behind"),
        ns("duration_ns", "the step's time on the GPU timeline: the sum of the seven parts that follow", "Step time"),
        ns("compute_ns", "kernels that compute"),
        ns("message_wait_ns", "messages wait for the other stage, and nothing computes"),
        ns("message_transfer_ns", "messages transfer, and nothing computes"),
        ns("communication_ns", "other communication, and nothing computes", "Other communication"),
        ns("memory_ns", "exposed memcpys and memsets", "Exposed memcpy"),
        ns("idle_ns", "nothing runs, between the step's first message and its last", "GPU idle"),
        ns("other_idle_ns", "nothing runs, before the first message or after the last"),
        ns("bubble_ns", "message_wait + idle: nothing to compute between microbatches"),
        share("bubble_pct", "share of the step", "Bubble %"),
        share("ideal_pct", "bubble of a non-interleaved schedule with equal stages", "Ideal bubble %"),
        ident("cut", "1 where the recording cut the step"),
    ),
    key=("rank", "step"),
    rows="step of a stage",
    title="Pipeline bubbles",
    needs=("gpu",),
    digests=("pipeline_idle",),
)

EXPERTS = Table(
    "experts",
    "expert load: how evenly all-to-all calls load the ranks of a group",
    (
        _GROUP,
        label("members", "its ranks as recorded"),
        rank("rank"),
        amount("calls", "all-to-all calls"),
        _MATCHED,
        amount("sent_elements", "elements of the inputs, what stays on the rank included"),
        amount("received_elements", "elements of the outputs"),
        amount("load_elements", "elements on the uneven side of each call: what the rank's experts process"),
        share("load_pct", "load as a share of the mean of the group's ranks; 100 is even", "Load of mean"),
        rate("imbalance", "largest load of the group / mean: 1 is even; the same in each row of a group"),
        rate("call_imbalance", "the same of each call, weighted by its mean: uneven calls do not cancel out"),
    ),
    key=("group", "members", "rank"),
    rows="load of a rank",
    title="Expert load",
    needs=("gpu",),
)
