# What stepscope nsys says of a job.

nsys-done = { $reports ->
    [one] 1 report of Nsight Systems
   *[other] { $reports } reports of Nsight Systems
} recorded and exported: { $folder }
nsys-printed-steps = the command above records between the script's own calls of torch.cuda.profiler.start and stop; run without --print, stepscope makes these calls at the steps
nsys-left-out = Nsight Systems { $version } cannot record "{ $record }": it is left out
nsys-ends-job = Nsight Systems { $version } ends the job together with the window: use a newer version, or --after and --duration
nsys-not-exported = { $report } was recorded, and nsys export failed: { $reason }
nsys-raw = { $raw } was recorded, and made into no report: the importer is missing or failed. On an installation that has it: QdstrmImporter -i { $raw } -o { $report }
nsys-nothing = Nsight Systems recorded nothing
nsys-no-range = no NVTX range "{ $name }" was opened: a name without @DOMAIN means the default domain, NAME@* any
nsys-no-calls = the script made no call of torch.cuda.profiler.start, or used no CUDA
nsys-ended-before = did the job end within { NUMBER($after) } s? --after says when recording begins
nsys-not-allowed = "{ $record }" is left out
