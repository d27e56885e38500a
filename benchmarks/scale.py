"""Measure how the reading of many ranks grows with their number: python benchmarks/scale.py

Files are made by `many_ranks.py` from one rank's recording. Every run is a process of its own with an empty cache.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import median

from measuring import Usage, run

HERE = Path(__file__).resolve().parent
RECORDING = HERE.parent / "examples" / "ddp4_straggler" / "rank0.json.gz"


def main() -> None:
    """Parse the command line, measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=RECORDING, help="a rank's recording")
    parser.add_argument("--ranks", type=int, nargs="+", default=[8, 64, 256], metavar="N")
    parser.add_argument("--steps", type=int, help="repeat the steps of the recording until there are so many")
    parser.add_argument("--pairs", type=int, default=3, metavar="N", help="pairs of runs, by processes and by Dask")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the files here and use them again")
    parser.add_argument("--part", nargs=3, metavar=("WHAT", "DIR", "CLUSTER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        measure(*options.part)
        return
    with tempfile.TemporaryDirectory(prefix="stepscope-scale-") as scratch:
        folder = (options.keep or Path(scratch)).resolve()
        jobs = {count: _job(options, folder, count) for count in sorted(options.ranks)}
        _part("read", jobs[min(jobs)], Path(scratch) / "compiled")
        read = {count: _part("read", job, Path(scratch) / f"cache{count}") for count, job in jobs.items()}
        most = max(jobs)
        cache = Path(scratch) / f"cache{most}"
        again = {what: _part(what, jobs[most], cache) for what in ("open", "summary,steps", "stragglers")}
        middle = jobs[sorted(jobs)[len(jobs) // 2]]
        pairs = [
            [_part("read", middle, Path(scratch) / f"{pair}{cluster}", cluster) for cluster in ("", "local")]
            for pair in range(options.pairs)
        ]
    _tell(read, again)
    _tell_dask(pairs)


def _job(options: argparse.Namespace, folder: Path, count: int) -> Path:
    """A folder with the files of so many ranks: the last ones are late in every step."""
    out = folder / f"{options.source.parent.name}-{count}-{options.steps or 'as recorded'}"
    if not (out / "truth.json").is_file():
        steps = ["--steps", str(options.steps)] if options.steps else []
        late = ["--straggler", str(count - 1), "--extra-ms", "20"]
        command = [sys.executable, str(HERE / "many_ranks.py"), str(options.source), str(count), str(out)]
        subprocess.run([*command, *steps, *late], check=True, stdout=subprocess.DEVNULL)
    return out


def _part(what: str, job: Path, cache: Path, cluster: str = "") -> tuple[Usage, dict[str, float]]:
    """Run one part of the measurement in a process of its own."""
    command = [sys.executable, str(Path(__file__).resolve()), "--part", what, str(job), cluster]
    print(f"measuring {what} {job.name} {cluster}", file=sys.stderr)
    used = run(command, {"STEPSCOPE_CACHE": str(cache)})
    return used, json.loads(used.output.splitlines()[-1])


def measure(what: str, folder: str, cluster: str) -> None:
    """In a process of its own: open a folder of ranks, make tables of it, print what that took."""
    from stepscope.analyses import load_analyses, make_table
    from stepscope.analyses.per_rank import preparation
    from stepscope.schema import TABLES
    from stepscope.store.cluster import Cluster
    from stepscope.store.opening import open_profile
    from stepscope.store.options import ReadOptions

    wanted = [name for name in ("summary", "steps", "health", "stragglers", "job") if name in TABLES]
    tables = [name for name in what.split(",") if name in TABLES]
    load_analyses()
    if cluster:
        Cluster(cluster).close()  # it starts now: not part of the reading
    begin = time.perf_counter()
    processes = None if what != "read" or cluster else len(os.sched_getaffinity(0))
    profile = open_profile(
        folder, ReadOptions(processes=processes, scheduler=cluster, after=preparation(wanted if what == "read" else []))
    )
    opened = time.perf_counter()
    for name in tables:
        make_table(profile, name)
    made = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps({"open_s": opened - begin, "tables_s": made - opened, "peak": peak, "ranks": len(profile.ranks)}))


def _tell(
    read: dict[int, tuple[Usage, dict[str, float]]],
    again: dict[str, tuple[Usage, dict[str, float]]],
) -> None:
    cores = len(os.sched_getaffinity(0))
    print(f"{cores} cores, load {os.getloadavg()[0]:.1f}")
    counts = sorted(read)
    for count in counts:
        used, found = read[count]
        print(
            f"read {count} ranks: {found['open_s']:.1f} s, {used.cpu:.1f} CPU s in all processes; "
            f"{found['open_s'] / count:.3f} s, {used.cpu / count:.3f} CPU s a rank; parent {found['peak'] / 1e6:.0f} MB"
        )
    for fewer, more in pairwise(counts):
        wall = (read[more][1]["open_s"] - read[fewer][1]["open_s"]) / (more - fewer)
        cpu = (read[more][0].cpu - read[fewer][0].cpu) / (more - fewer)
        print(f"each rank from {fewer} to {more}: {wall:.3f} s, {cpu:.3f} CPU s")
    for what, (used, found) in again.items():
        print(
            f"{what} of {counts[-1]} ranks in the cache: {found['open_s']:.2f} s opening, {found['tables_s']:.2f} s "
            f"tables, {used.wall:.2f} s the whole process, {used.cpu:.2f} CPU s, {found['peak'] / 1e6:.0f} MB"
        )


def _tell_dask(pairs: list[list[tuple[Usage, dict[str, float]]]]) -> None:
    """The ratios of the pairs; the cluster is there already, the processes have to start."""
    ratios = sorted(dask[1]["open_s"] / pool[1]["open_s"] for pool, dask in pairs)
    cpu = median(dask[0].cpu / pool[0].cpu for pool, dask in pairs)
    print(
        f"Dask on this machine / processes, {int(pairs[0][0][1]['ranks'])} ranks: wall {median(ratios):.2f} "
        f"({ratios[0]:.2f}-{ratios[-1]:.2f}), CPU {cpu:.2f}, start of the cluster aside"
    )


if __name__ == "__main__":
    main()
