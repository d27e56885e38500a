"""What a step of the job would take if a straggler worked like the others.

The one computation behind the finding's saving, the sentence of the verdict and the change ``no-straggler:RANK``. The
other ranks wait for a straggler as long as it is late, so a step shortens by its lateness: by as much more or less as
that is uncertain and as the transfers of a step vary. With another straggler, the job waits for that one then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from stepscope.analyses.ranks.job import job
from stepscope.analyses.ranks.stragglers import STRAGGLER, stragglers
from stepscope.analyses.ranks.transfer_variation import transfer_variation_ns
from stepscope.analyses.ranks.waiting import exchanges_messages
from stepscope.analyses.simulation.ranges import Range
from stepscope.store.profile import Profile


@dataclass(frozen=True)
class WithoutStraggler:
    """A straggler, and the job's step without it.

    Attributes:
        late: its row of the table ``stragglers``.
        step_ns: the mean step of the job as recorded.
        saving_ns: by how much that would be shorter.
        other: the straggler that the job waits for then, None without another.
        has_stages: ranks send each other messages, so the job may wait for another stage then.
    """

    late: Mapping[str, Any]
    step_ns: int
    saving_ns: Range
    other: int | None
    has_stages: bool

    @property
    def rank(self) -> int:
        return int(self.late["rank"])

    @property
    def saving_pct(self) -> Range:
        """Of the job's step; the share of all steps together that the rank is late."""
        scale = self.late["lateness_pct"] / self.late["lateness_ns"]
        return Range(*(scale * of for of in (self.saving_ns.low, self.saving_ns.best, self.saving_ns.high)))

    @property
    def after_ns(self) -> Range:
        """The job's step without the straggler."""
        saved = self.saving_ns
        return Range(*(max(0.0, self.step_ns - of) for of in (saved.high, saved.best, saved.low)))


def without_stragglers(profile: Profile) -> list[WithoutStraggler]:
    """Each selected rank that is a straggler of the whole job in the selected steps, the latest first."""
    every = profile.with_every_rank()
    if len(every.ranks) < 2:
        return []
    late = stragglers(every).filter(pl.col("verdict") == STRAGGLER).rows(named=True)
    if not late:
        return []
    step_ns, shown = job(every)["duration_ns"][0], [rank.number for rank in profile.ranks]
    varies_ns, factor = transfer_variation_ns(every), profile.factor(STRAGGLER)
    found = of_rows(late, step_ns, exchanges_messages(every), varies_ns, factor)
    return [one for one in found if one.rank in shown]


def without_straggler(profile: Profile, rank: int) -> WithoutStraggler | None:
    """What a step would take without a rank's lateness; None where it is no straggler."""
    return next((one for one in without_stragglers(profile) if one.rank == rank), None)


def of_rows(
    late: list[dict[str, Any]], step_ns: int, has_stages: bool, varies_ns: float, factor: float = 1.0
) -> list[WithoutStraggler]:
    """The same of rows of the table ``stragglers``, all of stragglers.

    Args:
        varies_ns: by how much the transfers of a step vary.
        factor: by what ranges are multiplied, as of `Profile.factor`.
    """
    found = []
    for at, row in enumerate(late):
        other = late[1 - min(at, 1)] if len(late) > 1 else None
        saving, unsure = row["lateness_ns"], row["uncertainty_ns"] + round(varies_ns)
        alone = saving - other["lateness_ns"] if other is not None else saving
        low = 0 if has_stages else max(0, alone - unsure)
        wider = Range(low, saving, saving + unsure).wider(factor)
        saved = Range(max(0, round(wider.low)), saving, round(wider.high))
        found.append(WithoutStraggler(row, step_ns, saved, other["rank"] if other else None, has_stages))
    return found
