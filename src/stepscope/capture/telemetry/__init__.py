"""Samples of what the hardware does while a job runs: a process of its own that costs the job next to nothing.

``python -m stepscope.capture.telemetry`` and this folder itself run in any Python from 3.8 on, by the standard library
alone. `process.start` starts it beside a job, `sampling.sample` is the loop, `lines` says what it writes.
"""
