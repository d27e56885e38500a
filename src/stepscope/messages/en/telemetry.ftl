# What stepscope telemetry says while it samples.

telemetry-began = sampling { NUMBER($hz) } times a second into { $path }; Ctrl-C ends it
telemetry-ended = { $reason ->
    [duration] the time is over
    [process] the process has ended
   *[other] ended by { $reason }
}; stepscope show telemetry { $path }
