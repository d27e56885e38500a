"""Tables about kernels that Nsight Compute profiled."""

from __future__ import annotations

from stepscope.schema.columns import (
    Table,
    amount,
    flag,
    ident,
    kernel,
    label,
    measured,
    message,
    named,
    ns,
    prose,
    rank,
    rate,
    share,
    size,
    statistic,
)

_FROM = ("kernel_report",)
_OF = (
    rank(),
    named("report", "file that it was read from"),
    ident("id", "number of the kernel in the report, in order of launches", "ID"),
)
_KEY = ("rank", "report", "id")

KERNEL_REPORTS = Table(
    "kernel_reports",
    "kernels that Nsight Compute profiled, and what limits each",
    (
        *_OF,
        kernel("name", "kernel; of a range the functions of its kernels", "Kernel"),
        label("kind", "what was measured: kernel, or a range of several together"),
        amount("kernels", "kernels of a range, where the report says; null of a single kernel"),
        label("grid", "launch grid; null of a range, whose kernels have different ones"),
        label("block", "block of threads; null of a range"),
        ident("device", "number of the GPU; null where the report does not say", "GPU"),
        ns("duration_ns", "time of the kernel under Nsight Compute, whose clocks may be locked", adds=True),
        share("compute_throughput_pct", "busiest compute unit of the SMs, of its peak", "Compute throughput"),
        share("memory_throughput_pct", "busiest memory unit, of its peak", "Memory throughput"),
        share("dram_throughput_pct", "DRAM, of its peak", "DRAM throughput"),
        share("l2_throughput_pct", "the L2 cache, of its peak", "L2 throughput"),
        share("l1_throughput_pct", "the L1/TEX caches, of their peak while active", "L1 throughput"),
        statistic("registers", "registers per thread"),
        share("achieved_occupancy_pct", "warps that were active, of those that an SM holds", "Achieved occupancy"),
        share("theoretical_occupancy_pct", "most that the launch allows", "Theoretical occupancy"),
        message("occupancy", "what limits how many of its warps an SM holds, and how many there were, in a sentence"),
        share("l1_hit_pct", "sectors that the L1/TEX caches held, of those looked up", "L1 hit rate"),
        share("l2_hit_pct", "sectors that the L2 cache held, of those looked up", "L2 hit rate"),
        label("bottleneck", "what limits it: a cause such as uncoalesced or bank_conflicts, else the busiest unit"),
        message("finding", "what limits it, in a sentence with its figures"),
        message("advice", "what to do", "Recommendation"),
        share(
            "bound_pct",
            "most of its time that removing the cause would save, estimated from its metrics; null for a busy unit",
            "Saving at most",
        ),
        share(
            "estimated_speedup_pct",
            "largest estimate of Nsight Compute's rules for the whole kernel; null without one",
            "Estimated speedup",
        ),
        amount("calls", "launches of its function, grid and block in the trace beside the report; null without one"),
        ns("trace_ns", "time of these in the trace", "Time in the trace"),
        label("what_if", "the same for stepscope what-if: these launches without their bottleneck", "What if"),
    ),
    key=_KEY,
    rows="profiled kernel",
    title="Kernel reports",
    recordings=_FROM,
    first=(
        *("id", "name", "duration_ns", "bottleneck", "bound_pct", "compute_throughput_pct", "memory_throughput_pct"),
        *("achieved_occupancy_pct", "theoretical_occupancy_pct"),
    ),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_METRICS = Table(
    "kernel_metrics",
    "every value of the reports of Nsight Compute",
    (
        *_OF,
        kernel("kernel", "kernel"),
        named("metric", "metric as Nsight Compute names it", wide=True),
        label("unit", "base unit; null where neither the report nor the metric's name says it"),
        measured("value", "value in that unit; null where it is a text or was not measured"),
        named("text", "value that is a text; null for numbers"),
        statistic("instances", "values that the report holds beside it: of instructions or samples"),
    ),
    key=(*_KEY, "metric"),
    rows="metric of a kernel",
    title="Kernel metrics",
    recordings=_FROM,
    first=("id", "kernel", "metric", "value", "unit"),
    needs=_FROM,
    in_report=False,
)

KERNEL_RULES = Table(
    "kernel_rules",
    "what the rules of Nsight Compute say of each kernel",
    (
        *_OF,
        ident("number", "number of the sentence among those of the kernel, from 1"),
        kernel("kernel", "kernel"),
        label("section", "section that the rule belongs to"),
        label("rule", "name of the rule"),
        label("kind", "OPT (optimization), WRN (warning), INF (information) or ERR (error)"),
        label("scope", "what the estimate is of: global (the kernel) or local (one unit); null without one"),
        share("estimated_speedup_pct", "estimate of the rule; null without one", "Estimated speedup"),
        prose("message", "what it says", wide=True),
    ),
    key=(*_KEY, "number"),
    rows="sentence of a rule",
    title="Kernel rules",
    recordings=_FROM,
    first=("id", "kernel", "rule", "kind", "scope", "estimated_speedup_pct", "message"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_STALLS = Table(
    "kernel_stalls",
    "what the warps of each profiled kernel waited for",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label("reason", "warp state, as Nsight Compute names it"),
        rate("cycles", "cycles in this state per issued instruction"),
        share("share_pct", "of all cycles per issued instruction"),
        message("means", "what it means", "Meaning"),
        message("advice", "what to do", "Recommendation"),
    ),
    key=(*_KEY, "reason"),
    rows="warp state of a kernel",
    title="Warp stalls",
    recordings=_FROM,
    first=("id", "kernel", "reason", "cycles", "share_pct", "means"),
    needs=_FROM,
    page="kernel_reports",
)

_CODE = (
    amount("samples", "samples of its warps; null where they were not collected"),
    amount("not_issued", "samples of these in which the scheduler issued no instruction", "Not issued"),
    label("stall", "warp state that most of its samples are in, besides being selected or not; null without samples"),
    amount("executed", "instructions executed, once for each warp; null where they were not counted"),
)
_ACCESS = (
    amount("excessive_sectors", "sectors of L2 that global accesses fetch beyond those that their bytes need"),
    amount("excessive_wavefronts", "wavefronts of shared memory beyond those that its accesses need"),
)

KERNEL_LINES = Table(
    "kernel_lines",
    "source lines of each profiled kernel, with the samples of its warps on them",
    (
        *_OF,
        kernel("kernel", "kernel"),
        named("file", "source file, as it was compiled"),
        ident("line", "number of the line in it"),
        prose("text", "the line; null where the report does not hold the file", wide=True),
        statistic("instructions", "instructions (SASS) that were compiled from it"),
        *_CODE[:1],
        share("samples_pct", "of all samples of the kernel", "Of the samples"),
        *_CODE[1:],
        rate("threads_per_instruction", "threads that executed each instruction, of 32", "Threads"),
        *_ACCESS,
    ),
    key=(*_KEY, "file", "line"),
    rows="line of a kernel",
    title="Kernel lines",
    recordings=_FROM,
    first=("id", "kernel", "file", "line", "samples_pct", "stall", "text"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_INSTRUCTIONS = Table(
    "kernel_instructions",
    "instructions (SASS) of each profiled kernel, with the samples of its warps",
    (
        *_OF,
        kernel("kernel", "kernel"),
        named("function", "function that it stands in: the kernel's own, or one that it calls"),
        ident("offset", "bytes from the beginning of the function"),
        label("opcode", "what it does, without modifiers and operands; null where its bits are not known"),
        named("file", "source file of its line; null without a line table"),
        ident("line", "line that it was compiled from"),
        *_CODE,
        amount("thread_executed", "the same once for each thread"),
        *_ACCESS,
    ),
    key=(*_KEY, "function", "offset"),
    rows="instruction of a kernel",
    title="Kernel instructions",
    recordings=_FROM,
    first=("id", "kernel", "offset", "opcode", "line", "samples", "stall"),
    needs=_FROM,
    page="kernel_reports",
    in_report=False,
)

KERNEL_ROOFLINE = Table(
    "kernel_roofline",
    "profiled kernels against the roofs of their GPU, by precision and level of memory",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label("precision", "what it computed in: fp64, fp32, fp16, or tensor cores by type: tensor bf16, ..."),
        label("level", "level of memory whose traffic counts: dram, l2, l1"),
        rate("intensity", "operations per byte of that level; null without traffic", "FLOPs per byte"),
        rate("achieved_flops", "operations per second of the kernel", "Achieved FLOP/s", unit="FLOP/s"),
        rate("peak_flops", "most that the GPU does at the measured clock", "Peak FLOP/s", unit="FLOP/s"),
        rate("achieved_bandwidth", "bytes per second at that level", unit="B/s"),
        rate("peak_bandwidth", "most that the level moves at the measured clock", unit="B/s"),
        label("bound", "which roof is the lower one at its intensity: memory or compute"),
        share("pct_of_roof", "achieved FLOP/s, of that roof", "Of roofline"),
    ),
    key=(*_KEY, "precision", "level"),
    rows="precision and level of a kernel",
    title="Kernel roofline",
    recordings=_FROM,
    first=("id", "kernel", "precision", "level", "intensity", "achieved_flops", "bound", "pct_of_roof"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_MEMORY = Table(
    "kernel_memory",
    "what moved between the levels of memory in each profiled kernel",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label("link", "which access or level: global_load, shared_store, l2_read, dram_write, ..."),
        label("from_unit", "where the data comes from: kernel, l1, shared, l2, dram, system, peer", "From"),
        label("to_unit", "where it goes", "To"),
        amount("requests", "instructions of warps that access it; null between caches"),
        amount("transfers", "sectors of 32 bytes; of shared memory wavefronts"),
        size("bytes", "bytes that moved; null of shared memory, of which wavefronts are counted"),
        rate("achieved_bandwidth", "bytes per second of the kernel's time", unit="B/s"),
        share("peak_pct", "of the most that the link carries", "Of peak"),
        share("hit_pct", "sectors that the cache on the way held, of those looked up", "Hit rate"),
    ),
    key=(*_KEY, "link"),
    rows="link of a kernel",
    title="Kernel memory",
    recordings=_FROM,
    first=("id", "kernel", "from_unit", "to_unit", "link", "transfers", "bytes", "peak_pct", "hit_pct"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_OCCUPANCY = Table(
    "kernel_occupancy",
    "what limits how many warps of each profiled kernel an SM holds",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label("limit", "what a block uses of an SM: registers, shared_mem, warps, blocks, barriers"),
        statistic("blocks", "most blocks per SM that it allows"),
        statistic("warps", "warps of these blocks"),
        share("occupancy_pct", "these warps, of those that an SM holds", "Occupancy"),
        flag("limiting", "whether no other allows fewer blocks"),
    ),
    key=(*_KEY, "limit"),
    rows="limit of a kernel's occupancy",
    title="Kernel occupancy",
    recordings=_FROM,
    first=("id", "kernel", "limit", "blocks", "warps", "occupancy_pct", "limiting"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_OCCUPANCY_CURVE = Table(
    "kernel_occupancy_curve",
    "how many warps an SM would hold with other registers, block sizes and shared memory",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label(
            "parameter", "what is varied: registers (per thread), block_size (threads), shared_mem (bytes per block)"
        ),
        statistic("setting", "from this value on, up to that of the next row"),
        statistic("warps", "warps that an SM would hold"),
        share("occupancy_pct", "these warps, of those that an SM holds", "Occupancy"),
        flag("present", "whether the launch lies in this row"),
    ),
    key=(*_KEY, "parameter", "setting"),
    rows="step of an occupancy curve",
    title="Kernel occupancy curve",
    recordings=_FROM,
    first=("id", "kernel", "parameter", "setting", "warps", "occupancy_pct", "present"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_PIPES = Table(
    "kernel_pipes",
    "how busy each pipe of the SMs was in each profiled kernel",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label("pipe", "pipe, as Nsight Compute names it"),
        share("utilization_pct", "instructions that it executed, of the most that it can while SMs are active"),
        message("executes", "which instructions it executes"),
    ),
    key=(*_KEY, "pipe"),
    rows="pipe of a kernel",
    title="Kernel pipes",
    recordings=_FROM,
    first=("id", "kernel", "pipe", "utilization_pct", "executes"),
    needs=_FROM,
    page="kernel_reports",
)

KERNEL_DETAILS = Table(
    "kernel_details",
    "figures of each profiled kernel by section of Nsight Compute",
    (
        *_OF,
        kernel("kernel", "kernel"),
        label("section", "section, as Nsight Compute names it"),
        label("label", "figure, as Nsight Compute names it", "Figure"),
        measured("value", "value in that unit; null where it is a text"),
        label("unit", "base unit; null where neither the report nor the metric's name says it"),
        named("text", "value that is a text; null for numbers"),
        named("metric", "metric that it is", wide=True),
    ),
    key=(*_KEY, "section", "label"),
    rows="figure of a kernel",
    title="Kernel details",
    recordings=_FROM,
    first=("id", "kernel", "section", "label", "value", "unit"),
    needs=_FROM,
    page="kernel_reports",
)
