"""Programs named ``nsys`` and ``ncu`` that say a version, note how they are called, run the job and leave a report."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import dedent

NSYS_HELP = {
    "2021.1": ["--capture-range=", "--trace=", "--output="],
    "2022.4": [
        "--capture-range=",
        "--capture-range-end=",
        "--cuda-graph-trace=",
        "--gpu-metrics-device=",
        "--cuda-memory-usage=",
    ],
}
"""Options of ``nsys profile`` that differ between versions; an option of a version stays in later ones."""
NSYS_HELP["2023.4"] = [
    *NSYS_HELP["2022.4"],
    "--python-sampling=",
    "--python-sampling-frequency=",
    "--python-backtrace=",
]
NSYS_HELP["2025.3"] = [
    *(one for one in NSYS_HELP["2023.4"] if one != "--gpu-metrics-device="),
    "--gpu-metrics-devices=",
    "--pytorch=",
]
NCU_HELP = {
    "2022.3": ["--set", "--kernel-id", "--launch-skip", "--launch-count", "--clock-control", "--profile-from-start"],
}
NCU_HELP["2025.3"] = [*NCU_HELP["2022.3"], "--filter-mode"]
SETS = {"2022.3": ["default", "detailed", "full", "roofline"], "2025.3": ["basic", "detailed", "full", "roofline"]}

_PROGRAM = """
    #!{python}
    import json, os, signal, subprocess, sys
    given = json.loads({given!r})
    args = sys.argv[1:]
    with open(given["log"], "a") as log:
        log.write(json.dumps([given["name"], *args]) + "\\n")
    if args == ["--version"]:
        print(given["says"])
    elif args[-1:] == ["--help"]:
        print("".join("\\t" + line + "\\n\\n\\t   What it does. See --another-option.\\n\\n" for line in given["help"]))
    elif args == ["--list-sets"]:
        print(given["sets"])
    elif args[0] == "export":
        if given["fails"] == "export":
            sys.exit("\\nthe report is newer than this version")
        target = [one.partition("=")[2] for one in args if one.startswith("--output=")][0]
        open(target, "w").close()
    else:
        out = given["ending"] and [args[args.index("--export") + 1]] if given["name"] == "ncu" else [
            one.partition("=")[2] for one in args if one.startswith("--output=")
        ]
        begin = next(place for place, one in enumerate(args) if one == sys.executable or one == given["job"])
        code = subprocess.call(args[begin:])
        if given["ending"]:
            place = out[0].replace("%h", "node").replace("%p", "7").replace("%q{{RANK}}", os.environ.get("RANK", ""))
            open(place.replace("%i", "1") + given["ending"], "w").close()
        sys.exit(code)
"""


def make_tool(
    folder: Path, name: str, version: str, ending: str | None = None, fails: str = "", job: str = "job"
) -> Path:
    """Put one into a folder; returns the file that it notes its calls in, as a JSON list on each line."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name}.calls"
    is_nsys = name == "nsys"
    sets = [f"{one:<10}no   LaunchStats, Occupancy   44" for one in SETS.get(version, [])]
    given = {
        "name": name,
        "log": str(log),
        "says": f"NVIDIA Nsight Systems version {version}.2.474-0v0"
        if is_nsys
        else f"NVIDIA (R) Nsight Compute Command Line Profiler\nVersion {version}.1.0 (build 1)",
        "help": (NSYS_HELP if is_nsys else NCU_HELP)[version],
        "sets": "\n".join(["Identifier Enabled Sections Metrics", "---- ---- ----", *sets]),
        "ending": (".nsys-rep" if is_nsys else ".ncu-rep") if ending is None else ending,
        "fails": fails,
        "job": job,
    }
    program = folder / name
    program.write_text(dedent(_PROGRAM).lstrip().format(python=sys.executable, given=json.dumps(given)))
    program.chmod(0o755)
    return log


def calls(log: Path, verb: str) -> list[list[str]]:
    """Calls of a tool with this first argument, without the tool's name."""
    found = [json.loads(line)[1:] for line in log.read_text().splitlines()]
    return [one for one in found if one[0] == verb]
