"""The recordings that a run consists of."""

from __future__ import annotations

from stepscope.schema.columns import Table, amount, flag, ident, label, message, moment, named, ns, rank, statistic

RECORDINGS = Table(
    "recordings",
    "every recording of the run: what wrote it, of which rank, when, on which clock",
    (
        ident("id", "number of the recording, from 0", "ID"),
        label("kind", "trace, memory_snapshot, kernel_report, telemetry, input_pipeline, ..."),
        label("recorder", "what wrote it: Kineto, Nsight Systems, ..."),
        named("recorder_version", "version of that, null where the recording does not say", "Version"),
        rank("rank of the process; null where it belongs to none"),
        named("path", "what it was read from", wide=True),
        moment("start_ns", "start of its first event on the run's clock; null where that is not known"),
        ns("duration_ns", "from there to the end of its last event"),
        label("clock", "what its own times count on: epoch (ns since 1970, as the host had them) or own"),
        label("joined", "how it is on its trace's clock: clock, zone or annotations; null where it is not"),
        statistic("uncertainty_ns", "how far start_ns may be off; null where that is not known"),
        amount("events", "events of it; null where it was not read", adds=True),
        ident("span", "its place among several recordings of one process, from 1; null where it is the only one"),
        statistic("spans", "how many these are"),
        flag("used", "whether the other tables show it"),
        message("note", "why not, or which of several it is"),
    ),
    key=("id",),
    rows="recording",
    page="recordings",
    recordings=(*("trace", "memory_snapshot", "kernel_report", "telemetry", "input_pipeline"),),
    first=("kind", "recorder", "rank", "path", "start_ns", "duration_ns", "joined", "events", "used", "note"),
    digests=("communication_calls",),
)
