"""Tables of what flight recorders and NCCL Inspector say of collectives; a part of `stored.STORE_TABLES`."""

from __future__ import annotations

from typing import Any

import polars as pl

_CODE = pl.UInt32
_INT = pl.Int64
_FLOAT = pl.Float64

STORED_COMMUNICATION: dict[str, dict[str, Any]] = {
    # A collective or message that a flight recorder holds, and what it says of the groups they are of. Sizes are the
    # shapes of the tensors as texts, a stack has a line for each frame, innermost first. Status: the last collectives.
    "collective_record": {
        "event": pl.UInt32,
        "name": _CODE,
        "group": _CODE,
        "group_description": _CODE,
        "group_id": _INT,
        "record": _INT,
        "sequence": _INT,
        "p2p_sequence": _INT,
        "op": _INT,
        "p2p": pl.Boolean,
        "state": _CODE,
        "retired": pl.Boolean,
        "created_ns": _INT,
        "started_seen_ns": _INT,
        "completed_seen_ns": _INT,
        "duration_ns": _INT,
        "timeout_ns": _INT,
        "in_sizes": _CODE,
        "out_sizes": _CODE,
        "in_dtypes": _CODE,
        "out_dtypes": _CODE,
        "thread": _CODE,
        "stack": _CODE,
    },
    "process_group": {"group": _CODE, "group_description": _CODE, "ranks": _CODE},
    # Collectives and messages that NCCL Inspector measured: place and peer are ranks in the communicator.
    "collective_time": {
        "event": pl.UInt32,
        "communicator": _CODE,
        "communicator_name": _CODE,
        "operation": _CODE,
        "p2p": pl.Boolean,
        "sequence": _INT,
        "place": _INT,
        "ranks": _INT,
        "nodes": _INT,
        "peer": _INT,
        "bytes": _INT,
        "duration_ns": _INT,
        "timing": _CODE,
        "algbw": _FLOAT,
        "busbw": _FLOAT,
        "dumped_ns": _INT,
    },
    "group_status": {"group_id": _INT, "enqueued": _INT, "started": _INT, "completed": _INT},
}
