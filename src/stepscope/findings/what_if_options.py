"""What can be changed in the steps of ranks: every kind of change, and the names that take most of their time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from stepscope.analyses.host.source import frames
from stepscope.analyses.kernel_reports.joined import bounds
from stepscope.analyses.ranks.without_straggler import without_stragglers
from stepscope.analyses.roofline.peaks import known_devices
from stepscope.analyses.simulation.changes import KINDS, Kind, parse_change
from stepscope.analyses.simulation.changes.gpu_work import no_gemms
from stepscope.analyses.simulation.changes.profiled import bounds_of_activities
from stepscope.analyses.simulation.changes.straggling import WORD
from stepscope.analyses.simulation.changes.subject import NothingToChange, Subject
from stepscope.analyses.simulation.edits import launched_inside, named_ranges, shares, worked_ns
from stepscope.analyses.simulation.model import Edit, StepModel, timed_ranks
from stepscope.analyses.simulation.unprofiled import unprofiled
from stepscope.errors import BadRequest
from stepscope.findings.detailed_ranks import few_ranks
from stepscope.findings.examination import examine
from stepscope.findings.fixes import fix_of
from stepscope.messages import Message
from stepscope.numeric.intervals import Ints
from stepscope.store.profile import Profile, Rank

_MOST = 6
"""Names of a kind that are offered."""

_MOST_OF = {"no-python": _MOST // 2}
"""Of some kinds fewer."""

_LEAST = 0.01
"""Of the recorded step: what takes less is not offered."""

_MOST_CHARACTERS = 2_000
"""A longer name does not fit into an address beside others."""

_NO_RANGES = r"^ProfilerStep#"


@dataclass(frozen=True)
class Offer:
    """Something that takes time, as a change names it.

    Attributes:
        kind: the word that the change begins with.
        name: what follows the colon.
        host_ns, gpu_ns: time that the change affects, a step, without profiler overhead.
    """

    kind: str
    name: str
    host_ns: float
    gpu_ns: float


@dataclass(frozen=True)
class OfKind:
    """A kind of change, as far as it is known before anything is asked.

    Attributes:
        word: what the change begins with.
        kind: how it is written, and what it stands for.
        affected: what it changes on this rank; None for what needs a name.
        lack: why this rank has nothing to change; None where it has.
    """

    word: str
    kind: Kind
    affected: Message | None = None
    lack: Message | str | None = None


@dataclass(frozen=True)
class Offers:
    """What can be changed.

    Attributes:
        ranks: the ranks that were looked at.
        recorded_ns: time of a step as recorded, on the rank where it is longest.
        kinds: every kind of change, in the order of `KINDS`.
        named: kernels, operators, ranges and files that take most time, by kind, most first; of several ranks each has
            its time on the rank where it takes longest.
        devices: names that ``gpu`` takes; none where the recorded device's peaks are not known.
    """

    ranks: tuple[int, ...]
    recorded_ns: float
    kinds: tuple[OfKind, ...]
    named: tuple[Offer, ...]
    devices: tuple[str, ...]


def offers(profile: Profile) -> Offers:
    """What can be changed in the steps of the ranks that can be simulated, of many of the few examined in detail.

    Raises:
        BadRequest: there is none.
    """
    timed = timed_ranks(profile)
    few = {rank.number for rank in few_ranks(profile).ranks}
    found = [_of_rank(profile, *one) for one in timed if one[0].number in few] or [_of_rank(profile, *timed[0])]
    kinds = tuple(_any_of(alike) for alike in zip(*(one.kinds for one in found), strict=True))
    recorded_ns = max(one.recorded_ns for one in found)
    fixes = [one for one in _fixes(profile) if _fits(one) and _time(one) >= _LEAST * recorded_ns]
    return Offers(
        tuple(number for one in found for number in one.ranks),
        recorded_ns,
        kinds,
        (*_stragglers(profile), *fixes, *_longest(one for rank in found for one in rank.named)),
        tuple(known_devices()) if not next(one.lack for one in kinds if one.word == "gpu") else (),
    )


def _of_rank(profile: Profile, rank: Rank, model: StepModel) -> Offers:
    """What can be changed in the steps of a rank, recommendations apart."""
    edit = unprofiled(rank, model).edits[0]
    subject = Subject(profile, rank, model, "", "", 1.0, fix_of)
    kinds = tuple(_of_kind(word, kind, replace(subject, text=word), edit) for word, kind in KINDS.items())
    named = (
        *_profiled(rank, model),
        *_kernels(rank, model),
        *_operators(rank, model, edit),
        *_ranges(rank, model, edit),
        *_files(rank, model),
    )
    least = _LEAST * model.recorded_ns
    worth = tuple(one for one in named if _fits(one) and _time(one) >= least)
    return Offers((rank.number,), model.recorded_ns, kinds, worth, ())


def _any_of(alike: tuple[OfKind, ...]) -> OfKind:
    """A kind of change as the first rank has it that has something to change; else as the first lacks it."""
    return next((one for one in alike if one.lack is None), alike[0])


def _longest(named: Iterable[Offer]) -> list[Offer]:
    """What takes most time on any rank, each with its time on the rank where it takes longest; by kind, most first."""
    found: dict[str, dict[str, Offer]] = {}
    for one in named:
        alike = found.setdefault(one.kind, {})
        alike[one.name] = max(alike.get(one.name, one), one, key=_time)
    order = {kind: sorted(alike.values(), key=_time, reverse=True) for kind, alike in found.items()}
    return [one for kind, most in order.items() for one in most[: _MOST_OF.get(kind, _MOST)]]


def _time(one: Offer) -> float:
    return one.host_ns + one.gpu_ns


def _of_kind(word: str, kind: Kind, subject: Subject, edit: Edit) -> OfKind:
    """A kind of change tried out; of those with a name only whether the recorded device is known."""
    try:
        if word == "gpu":
            kind.apply(replace(subject, name=known_devices()[0]), edit)
        elif not kind.of:
            changed = kind.apply(subject, edit)
            if _same(changed.edit, edit):
                of_gemms = word == "tensor-cores"
                lack = no_gemms(subject.rank, subject.model) if of_gemms else Message("change-nothing-such")
                return OfKind(word, kind, lack=lack)
            return OfKind(word, kind, changed.affected)
    except NothingToChange as error:
        return OfKind(word, kind, lack=error.found)
    return OfKind(word, kind)


def _same(one: Edit, other: Edit) -> bool:
    """Whether two edits are equal: what a change is about does not occur."""
    arrays = zip((*one.pace, *one.activities), (*other.pace, *other.activities), strict=True)
    same = all(np.array_equal(mine, theirs) for mine, theirs in arrays) and one.own == other.own
    return same and np.array_equal(one.gone, other.gone) and np.array_equal(one.freed, other.freed)


def _fits(offer: Offer) -> bool:
    """Whether the change can be written, and read again; names may hold anything."""
    text = f"{offer.kind}:{offer.name}" + (" x0.5" if KINDS[offer.kind].factor else "")
    if len(text) > _MOST_CHARACTERS or (offer.name.startswith("/") and offer.name.endswith("/")):
        return False
    try:
        return parse_change(text).name == offer.name
    except BadRequest:
        return False


def _largest(names: pl.Series, amount: Ints, most: int = _MOST) -> pl.DataFrame:
    """Columns name and amount (a sum) of the names with most of it."""
    frame = pl.DataFrame({"name": names, "amount": amount}).drop_nulls()
    summed = frame.group_by("name").agg(pl.col("amount").sum())
    return summed.sort("amount", "name", descending=[True, False]).head(most)


def _stragglers(profile: Profile) -> list[Offer]:
    """The ranks that the others wait for; what they take of no rank's own steps."""
    return [Offer(WORD, f"{one.rank}", 0.0, 0.0) for one in without_stragglers(profile)]


def _fixes(profile: Profile) -> list[Offer]:
    """The findings worth fixing on any rank, each once, with the most time that they take on one."""
    spent: dict[str, float] = {}
    for rank in few_ranks(profile).ranks:
        found = examine(profile, rank)
        for one in found.findings if found else ():
            if one.worth:
                spent[one.cause.id] = max(spent.get(one.cause.id, 0.0), one.cause.spent_ns)
    return [Offer("fix", name, ns, 0.0) for name, ns in spent.items()]


def _profiled(rank: Rank, model: StepModel) -> list[Offer]:
    """Functions whose kernels were profiled beside the trace and have something to remove, longest first."""
    found = bounds(rank)
    spent = {
        function: float(model.gpu.activities.duration[bounds_of_activities(rank, model, own) > 0].sum())
        for (function,), own in found.group_by("function", maintain_order=True)
    }
    longest = sorted(spent.items(), key=lambda one: -one[1])[:_MOST]
    return [Offer("kernel-report", str(function), 0.0, ns / model.steps) for function, ns in longest]


def _kernels(rank: Rank, model: StepModel) -> list[Offer]:
    names = rank.trace.text(rank.whole.activity["name"].gather(model.gpu.rows))
    found = _largest(names, model.gpu.activities.duration)
    return [Offer("kernel", name, 0.0, amount / model.steps) for name, amount in found.iter_rows()]


def _operators(rank: Rank, model: StepModel, edit: Edit) -> list[Offer]:
    """Operators with most time of their own, on both sides."""
    codes = rank.trace.frame("operator", ["name"])["name"]
    host = rank.nesting("operator")
    own = np.where((host.start < model.window[1]) & (host.end > model.window[0]), host.nesting.self_ns, 0)
    rows = rank.whole.activity["operator"].gather(model.gpu.rows)
    gpu = pl.DataFrame({"name": codes.gather(rows), "amount": model.gpu.activities.duration})
    names = pl.concat([pl.DataFrame({"name": codes, "amount": own}), gpu], how="vertical_relaxed").drop_nulls()
    found = _largest(rank.trace.text(names["name"]), names["amount"].to_numpy())
    return _both_sides(rank, model, edit, "op", found["name"], ("operator",))


def _ranges(rank: Rank, model: StepModel, edit: Edit) -> list[Offer]:
    """Ranges that the program or PyTorch named."""
    codes = rank.trace.frame("annotation", ["name"])["name"]
    host = rank.nesting("annotation")
    length = np.minimum(host.end, model.window[1]) - np.maximum(host.start, model.window[0])
    names = rank.trace.text(codes)
    counts = names.str.contains(_NO_RANGES).not_().fill_null(False).to_numpy() & (length > 0)
    found = _largest(names.filter(pl.Series(counts)), length[counts])
    of_host = _both_sides(rank, model, edit, "host", found["name"], ("operator", "python", "annotation"))
    # The change leaves alone what they launch.
    return [Offer(one.kind, one.name, one.host_ns, 0.0) for one in of_host]


def _both_sides(
    rank: Rank, model: StepModel, edit: Edit, kind: str, names: pl.Series, tables: tuple[str, ...]
) -> list[Offer]:
    """What changes of some names affect, with everything inside, most first."""
    found = []
    for name in names.to_list():
        ranges = named_ranges(rank, model, _codes(rank, name), tables)
        gpu = float(edit.activities.duration[launched_inside(rank, model, ranges)].sum())
        found.append(Offer(kind, name, worked_ns(model, edit, shares(model, ranges)) / model.steps, gpu / model.steps))
    return sorted(found, key=lambda one: -one.host_ns - one.gpu_ns)


def _codes(rank: Rank, name: str) -> pl.Series:
    return rank.trace.codes(lambda text: text == name)


def _files(rank: Rank, model: StepModel) -> list[Offer]:
    """The user's files with most time in their own Python frames, as recorded."""
    if rank.trace.rows("python") == 0:
        return []
    found = frames(rank)
    host = found.host
    own = np.where((host.start < model.window[1]) & (host.end > model.window[0]), host.nesting.self_ns, 0)
    users = found.names.filter("is_user").select("name", pl.col("source").str.replace(r":\d+$", "").alias("file"))
    rows = pl.DataFrame({"name": found.name}).join(users, "name", "left", maintain_order="left")
    largest = _largest(rows["file"], own, _MOST_OF["no-python"])
    return [Offer("no-python", file, amount / model.steps, 0.0) for file, amount in largest.iter_rows()]
