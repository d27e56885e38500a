"""Readers of telemetry: logs of ``nvidia-smi``, pages of DCGM's exporter, plain tables with a column
of time, and the lines of ``stepscope telemetry``.

Read: every column or metric with a number, as a counter of its GPU. What has no number is missing, and counted.
Ignored: names of hosts, addresses and numbers of boards, which only tell GPUs apart.
"""
