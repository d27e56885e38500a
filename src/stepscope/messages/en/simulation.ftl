### Answers of what-if.

simulation-rank = Rank { LABEL($rank) }
simulation-method = Simulated from the recorded steps, without profiler overhead, before and after the change. The range contains about four of five such changes where they were measured.
simulation-method-job = Each rank is simulated from its recorded steps, without profiler overhead, before and after the change; it waits for the others as long as recorded, so less work of a straggler alone shortens nothing here: leaving out the wait for it (no-straggler:RANK) does. The range contains about four of five such changes where they were measured.
simulation-method-straggler = From the recorded steps, profiler overhead included: by how much the rank comes later than the others to the collectives because of its own work. The range is what chance and varying transfers leave open.
simulation-job = Step of the job: { $simulated ->
    [yes] ~{ TIME($before_ns) } excluding profiler overhead ({ TIME($recorded_ns) } recorded)
   *[no] { TIME($before_ns) } recorded
} -> ~{ TIME($after_ns) } ({ RANGE(TIME($low_ns), TIME($high_ns)) }).
simulation-before = Step time: { TIME($recorded_ns) } recorded, ~{ TIME($step_ns) } excluding profiler overhead ({ RANGE(TIME($low_ns), TIME($high_ns)) }).
simulation-saving = { TIME($after_ns) } a step, { $longer ->
    [yes] { PCT($change_pct) } longer
   *[no] { PCT($change_pct) } shorter
} ({ RANGE(PCT($low_pct), PCT($high_pct)) }).
simulation-change = { $change }: { $saving }{ $affected ->
    [none] { "" }
   *[other] { " " }It affects { $affected }.
}
simulation-together = All together: { $saving }
simulation-bottleneck = Bottleneck before: { $before } ({ PCT($before_pct) } of the step); after: { $after } ({ PCT($after_pct) }).
simulation-path = Critical path of the step
simulation-path-says = by resource, end to end
simulation-longest = Longest on the critical path afterwards
simulation-side = resource
simulation-name = name
simulation-time = time
simulation-path-before = before
simulation-path-after = after
