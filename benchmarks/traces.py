"""The traces that are measured: real recordings, repeated until they are as long as wanted."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from measuring import run

REPOSITORY = Path(__file__).resolve().parent.parent
_RECORDINGS = REPOSITORY.parent / "shared" / "data"
_EXAMPLES = REPOSITORY / "examples"

EXAMPLE = _EXAMPLES / "batch_size.slow.pt.trace.json.gz"
TRAINING = [_RECORDINGS / "h200" / "train" / "dit_30steps.pt.trace.json.gz", EXAMPLE]
DISTRIBUTED = [
    _RECORDINGS / "public" / "hta" / "v100-2rank-ddp-profile_memory-rank1.json.gz",
    _EXAMPLES / "ddp4_straggler" / "rank0.json.gz",
]
"""Recordings by preference; the examples of the repository where the others are missing."""


@dataclass(frozen=True)
class Traces:
    """Traces of any length, made when first asked for and kept in ``folder``."""

    folder: Path

    def training(self, megabytes: int) -> Path:
        """A training run on one GPU; 235 MB is the length of the recording itself."""
        return self._sized(TRAINING, megabytes)

    def distributed(self, megabytes: int) -> Path:
        """One rank of a distributed run, alone in its folder, as HolisticTraceAnalysis wants it."""
        return self._sized(DISTRIBUTED, megabytes)

    def nsys_export(self, copies: int) -> Path:
        """An export of Nsight Systems, repeated.

        Raises:
            FileNotFoundError: there is no recording to repeat.
        """
        target = self.folder / f"nsys.x{copies}.sqlite"
        if not target.exists():
            script = str(Path(__file__).with_name("nsys_export.py"))
            run(
                [
                    sys.executable,
                    script,
                    str(_RECORDINGS / "h200" / "nsys" / "dit_train.sqlite"),
                    str(copies),
                    str(target),
                ]
            )
        return target

    def perfetto(self, megabytes: int) -> tuple[Path, Path]:
        """A training run as a Perfetto trace, and the same events as JSON."""
        source = self.training(megabytes)
        target = self.folder / "perfetto" / f"{source.name.partition('.')[0]}.pftrace.gz"
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            run([sys.executable, str(Path(__file__).with_name("perfetto_copy.py")), str(source), str(target)])
        return target, target.with_name(target.name + ".json.gz")

    def crowded(self, what: str, count: int) -> Path:
        """A made-up trace with so many streams, threads or steps."""
        target = self.folder / f"{what}.{count}.json.gz"
        if not target.exists():
            run([sys.executable, str(Path(__file__).with_name("crowded.py")), what, str(count), str(target)])
        return target

    def _sized(self, recordings: list[Path], megabytes: int) -> Path:
        source = next(path for path in recordings if path.exists())
        copies = max(1, round(megabytes * 1e6 / inflated_bytes(source)))
        if copies == 1:
            return source
        name = f"{source.name.partition('.')[0]}.x{copies}"
        target = self.folder / name / f"{name}.json.gz"
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            print(f"making {target.name}", file=sys.stderr)
            run([sys.executable, str(Path(__file__).with_name("tiling.py")), str(source), str(copies), str(target)])
        return target


def inflated_bytes(path: Path) -> int:
    """Length of what a gzip file of one member holds, up to 4 GiB: its last four bytes."""
    with path.open("rb") as file:
        file.seek(-4, 2)
        return int.from_bytes(file.read(4), "little")
