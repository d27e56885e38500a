"""However a job ends, its exit code is its own and what was recorded is kept."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from recorded_jobs import run_fake, steps_of

EARLY = ["steps", 3, 5]
ENDINGS = {
    "raise ValueError('mine')": (1, "exit"),
    "sys.exit(5)": (5, "exit"),
    "os._exit(7)": (7, "os._exit"),
    "os.kill(os.getpid(), signal.SIGTERM)": (143, "SIGTERM"),
    "os.kill(os.getpid(), signal.SIGHUP)": (129, "SIGHUP"),
    "os.kill(os.getpid(), signal.SIGINT)": (130, "exit"),
}


@pytest.mark.parametrize("how", ENDINGS)
def test_what_was_recorded_before_the_end_is_kept(tmp_path: Path, how: str) -> None:
    code, closed = ENDINGS[how]
    job = run_fake(tmp_path, f"def at(step):\n    if step == 5:\n        {how}\n\ntrain(at=at)", when=EARLY)
    assert job.code == code
    assert (job.window["closed"], job.process["closed"], job.process["steps"]) == (closed, closed, 5)
    (file,) = job.files
    assert file.name == job.window["file"]
    assert ".partial." in file.name
    assert steps_of(job.trace) == [3, 4, 5]
    assert job.trace["stepscopeRecording"]["closed"] == closed
    assert job.leftovers == []


def test_a_window_that_the_last_step_completes_is_whole(tmp_path: Path) -> None:
    """The last step has no batch behind it that would end it."""
    job = run_fake(tmp_path, "train(6)", when=EARLY)
    assert (job.window["closed"], job.process["steps"]) == ("end", 6)
    assert ".partial." not in job.files[0].name


def test_of_a_process_killed_within_the_window_nothing_is_left(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path, "train(at=lambda step: os.kill(os.getpid(), signal.SIGKILL) if step == 4 else None)", when=EARLY
    )
    assert (job.code, job.files, job.leftovers) == (137, [], [])


def test_of_a_process_killed_behind_the_window_the_events_are_saved(tmp_path: Path) -> None:
    job = run_fake(
        tmp_path,
        """
        def at(step):
            if step == 7:
                while not any(name.endswith(".gz.tmp") for name in os.listdir(sys.argv[1])):
                    time.sleep(0.01)
                for thread in threading.enumerate():
                    if thread.name == "stepscope-export":
                        thread.join()
                os.kill(os.getpid(), signal.SIGKILL)

        sys.argv.append(os.path.join(os.path.dirname(__file__), "out"))
        train(at=at)
        """,
        when=EARLY,
    )
    assert job.code == 137
    assert job.done[3] == [file.name for file in job.files]
    assert ".partial." in job.files[0].name
    assert steps_of(job.trace) == [3, 4, 5]
    assert job.leftovers == []


@pytest.mark.parametrize("how", ["fail", "cut"])
def test_a_full_disk_costs_the_recording_and_nothing_else(tmp_path: Path, how: str) -> None:
    job = run_fake(tmp_path, "train()\nprint('done')", {"FAKE_EXPORT": how}, when=EARLY)
    assert (job.code, job.out, job.err) == (0, "done\n", "")
    assert (job.files, job.leftovers, job.window["file"]) == ([], [], None)
    reason = {"fail": "No space left on device", "cut": "is the disk full?"}[how]
    assert reason in job.window["problem"]


def test_a_signal_in_the_middle_of_our_own_work_waits_for_its_end(tmp_path: Path) -> None:
    """Sent while the profiler is being stopped behind the window, or before it: then what is done is finished first."""
    job = run_fake(tmp_path, "train()", {"FAKE_SIGNAL": "1"}, when=EARLY, events=0)
    assert (job.code, job.err) == (143, "")
    assert (job.window["closed"], job.process["closed"]) == ("end", "SIGTERM")
    assert steps_of(job.trace) == [3, 4, 5]


def test_a_child_that_is_forked_while_the_file_is_written_does_not_write_to_it(tmp_path: Path) -> None:
    """It has a copy of the buffer, which Python would flush into the file when the child ends."""
    job = run_fake(
        tmp_path,
        """
        def at(step):
            if step == 7:
                child = os.fork()
                if child == 0:
                    sys.exit(0)
                os.waitpid(child, 0)

        train(at=at)
        """,
        when=EARLY,
    )
    assert (job.code, job.err) == (0, "")
    assert steps_of(job.trace) == [3, 4, 5]


def test_the_file_is_whole_json_in_one_gzip_member(tmp_path: Path) -> None:
    """Other programs read it, too, and some of them the first member only."""
    job = run_fake(tmp_path, "train()", when=EARLY)
    data = job.files[0].read_bytes()
    assert gzip.decompress(data).count(b"}\n") >= 1
    import zlib

    inflater = zlib.decompressobj(31)
    inflater.decompress(data)
    assert inflater.eof
    assert inflater.unused_data == b""
