"""Tables about collectives that did not end, from dumps of PyTorch's flight recorder."""

from __future__ import annotations

import polars as pl

from stepscope.schema.columns import Table, amount, flag, ident, label, message, named, ns, rank

_FROM = ("flight_recorder",)
_GROUP = (
    ident("group", "name of the process group", dtype=pl.String),
    named("description", "what the program calls the group; null where it does not"),
)

HANGS = Table(
    "hangs",
    "collectives and messages that did not end, and the ranks that they wait for",
    (
        ident("id", "place among the hangs: what the others follow from is first", "ID"),
        *_GROUP,
        ident("sequence", "number of the collective in its group; null of messages"),
        named("collective", "collective, or send or recv with the ranks"),
        label("cause", "not_entered, wait_cycle, different_sizes, not_started, none_completed, ... (see docs)"),
        flag("follows", "whether the ranks that it lacks wait in another hang, which comes before it", "Follows"),
        message("finding", "what hangs, which rank is waited for and since when"),
        message("advice", "what to look at", "Recommendation"),
        named("suspects", "ranks that the evidence points at; null where it points at none"),
        amount("ranks", "ranks of the group", "Group size"),
        amount("entered", "ranks that entered it"),
        amount("completed", "ranks that completed it"),
        named("waiting_ranks", "ranks that entered and did not complete it", "Waiting ranks"),
        named("missing_ranks", "ranks that have a dump and never entered it", "Missing ranks"),
        named("absent_ranks", "ranks of the group without a dump, or with one that begins later", "No dump"),
        named("since", "when the last of the waiting ranks entered it (UTC)"),
        ns("waited_ns", "time from then to the last time in any dump: they waited at least so long", "Waited at least"),
        ns("timeout_ns", "timeout of the collective"),
        amount("queued", "later collectives of the group that wait behind it"),
        named("sizes", "shapes of its tensors"),
        named("dtypes", "types of its tensors"),
        flag("members_known", "whether a dump says which ranks the group has"),
        named("source", "line of the user's code that called it on a rank that waits", "Source line"),
        named("stack", "stack of that call, innermost first"),
    ),
    key=("id",),
    rows="hang",
    recordings=_FROM,
    first=("collective", "sequence", "group", "cause", "suspects", "waiting_ranks", "since", "source"),
    needs=_FROM,
    page="hangs",
)

HANG_RANKS = Table(
    "hang_ranks",
    "how far each rank came in each process group, and where it called its last collective",
    (
        rank(),
        *_GROUP,
        label("state", "waits, completed, or behind (never entered what others wait in)"),
        named("collective", "first collective that the rank has not completed, else its last one"),
        ident("sequence", "number of that collective in the group"),
        ident("last_entered", "last collective of the group that the rank entered"),
        ident("last_completed", "last one that it completed"),
        amount("pending", "collectives and messages of the group that it entered and has not completed"),
        named("since", "when it entered that collective (UTC)"),
        named("source", "line of the user's code that called it", "Source line"),
        named("stack", "stack of that call, innermost first"),
    ),
    key=("rank", "group"),
    rows="process group of a rank",
    title="Ranks and process groups",
    recordings=_FROM,
    first=("rank", "group", "description", "state", "collective", "sequence", "last_completed", "since", "source"),
    needs=_FROM,
    page="hangs",
)

HANG_CALLS = Table(
    "hang_calls",
    "of each hang of a process group the calls around it, and what became of each on which ranks",
    (
        ident("hang", "hang that it belongs to: its ID in `hangs`"),
        *_GROUP,
        ident("sequence", "number of the call in the group"),
        named("collective", "collective; of ranks without a record of it what others called"),
        named("ranks", "ranks in which all columns are the same but the times"),
        amount("count", "how many these are", "Number of ranks"),
        label("state", "completed, started, scheduled, entered, missing, overwritten or no_dump (see docs)"),
        label("differs", "what ranks have otherwise than the others: collectives, sizes or dtypes; else null"),
        flag("hangs", "whether the group hangs in this call", "Hangs here"),
        named("first", "when the first of the ranks entered it (UTC)", "First entered"),
        named("last", "when the last of them did (UTC)", "Last entered"),
        ident("last_rank", "rank that was the last of them; null where all have one time"),
        named("sizes", "shapes of its inputs"),
        named("dtypes", "types of its inputs"),
        named("last_call", "of ranks that never entered it: the last collective of the group that they called"),
        named("source", "line of the user's code that called it, or that last one", "Source line"),
        named("stack", "stack of that call, innermost first"),
    ),
    key=("hang", "sequence", "ranks"),
    rows="call of some ranks",
    title="Calls around a hang",
    recordings=_FROM,
    first=("hang", "group", "sequence", "collective", "ranks", "state", "differs", "first", "last", "sizes", "source"),
    needs=_FROM,
    page="hangs",
)

COLLECTIVE_RECORDS = Table(
    "collective_records",
    "every collective and message that the flight recorder holds",
    (
        rank(),
        ident("record", "number of the record in the dump, from 0"),
        *_GROUP,
        flag("p2p", "whether it is a message from one rank to another"),
        ident("sequence", "number of the call in its group, of collectives and messages apart"),
        named("collective", "collective or message"),
        named("backend", "nccl, gloo, ..."),
        label("state", "scheduled, started or completed; a backend may not say more than scheduled"),
        flag("done", "whether it is completed, or nothing waits for it any more"),
        named("created", "when the host called it (UTC)"),
        ns("duration_ns", "time on the GPU; null unless TORCH_NCCL_ENABLE_TIMING=1", adds=True),
        ns("timeout_ns", "its timeout"),
        named("in_sizes", "shapes of its inputs", "Input sizes"),
        named("out_sizes", "shapes of its outputs", "Output sizes"),
        named("in_dtypes", "types of its inputs", "Input types"),
        named("source", "line of the user's code that called it", "Source line"),
    ),
    key=("rank", "record"),
    rows="collective or message of a rank",
    title="Collective records",
    recordings=_FROM,
    first=("rank", "group", "sequence", "collective", "state", "done", "created", "in_sizes", "source"),
    needs=_FROM,
    in_report=False,
)
