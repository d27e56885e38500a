"""Tables about how a job is split over ranks: its messages, links, pipeline stages and experts."""

from __future__ import annotations

from stepscope.schema.columns import Table, count, ns, number, text

MESSAGE_SIZES = Table(
    "message_sizes",
    "communication by size of the call, in powers of two: are there many small messages?",
    (
        text("op", "collective or message"),
        text("group", "process group, by its description, else its number; null where not recorded"),
        count("from_bytes", "least size, a power of two or 0; null for calls whose size was not recorded"),
        count("below_bytes", "sizes are below this one"),
        count("calls", "kernels, over all ranks"),
        number("calls_pct", "share of all calls"),
        count("bytes", "bytes of the larger of input and output, over all calls"),
        ns("total_ns", "sum of durations, waiting for other ranks included"),
        ns("transfer_ns", "of it, transferring; null where no call has its partners"),
        number("transfer_pct", "share of all transfer time"),
        count("matched_calls", "calls whose other ranks were found"),
        number("algbw", "GB/s (1e9 bytes): bytes of the matched calls / their transfer_ns"),
        number("busbw", "GB/s per link: algbw x factor of the operation"),
    ),
    needs=("gpu",),
)

LINKS = Table(
    "links",
    "bandwidth from rank to rank, where two ranks alone talk: which link is slow?",
    (
        count("src", "rank that sends; of a group of two ranks, the first"),
        count("dst", "rank that receives; of a group of two ranks, the second"),
        text("kind", "send_recv, or the operation of a group of two ranks"),
        text("machines", "same, different, or empty where the files do not name them"),
        count("calls", "messages or collectives of both ranks"),
        count("bytes", "bytes of them; null where none was recorded"),
        ns("transfer_ns", "what the rank that arrived last saw"),
        number("bandwidth", "GB/s (1e9 bytes) of calls with a size, with the factor of the operation"),
        count("compared_links", "links with calls of the same kind, machines and size"),
        number("of_median_pct", "bandwidth as a share of the median of those; null with fewer than three"),
        text("verdict", "slow, or empty"),
    ),
    needs=("gpu",),
)

PIPELINE = Table(
    "pipeline",
    "pipeline stages: how long each rank waits for its neighbours' microbatches",
    (
        count("rank", "rank"),
        count("step", "number of the step"),
        count("stage", "stage of the pipeline, from 0; null where messages do not tell it"),
        count("stages", "stages of this pipeline"),
        count("microbatches", "messages from the stage before, of the first stage to the one behind"),
        ns("duration_ns", "the step's time on the GPU's clock: the sum of the seven parts that follow"),
        ns("compute_ns", "kernels that compute"),
        ns("message_wait_ns", "messages wait for the other stage, and nothing computes"),
        ns("message_transfer_ns", "messages transfer, and nothing computes"),
        ns("communication_ns", "other communication, and nothing computes"),
        ns("memory_ns", "copies and fills alone"),
        ns("idle_ns", "nothing runs, between the step's first message and its last"),
        ns("other_idle_ns", "nothing runs, before the first message or after the last"),
        ns("bubble_ns", "message_wait + idle: nothing to compute between microbatches"),
        number("bubble_pct", "share of the step"),
        number("ideal_pct", "bubble of a schedule without interleaving whose stages are alike"),
        count("cut", "1 where the recording cut the step"),
    ),
    needs=("gpu",),
    digests=("pipeline_idle",),
)

EXPERTS = Table(
    "experts",
    "how evenly all-to-all calls load the ranks of a group, as experts are loaded",
    (
        text("group", "process group, by its description, else its number; null where not recorded"),
        text("members", "its ranks as recorded"),
        count("rank", "rank"),
        count("calls", "all-to-all calls"),
        count("matched_calls", "calls whose other ranks were found"),
        count("sent_elements", "elements of the inputs, what stays on the rank included"),
        count("received_elements", "elements of the outputs"),
        count("load_elements", "elements on the uneven side of each call: what the rank's experts work on"),
        number("load_pct", "load as a share of the mean of the group's ranks; 100 is even"),
        number("imbalance", "largest load of the group / mean: 1 is even; the same in each row of a group"),
        number("call_imbalance", "the same of each call, weighted by its mean: uneven calls do not cancel out"),
    ),
    needs=("gpu",),
)
