"""Tables of what the profilers of Ascend NPUs say themselves: of kernels, steps, collectives and links."""

from __future__ import annotations

from stepscope.schema.columns import (
    Grouping,
    Table,
    amount,
    flag,
    ident,
    label,
    mean,
    named,
    ns,
    rank,
    rate,
    share,
    size,
    statistic,
    step,
)

_UNITS = (
    share("cube_pct", "share of the time on cube cores in which they multiplied matrices", "Cube"),
    share("cube_load_pct", "the same in which they loaded from memory (MTE2)", "Cube load"),
    share("cube_feed_pct", "the same in which their buffers were filled (MTE1)", "Cube feed"),
    share("cube_store_pct", "the same in which they wrote results (FixPipe)", "Cube store"),
    share("cube_scalar_pct", "the same in which their scalar unit worked", "Cube scalar"),
    share("vector_pct", "share of the time on vector cores in which these computed", "Vector"),
    share("vector_load_pct", "the same in which they loaded from memory (MTE2)", "Vector load"),
    share("vector_store_pct", "the same in which they wrote to memory (MTE3)", "Vector store"),
    share("vector_scalar_pct", "the same in which their scalar unit worked", "Vector scalar"),
    share("cube_utilization_pct", "what the profiler calls the utilization of the cube cores", "Cube utilization"),
)

NPU_KERNELS = Table(
    "npu_kernels",
    "kernels of an NPU by type, core and shapes, with the units of its cores that worked",
    (
        rank(),
        label("type", "type of the operator"),
        label("core", "what runs it: AI_CORE, AI_VECTOR_CORE, MIX_AIC, MIX_AIV, AI_CPU, DSA, ..."),
        named("shapes", "shapes of the inputs; null where they were not recorded"),
        label("types", "data types of the inputs"),
        label("formats", "formats of the inputs"),
        amount("calls", "how often it ran", adds=True),
        ns("total_ns", "time of all of them", "Total", adds=True),
        share("share_pct", "share of the rank's kernel time without communication", "Share"),
        statistic("mean_ns", "mean", "Mean"),
        ns("wait_ns", "how long its stream had waited before it", "Wait", adds=True),
        mean("cores_used", "cores that it ran on"),
        *_UNITS,
    ),
    key=("rank", "type", "core", "shapes", "types", "formats"),
    rows="kernel by shapes",
    first=("type", "core", "shapes", "calls", "total_ns", "share_pct", "mean_ns", "wait_ns", "cores_used"),
    groupings=(
        Grouping(
            "type",
            ("rank", "type", "core"),
            rows="type of kernels",
            first=("type", "core", "calls", "total_ns", "share_pct", "mean_ns", "wait_ns", "cube_pct", "vector_pct"),
        ),
        Grouping("core", ("rank", "core"), rows="core", first=("core", "calls", "total_ns", "share_pct", "mean_ns")),
    ),
    needs=("npu_kernels",),
)

NPU_STEPS = Table(
    "npu_steps",
    "the parts of each step as an NPU's profiler divides it, and as stepscope measures them",
    (
        rank(),
        step("number of the step; null where the recording has no schedule"),
        ns("computing_ns", "time in which kernels computed, as the profiler has it", "Computing", adds=True),
        ns("measured_computing_ns", "the same of the work launched in the step, as stepscope measures it", adds=True),
        ns("communication_ns", "time in which collectives ran, as the profiler has it", "Communication", adds=True),
        ns("measured_communication_ns", "the same as stepscope measures it", adds=True),
        ns("exposed_ns", "of that, without computing, as the profiler has it", "Not overlapped", adds=True),
        ns("measured_exposed_ns", "the same as stepscope measures it", "Measured not overlapped", adds=True),
        ns("overlapped_ns", "communication while kernels computed, as the profiler has it", "Overlapped", adds=True),
        ns("free_ns", "time with neither, as the profiler has it", "Free", adds=True),
        ns("measured_free_ns", "the same as stepscope measures it: from the first activity to the last", adds=True),
        ns("measured_copies_ns", "of that, with a memcpy", "Measured copies in it", adds=True),
        ns("stage_ns", "from first to last without receiving, as the profiler has it", "Stage", adds=True),
        ns("bubble_ns", "time in hcom_receive, as the profiler has it", "Bubble", adds=True),
        ns("preparing_ns", "from the start of the step to its first work, as the profiler has it", adds=True),
    ),
    key=("rank", "step"),
    rows="step of a rank",
    first=(
        *("rank", "step", "computing_ns", "measured_computing_ns", "communication_ns", "measured_communication_ns"),
        *("free_ns", "measured_free_ns"),
    ),
    needs=("npu_kernels",),
)

NPU_COLLECTIVES = Table(
    "npu_collectives",
    "collectives and messages as HCCL was measured: transfer, waiting for others, and neither",
    (
        rank(),
        label("op", "collective or message", "Operation"),
        named("group", "number by which all ranks know the group"),
        flag("p2p", "whether it is a message between two ranks"),
        amount("calls", "calls", adds=True),
        ns("elapse_ns", "time of all of them", "Total", adds=True),
        ns("transit_ns", "of that, time in which data was moved", "Transfer", adds=True),
        ns("wait_ns", "time in which it waited for other ranks", "Wait", adds=True),
        ns("synchronization_ns", "of that, before the first transfer: for ranks that arrive later", adds=True),
        ns("idle_ns", "time with neither transfer nor wait", "Idle", adds=True),
        share("wait_pct", "share of waiting in waiting and transfer", "Wait share"),
    ),
    key=("rank", "op", "group", "p2p"),
    rows="operation of a group",
    first=("rank", "op", "group", "calls", "elapse_ns", "transit_ns", "wait_ns", "synchronization_ns", "wait_pct"),
    needs=("npu_collectives",),
)

NPU_LINKS = Table(
    "npu_links",
    "what collectives moved over each kind of link between NPUs, and how fast",
    (
        rank(),
        label("transport", "kind of link: HCCS, PCIE, SIO, RDMA, or SDMA for the first three together"),
        label("op", "collective or message", "Operation"),
        amount("calls", "calls that used it", adds=True),
        size("bytes", "what was moved", adds=True),
        ns("transit_ns", "time that this took", "Transfer", adds=True),
        rate("bandwidth", "bytes by time", "Bandwidth", unit="GB/s"),
        amount("packets", "how many pieces; null where that was not recorded", adds=True),
        size("packet_bytes", "mean size of a piece", "Size of a piece"),
        share("large_pct", "share of the pieces that the profiler takes as large, weighted by bytes", "Large pieces"),
    ),
    key=("rank", "transport", "op"),
    rows="kind of link and operation",
    needs=("npu_collectives",),
)

NPU_PAIRS = Table(
    "npu_pairs",
    "what each pair of NPUs moved in collectives, how fast, and the slowest call",
    (
        rank("rank whose recording says so"),
        ident("source", "number in the group of the rank that sends", "From"),
        ident("destination", "number in the group of the rank that receives", "To"),
        rank("rank that sends; null where no recording says which it is", "source_rank", "From rank"),
        rank("rank that receives; null where no recording says which it is", "destination_rank", "To rank"),
        label("transport", "kind of link: LOCAL, HCCS, PCIE, SIO, RDMA"),
        label("op", "collective or message", "Operation"),
        named("group", "number by which all ranks know the group"),
        size("bytes", "what was moved", adds=True),
        ns("transit_ns", "time that this took", "Transfer", adds=True),
        rate("bandwidth", "bytes by time", "Bandwidth", unit="GB/s"),
        rate("fastest", "bandwidth of the fastest call", "Fastest", unit="GB/s"),
        rate("slowest", "bandwidth of the slowest call", "Slowest", unit="GB/s"),
        named("slowest_call", "name of the slowest call", "Slowest call"),
    ),
    key=("rank", "source", "destination", "transport", "op", "group"),
    rows="pair of ranks and operation",
    first=("rank", "source", "destination", "transport", "op", "bytes", "transit_ns", "bandwidth", "slowest"),
    needs=("npu_pairs",),
)
