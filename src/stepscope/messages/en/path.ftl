### Parts of the critical path of a simulated step that have no name in the trace, and what a step time rests on.

path-others = others
path-inter-kernel-gap = inter-kernel gap
path-after-event = dependency on an event of another stream
path-launched-earlier = launched before these steps
path-nothing-recorded = nothing recorded
path-measured = without profiler overhead: measured, on steps that the profiler did not record; the range leaves out the shortest and the longest tenth of them
path-estimate = without profiler overhead: intervals between neighbouring CPU events, shortened by what the profiler usually adds to each; the range contains about four of five steps measured without the profiler
path-overhead-unknown = without profiler overhead: unknown, because the overhead of this recorder was not measured
path-several-launch = no rows: several threads launch work at once, so the steps of one cannot be simulated
path-no-steps = no rows: no CPU events were recorded in whole steps

path-side-host = host
path-side-data-loading = data loading
path-side-launch-latency = launch latency
path-side-compute = compute
path-side-communication = communication
path-side-copies = memcpys and memsets
path-side-waiting = waiting

path-between-queued = between queued activities
path-after-event-of-stream = after an event of another stream
path-until-room = until another stream made room
path-not-started = launched, but not started
path-launch-not-recorded = launch not recorded

path-of-no-step = No step with a critical path is in view
path-of-one-rank = The path of rank { LABEL($rank) }: the clocks of the ranks are not joined, so it does not change rank
path-as-recorded = The path of the recorded step, profiler overhead included
