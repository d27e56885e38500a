"""Small logs of telemetry, one of each format."""

from __future__ import annotations

QUERIED = """timestamp, index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks_event_reasons.active
2026/10/03 10:00:01.123, 0, GPU-a, 98 %, 40210 MiB, 312.51 W, 0x0000000000000004
2026/10/03 10:00:01.127, 1, GPU-b, [N/A], 12 MiB, [Not Supported], 0x0000000000000001
timestamp, index, uuid, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks_event_reasons.active
2026/10/03 10:00:02.123, 0, GPU-a, 50 %, 40210 MiB, 300.49 W, 0x0000000000000000
2026/10/03 10:00:02.127, 1, GPU-b, 0 %, 12 MiB, [Not Supported], 0x0000000000000001
"""
MONITORED = """#Date       Time        gpu    pwr  gtemp  mtemp     sm   mclk   pclk
#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %    MHz    MHz
 20261003   10:00:01      0    312     54     61     98   3201   1980
 20261003   10:00:01      1     76     31      -      0   3201    345
#Date       Time        gpu    pwr  gtemp  mtemp     sm   mclk   pclk
#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %    MHz    MHz
 20261003   10:00:02      0    310     55     61     97   3201   1980
"""
EXPORTED = """# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
# TYPE DCGM_FI_DEV_POWER_USAGE gauge
DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",hostname="a, \\"b\\" {c}"} 312.512000 1790000000000
DCGM_FI_DEV_MEMORY_TEMP{gpu="0",UUID="GPU-1",hostname="h"} 9223372036854775794 1790000000000
DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",hostname="h"} 300 1790000001000
"""
PLAIN = "time_ns,gpu_util_pct,power_mw,throttle_reasons\n" + "".join(
    f"{1_790_000_000_000_000_000 + 100_000_000 * at},{at},{400_000 + at},{4 if at >= 5 else 0}\n" for at in range(10)
)
DCGM_MONITORED = """#Entity   POWER   SMCLK   SMACT   NEWFD
ID
GPU 0     312.5   1980    0.750   7
GPU 1     76.25   345     N/A     8
GPU 0     300.5   1980    0.500   7
#Entity   POWER   SMCLK   SMACT   NEWFD
ID
GPU 1     76.75   345     N/A     8
"""
_BASE = 1_790_000_000_000_000_000
OWN = f"""\
{{"stepscope_telemetry":1,"time_ns":{_BASE},"host":"node-3","hz":10,"groups":\
{{"gpu":["gpu0.power_mw","gpu1.power_mw","gpu0.throttle_reasons"],"cpu":["cpu.busy_pct"]}}}}
{{"time_ns":{_BASE},"monotonic_ns":7,"refused":{{"gpu0.energy_mj":"not supported"}}}}
{"".join(f'["gpu",{_BASE + 10**8 * at},{at},{400_000 + at},null,{4 if at >= 5 else 0}]' + chr(10) for at in range(10))}\
["cpu",{_BASE + 100_000_000},8,12.5]
{{"time_ns":{_BASE},"monotonic_ns":9,"values":{{"tree.cpu_pct":250.5,"gpu1.process 7 memory_bytes":1024}}}}
{{"time_ns":{_BASE + 10**9},"monotonic_ns":99,"end":"SIGTERM","samples":10,"cpu_ns":5,"hz":10}}
"""
"""What ``stepscope telemetry`` writes."""

FILES = {
    "q.csv": QUERIED,
    "dmon.log": MONITORED,
    "node.prom": EXPORTED,
    "nvml.csv": PLAIN,
    "dcgmi.log": DCGM_MONITORED,
    "own.telemetry.jsonl": OWN,
}
