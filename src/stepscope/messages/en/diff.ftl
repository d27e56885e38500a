### Comparisons of recordings: `stepscope diff`.

diff-cannot-compare = cannot compare { $path }
diff-no-trace = it is no trace
diff-no-steps = no step was found in it
diff-record-steps = Record some steps, with prof.step() after each
diff-no-side = one side has no recording
diff-name-sides = write stepscope diff BASE NEW, or --base A --base B --new C --new D
diff-both-ways = recordings are named both as arguments and by --base or --new
diff-ranks-apart = the sides have no rank in common

diff-step-changed = The step is { TIME($size_ns) } { $longer ->
    [yes] slower
   *[no] faster
}, { PCT($size_pct) } ({ TIME($base_ns) } -> { TIME($new_ns) }){ $cause ->
    [none] .
   *[other] : { $cause }.
}
diff-step-same = No change in step time: { TIME($base_ns) } -> { TIME($new_ns) }{ $cause ->
    [none] .
   *[other] . Largest difference: { $cause }.
}
diff-step-unknown = Cannot tell whether step time changed: { TIME($base_ns) } -> { TIME($new_ns) }. Changes below { TIME($smallest_ns) } do not stand out from the noise of these recordings.{ $cause ->
    [none] { "" }
   *[other] {" "}Largest difference: { $cause }.
}
diff-step-range = { $factored ->
    [yes] With the speed of the host factored out, it
   *[no] Without the speed of the host factored out, it
} is { RANGE(TIME($low_ns), TIME($high_ns)) } { $longer ->
    [yes] slower
   *[no] faster
} (95 % interval).
diff-step-around-zero = { $factored ->
    [yes] With the speed of the host factored out, it
   *[no] Without the speed of the host factored out, it
} is between { TIME($low_ns) } faster and { TIME($high_ns) } slower (95 % interval).
diff-unprofiled = Without the profiler, as measured in the same runs: { TIME($base_ns) } ({ RANGE(TIME($base_low_ns), TIME($base_high_ns)) }) -> { TIME($new_ns) } ({ RANGE(TIME($new_low_ns), TIME($new_high_ns)) }).
diff-other-work = Compared are steps that do the same work on both sides. Left out for other launches or input shapes: { $base ->
    [none] { "" }
   *[other] { $base } of the base
}{ $base ->
    [none] { "" }
   *[other] { $new ->
        [none] { "" }
       *[other] {" "}and{" "}
    }
}{ $new ->
    [none] { "" }
   *[other] { $new } of the new side
}. With them, a step takes { TIME($base_ns) } -> { TIME($new_ns) } on average.
diff-identical = No differences: both sides are the same recording, or equal to the nanosecond.

diff-host = The host as a whole is { PCT($size_pct) } { $slower ->
    [yes] slower
   *[no] faster
} in the new { $recordings ->
    [one] recording
   *[other] recordings
}, which makes the step { TIME($size_ns) } { $slower ->
    [yes] slower
   *[no] faster
}: that is the machine or the profiler, not the program.
diff-host-hidden = The host as a whole is { PCT($size_pct) } { $slower ->
    [yes] slower
   *[no] faster
} in the new { $recordings ->
    [one] recording
   *[other] recordings
} and does not count: the step does not depend on it.
diff-host-unknown = Cannot tell whether the host as a whole was faster or slower: too few functions and operators are called equally often on both sides.

diff-hidden-sentence = GPU work changed by { TIME($size_ns) } a step, but step time does not depend on it in these recordings: { $cause }.
diff-no-cause = No function, range or operator accounts for 0.5 % of the step or more.
diff-gone = { $gone } no longer called{ $place ->
    [none] { "" }
   *[other] {" "}in { $place }
}
diff-new = { $new } added{ $place ->
    [none] { "" }
   *[other] {" "}in { $place }
}
diff-replaced = { $gone } replaced by { $new }{ $place ->
    [none] { "" }
   *[other] {" "}in { $place }
}
diff-work = { $more ->
    [yes] more
   *[no] less
} work in { $name }{ $within ->
    [none] { "" }
   *[other] {" "}in { $within }
}
diff-untraced = { $more ->
    [yes] more
   *[no] less
} untraced CPU time{ $after ->
    [none] { "" }
   *[other] {" "}after { $after }
}
diff-untraced-elsewhere = untraced CPU time { $gone ->
    [none] after { $new } added
   *[other] { $new ->
        [none] after { $gone } gone
       *[other] after { $gone } replaced by that after { $new }
    }
}
diff-names-more = { $names } and { $count ->
    [one] one more
   *[other] { $count } more
}
diff-top-level = the outermost frame

diff-unlike = Hardly any work is in both recordings: they look like two different programs.
diff-fact-device = The device differs: { $base } -> { $new }.
diff-fact-torch = PyTorch differs: { $base } -> { $new }.
diff-fact-cuda = The CUDA or ROCm version differs: { $base } -> { $new }.
diff-fact-driver = The driver differs: { $base } -> { $new }.
diff-fact-recorder = The recorder differs: { $base } -> { $new }.
diff-fact-stacks = Stacks were recorded on one side only ({ $base } -> { $new }): times of the host cannot be compared.
diff-fact-shapes = Shapes were recorded on one side only ({ $base } -> { $new }): times of the host cannot be compared.
diff-fact-memory = Memory was recorded on one side only ({ $base } -> { $new }): times of the host cannot be compared.
diff-fact-unknown = unknown

diff-side-base = Base
diff-side-new = New
diff-recording = { $path }, { $count ->
    [one] one step
   *[other] { $count } steps
}{ $left_out ->
    [0] { "" }
   *[other] {" "}of { $recorded }
}{ $rank ->
    [none] { "" }
   *[other] , rank { LABEL($rank) }
}
diff-left-out-why = Left out: the first step, whose beginning is not known, and steps that the recording cut.

diff-section-causes = What makes the difference
diff-section-causes-says = effect on the step, simulated
diff-section-gpu = GPU work that changed
diff-section-gpu-says = the step does not depend on all of it
diff-section-step = The step
diff-section-step-says = parts sum to the step
diff-section-counts = Counts a step
diff-section-counts-says = exact
diff-section-rows = Rows that changed
diff-section-alone = Only on one side
diff-section-alone-says = most frequent first
diff-alone-more = { $count ->
    [one] One more row: --format json
   *[other] { $count } more rows: --format json
}
diff-set-kernel_names = kernel
diff-set-operator_shapes = operator, shapes
diff-set-operator_types = operator, types
diff-set-compiled_regions = compiled region
diff-set-breaking_functions = graph break
diff-unrecorded-operator_shapes = Shapes of inputs are not compared: a recording has none.
diff-unrecorded-operator_types = Types of inputs are not compared: a recording has none.
diff-title-side = side
diff-title-effect = effect
diff-title-cause = cause
diff-title-host = host
diff-title-gpu = GPU
diff-title-part = part
diff-title-what = counted
diff-title-base = base
diff-title-new = new
diff-title-delta = difference
diff-title-outcome = outcome
diff-title-name = name
diff-title-level = of
diff-title-calls = calls
diff-counts-equal = { $count ->
    [0] All counts differ.
    [one] One other count is equal.
   *[other] { $count } other counts are equal.
}
diff-counts-all-equal = All { $count } counts are equal.
diff-explained = { $causes ->
    [1] It accounts
   *[other] Together they account
} for { TIME($explained_ns) } of the difference of { TIME($delta_ns) }{ $host_ns ->
    [0] .
   *[other] ; the speed of the host for { TIME($host_ns) }.
}
diff-rows-rest = Of { $count } rows { $same } are the same within 5 % of the row or 0.5 % of the step; of { $unknown } it is unclear.
diff-rows-more = { $count ->
    [one] One more row: --all
   *[other] { $count } more rows: --all
}
diff-rows-none = No row of a function, operator or kernel differs by 5 % of the row and 0.5 % of the step.
diff-advice-repeat = With one recording a side, only large changes of the host's time stand out from noise. Record each side several times to show smaller ones: stepscope diff --base A1 --base A2 --new B1 --new B2.

diff-whole = The whole comparison

diff-outcome-changed = changed
diff-outcome-same = same
diff-outcome-unknown = unclear
diff-outcome-new = new
diff-outcome-gone = gone

diff-level-module = module
diff-level-function = function
diff-level-range = range
diff-level-operator = operator
diff-level-call = API call
diff-level-kernel = kernel
diff-level-collective = collective
diff-of-host = host
diff-of-gpu = GPU
diff-of-wait = waiting

diff-part-compute = compute
diff-part-communication = communication
diff-part-memcpy = memcpy
diff-part-memset = memset
diff-part-runtime = runtime
diff-part-data_loading = data loading
diff-part-cpu = CPU
diff-part-other = other
diff-part-step = step
diff-part-interval = interval
diff-part-forward = forward
diff-part-backward = backward
diff-part-forward_backward = forward and backward
diff-part-tail = tail
diff-part-host_late = late launch
diff-part-launch_latency = launch latency
diff-part-sync = synchronization
diff-part-memory_copy = memory copy
diff-part-communication_wait = waiting for communication
diff-part-dependency = inter-kernel gap
diff-part-unknown = unknown

diff-count-kernels = kernels
diff-count-collectives = collectives
diff-count-memcpy = memcpy
diff-count-memset = memset
diff-count-memcpy_HtoD_bytes = memcpy HtoD, bytes
diff-count-memcpy_DtoH_bytes = memcpy DtoH, bytes
diff-count-memcpy_DtoD_bytes = memcpy DtoD, bytes
diff-count-memcpy_HtoH_bytes = memcpy HtoH, bytes
diff-count-memcpy_PtoP_bytes = memcpy PtoP, bytes
diff-count-memcpy_unknown_bytes = memcpy of unknown direction, bytes
diff-count-graph_launches = launches of CUDA graphs
diff-count-api_calls = API calls
diff-count-synchronizing_calls = calls that wait for the GPU
diff-count-memory_calls = calls that allocate or free GPU memory
diff-count-operators = operators
diff-count-kernel_names = kernels, by name, that only this side has
diff-count-operator_shapes = operators with input shapes that only this side has
diff-count-operator_types = operators with input types that only this side has
diff-count-compiled_regions = compiled regions that only this side has
diff-count-breaking_functions = functions breaking graphs, with reason, that only this side has
diff-count-compiled_calls = calls of compiled regions
diff-count-graph_breaks = graph breaks (of the whole run)
diff-count-memory_allocated_peak_bytes = peak of allocated GPU memory
diff-count-memory_reserved_peak_bytes = peak of reserved GPU memory
diff-count-host_memory_allocated_peak_bytes = peak of allocated host memory
diff-count-host_memory_reserved_peak_bytes = peak of reserved host memory
diff-take-tables = Name traces, or a table that both recordings hold: stepscope diff BASE NEW --table TABLE
diff-take-snapshots = Compare memory snapshots with: stepscope show memory_diff NEW --base BASE
diff-by-kernel-reports = Reports of Nsight Compute have no steps: compared as with --table kernel_reports.
diff-take-kernel-reports = Compare Nsight Compute reports with: stepscope diff BASE NEW --table kernel_reports
diff-cannot-compare-table = cannot compare the table { $table }
diff-table-own-names = its rows are named by { $column }, which two recordings do not share
diff-table-no-figures = it holds no figures
diff-table-compares = it compares two recordings itself
diff-take-base = Use stepscope show memory_diff NEW --base BASE
diff-table-which = Name a table whose rows have names, such as kernels, memcpy, launches or communication
diff-table-heading = { $table }: { $base ->
    [one] one row
   *[other] { $base } rows
} in the base, { $new ->
    [one] one
   *[other] { $new }
} in the new recording
diff-table-rest = { $differing ->
    [0] All { $same } figures are the same.
    [one] One figure differs, { $same } are the same.
   *[other] { $differing } figures differ, { $same } are the same.
}
diff-table-untested = Figures are totals of the recordings, not per step. Counts and sizes are exact; whether a time or a rate differs by more than noise is not tested here.
diff-title-occurrence = occurrence
diff-outcome-untested = not tested
diff-cause-effect = { $cause } ({ $longer ->
    [yes] +
   *[no] -
}{ TIME($size_ns) })
diff-rank = Rank { LABEL($rank) } of { $count } is compared: its own time, without exposed communication, changed most ({ $longer ->
    [yes] +
   *[no] -
}{ TIME($size_ns) } a step).
diff-aligned-gpu = Aligned: { PCT($joined_pct) } of the GPU work of both steps by module, operator and kernel{ $by_sequence_pct ->
    [none] { "" }
   *[other] , { PCT($by_sequence_pct) } by launch order
}{ $by_name_pct ->
    [none] { "" }
   *[other] , { PCT($by_name_pct) } by kernel name only
}.
diff-aligned-host = { PCT($joined_pct) } of the host work of both steps is in functions, ranges and operators that both have.
diff-section-ranks = Ranks
diff-section-ranks-says = own: without exposed communication
diff-title-rank = rank
diff-title-own-base = own, base
diff-title-own-new = own, new
diff-title-own-delta = own, difference
diff-section-replaced = Kernels replaced
diff-section-replaced-says = aligned by launch order inside one module
diff-title-place = in
diff-title-kernels = kernels
diff-section-phases = Phases
diff-section-phases-says = sum to the step
diff-section-idle = GPU idle
diff-section-idle-says = by cause
diff-table-no-html = a table is compared as text, JSON or Markdown
