"""Every trace is in one run, whatever the names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepscope.server.grouping import Group, grouped
from stepscope.server.member import Member, pattern, rank_in_path

_PART = st.sampled_from(["rank0", "rank_1", "Rank-2", "job", "10rank", "node_7.1700000000001.pt.trace", "a3", "r"])
_PATHS = st.lists(_PART, min_size=1, max_size=4).map(lambda parts: "/".join(parts) + ".json")
_MEMBERS = st.lists(
    st.builds(
        Member,
        _PATHS,
        st.none() | st.integers(0, 3),
        st.none() | st.integers(0, 4),
        st.sampled_from(["", "MindData"]),
        st.booleans(),
    ),
    unique_by=lambda member: member.path,
    max_size=12,
)


@pytest.mark.long
@given(_MEMBERS)
def test_every_trace_is_in_one_run(members: list[Member]) -> None:
    groups = grouped(members)
    assert sorted(member.path for group in groups for member in (*group.ranks, *group.beside)) == sorted(
        member.path for member in members
    )


@pytest.mark.long
@given(_MEMBERS, st.randoms())
def test_the_order_of_the_files_does_not_matter(members: list[Member], random: object) -> None:
    shuffled = list(members)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert grouped(shuffled) == grouped(members)


def test_ranks_of_names() -> None:
    names = [
        "rank3.json",
        "a/rank_12/trace.json",
        "job.rank-4.gz",
        "10rank/x.json",
        "frank2.json",
        "rank1/x_rank2.json",
    ]
    assert [rank_in_path(name) for name in names] == [3, 12, 4, None, None, 2]
    assert pattern("a/rank_12/trace.json") == "a/rank_*/trace.json"
    assert pattern("rank3.json") == "rank*.json"


def test_worlds_of_different_sizes_are_different_jobs() -> None:
    members = [Member("rank0.json", 0, 2), Member("rank1.json", 1, 4)]
    assert grouped(members) == [Group((members[0],)), Group((members[1],))]


def test_ten_ranks_are_in_order_of_their_numbers() -> None:
    members = [Member(f"rank{number}.json") for number in range(11)]
    assert grouped(members[::-1]) == [Group(tuple(members))]


def test_numbered_files_that_say_their_rank_are_a_job() -> None:
    members = [Member(f"trace_{number}.json", number, 3) for number in range(3)]
    assert grouped(members) == [Group(tuple(members))]
    alone = [Member(f"trace_{number}.json") for number in range(3)]
    assert grouped(alone) == [Group((one,)) for one in alone]


def test_ranks_that_ended_within_their_window_are_a_job() -> None:
    """As `stepscope record` names them: each was an entry of its own."""
    files = [
        f"run/host_{pid}_rank{rank}.179557055616713436{rank}.partial.pt.trace.json.gz" for rank, pid in ((0, 7), (1, 8))
    ]
    members = [Member(file, rank, 2) for rank, file in enumerate(files)]
    assert [[one.path for one in group.ranks] for group in grouped(members)] == [files]


def test_dumps_that_differ_in_the_last_number_are_a_job() -> None:
    dumps = [Member(f"fr_{job}_dump_{number}", recorder="flight recorder") for job in (1, 2) for number in range(3)]
    assert grouped(dumps) == [Group(tuple(dumps[:3])), Group(tuple(dumps[3:]))]


def test_logs_of_nccl_inspector_in_a_folder_are_a_job() -> None:
    logs = [Member(f"{folder}/host-pid{at}.log", recorder="NCCL Inspector") for folder in "ab" for at in (5, 7)]
    assert grouped(logs) == [Group(tuple(logs[:2])), Group(tuple(logs[2:]))]


def test_logs_of_torch_compile_that_name_their_rank_are_a_job_of_their_folder() -> None:
    """Their names end in letters at random: each was a run of its own."""
    ranks = [(folder, rank, end) for folder in "ab" for rank, end in enumerate("xy")]
    names = [f"{folder}/dedicated_log_torch_trace_rank_{rank}_{end}.log" for folder, rank, end in ranks]
    logs = [Member(name, recorder="torch.compile") for name in names]
    assert grouped(logs) == [Group(tuple(logs[:2])), Group(tuple(logs[2:]))]
    alone = [Member(f"dedicated_log_torch_trace_{end}.log", recorder="torch.compile") for end in "pq"]
    assert grouped(alone) == [Group((one,)) for one in alone]
