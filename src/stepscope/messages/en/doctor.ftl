# What stepscope doctor finds, and how each is fixed (-fix).

doctor-status-ok = ok
doctor-status-warning = warning
doctor-status-failed = failed
doctor-status-not-applicable = n/a
doctor-fix = Fix: { $fix }
doctor-works = All that was asked for works here.
doctor-does-not-work = Will not work here: { $purposes }.

doctor-driver-ok = NVIDIA driver { $version }, { $gpus ->
    [one] 1 GPU
   *[other] { $gpus } GPUs
} ({ $name })
doctor-driver-absent = there is no NVIDIA driver: of a job only the CPU side is recorded
doctor-driver-absent-fix = On a machine with a GPU install its driver; in a container start it with --gpus all.
doctor-driver-no-smi = NVIDIA driver { $version }, and no nvidia-smi
doctor-driver-no-smi-fix = In a container set NVIDIA_DRIVER_CAPABILITIES=compute,utility.
doctor-driver-smi-failed = nvidia-smi fails: { $reason }
doctor-driver-smi-failed-fix = After an update of the driver: load the new module, or reboot. Else install the driver again.
doctor-driver-no-gpu = NVIDIA driver { $version }, and it shows no GPU
doctor-driver-no-gpu-fix = In a container start it with --gpus all; under Slurm ask for one with --gres=gpu:1.

doctor-torch-ok = PyTorch { $version } in { $python }, { $gpus ->
    [one] 1 GPU
   *[other] { $gpus } GPUs
} in sight
doctor-torch-cpu = PyTorch { $version } in { $python }: the CPU side is recorded
doctor-torch-absent = { $python } has no PyTorch
doctor-torch-absent-fix = Name the interpreter of the job with --python PATH.
doctor-torch-no-python = { $python } is no interpreter that answers{ $reason ->
    [none] {""}
   *[other] : { $reason }
}
doctor-torch-no-python-fix = Name the interpreter of the job with --python PATH.
doctor-torch-not-imported = { $python } cannot import PyTorch: { $reason }
doctor-torch-not-imported-fix = Correct the installation of PyTorch; a job with this interpreter fails in the same way.
doctor-torch-cpu-build = PyTorch { $version } in { $python } is a build for CPUs: it uses no GPU of this machine
doctor-torch-cpu-build-fix = Install a build of PyTorch for CUDA, or name another interpreter with --python PATH.
doctor-torch-sees-no-gpu = PyTorch { $version } in { $python } sees no GPU, though there is a driver
doctor-torch-sees-no-gpu-fix = Check CUDA_VISIBLE_DEVICES, and whether the driver is new enough for this build of PyTorch.

doctor-cupti-ok = PyTorch's profiler records what the GPU does ({ NUMBER($activities) } activities of a test)
doctor-cupti-not-applicable = PyTorch uses no GPU here
doctor-cupti-no-activity = PyTorch's profiler recorded nothing of the GPU: CUPTI is missing, or another profiler holds it
doctor-cupti-no-activity-fix = End other profilers of this process (nsys, ncu, CUDA_INJECTION64_PATH), and see that libcupti of PyTorch's CUDA version is found.
doctor-cupti-no-permission = CUPTI_ERROR_INSUFFICIENT_PRIVILEGES: PyTorch's profiler may not record what the GPU does
doctor-cupti-no-permission-fix = As for counters (stepscope doctor --for ncu).
doctor-cupti-error = PyTorch's profiler fails: { $reason }
doctor-cupti-error-fix = A job that is recorded would fail in the same way: correct the installation of PyTorch first.

doctor-compile_log-recorded = { $logs ->
    [one] 1 log
   *[other] { $logs } logs
} of torch.compile in { $folder }: stepscope report { $folder } shows compilations, recompiles and graph breaks
doctor-compile_log-set = torch.compile writes its log to { $folder } (TORCH_TRACE); none lies there yet
doctor-compile_log-off = TORCH_TRACE is not set, and no log of torch.compile lies in { $folder }: stepscope record --compile-log, or TORCH_TRACE=FOLDER before the job's command, records compilations, recompiles and graph breaks

doctor-nsys-ok = Nsight Systems { $version }
doctor-nsys-off-path = Nsight Systems { $version }, not on PATH: { $path }
doctor-nsys-absent = there is no nsys: stepscope nsys needs Nsight Systems { $oldest } or newer
doctor-nsys-absent-fix = Install Nsight Systems (package nsight-systems of NVIDIA's repositories), or name it with --nsys PATH.
doctor-nsys-broken = { $path } does not answer as Nsight Systems: it is missing, or only looks for an installation
doctor-nsys-broken-fix = Install Nsight Systems (package nsight-systems of NVIDIA's repositories), or name it with --nsys PATH.
doctor-nsys-old = Nsight Systems { $version } ({ $path }) is older than { $oldest }, the oldest version that was tried
doctor-nsys-old-fix = Install a newer one beside it, and name it with --nsys PATH.

doctor-ncu-ok = Nsight Compute { $version }
doctor-ncu-off-path = Nsight Compute { $version }, not on PATH: { $path }
doctor-ncu-absent = there is no ncu: stepscope ncu needs Nsight Compute { $oldest } or newer
doctor-ncu-absent-fix = Install Nsight Compute (package nsight-compute of NVIDIA's repositories), or name it with --ncu PATH.
doctor-ncu-broken = { $path } does not answer as Nsight Compute: it is missing, or only looks for an installation
doctor-ncu-broken-fix = Install Nsight Compute (package nsight-compute of NVIDIA's repositories), or name it with --ncu PATH.
doctor-ncu-old = Nsight Compute { $version } ({ $path }) is older than { $oldest }, the oldest version that was tried
doctor-ncu-old-fix = Install a newer one beside it, and name it with --ncu PATH.

doctor-nvtx-ok = ranges of NVTX were recorded and read back: { $names }
doctor-nvtx-not-applicable = without nsys no range can be recorded
doctor-nvtx-no-library = the interpreter has no library that makes ranges of NVTX (a PyTorch for CUDA, or the package nvtx)
doctor-nvtx-lost = under Nsight Systems { $version } ranges are lost, without an error, that were made by: { $names }
doctor-nvtx-lost-fix = Use a newer nsys; or of the package nvtx a version before 0.2.12.
doctor-nvtx-no-report = nsys recorded a test and left no report{ $reason ->
    [none] {""}
   *[other] : { $reason }
}
doctor-nvtx-no-report-fix = Run nsys status --environment, and see whether the temporary folder (TMPDIR) has room.
doctor-nvtx-no-importer = nsys recorded a test and could make no report of it: its importer is missing
doctor-nvtx-no-importer-fix = Install the whole of Nsight Systems (host and target); or convert on another machine: QdstrmImporter -i FILE.qdstrm -o FILE.nsys-rep
doctor-nvtx-no-export = nsys recorded a test and could not export it{ $reason ->
    [none] {""}
   *[other] : { $reason }
}
doctor-nvtx-no-export-fix = Install Nsight Systems again, all of one version.

doctor-counters-ok = performance counters of the GPU are open to everyone
doctor-counters-ok-admin = performance counters of the GPU are for administrators, and this process is one
doctor-counters-not-applicable = there is no NVIDIA driver whose counters could be read
doctor-counters-unknown = the driver does not say who may read performance counters
doctor-counters-restricted = performance counters of the GPU are for administrators (ERR_NVGPUCTRPERM): ncu does not work, nsys records no GPU metrics
doctor-counters-restricted-fix = Run as root; or open them to everyone, then reboot:
doctor-counters-restricted-container = performance counters of the GPU are for administrators, and this container has no such right (ERR_NVGPUCTRPERM): ncu does not work, nsys records no GPU metrics
doctor-counters-restricted-container-fix = Start the container with --cap-add SYS_ADMIN; or on the host open them to everyone, then reboot. Most rented machines allow neither: there nsys and PyTorch's profiler have to do.
doctor-counters-restricted-kubernetes = performance counters of the GPU are for administrators, and this pod has no such right (ERR_NVGPUCTRPERM): ncu does not work, nsys records no GPU metrics
doctor-counters-restricted-kubernetes-fix = Give the container securityContext.capabilities.add: ["SYS_ADMIN"]; or have the GPU operator load the driver with NVreg_RestrictProfilingToAdminUsers=0 (driver.kernelModuleConfig).

doctor-dcgm-ok = no DCGM in sight that would hold the GPU's counters
doctor-dcgm-not-applicable = there is no NVIDIA driver
doctor-dcgm-running = { $names } runs, and may hold the GPU's counters: then ncu and GPU metrics of nsys fail as already in use
doctor-dcgm-running-fix = Pause it while recording, and resume it afterwards:

doctor-clocks-ok = the GPU's clocks are held down by nothing; they are not locked, so times of short tests vary by some percent
doctor-clocks-locked = the GPU's clocks are set (GPU { $gpus }): good for comparisons, slower than without
doctor-clocks-not-applicable = there is no nvidia-smi to ask
doctor-clocks-unknown = nvidia-smi does not say why clocks are as they are
doctor-clocks-hot = the GPU is slowed down by heat (GPU { $gpus }): what is measured now is too slow
doctor-clocks-hot-fix = See to its cooling, and to what else runs on the machine; nvidia-smi -q -d PERFORMANCE shows the reasons.
doctor-clocks-slowed = the GPU is slowed down by its hardware (GPU { $gpus }): power supply or heat
doctor-clocks-slowed-fix = nvidia-smi -q -d PERFORMANCE shows the reasons; the administrator of the machine has to see to them.
doctor-clocks-power-capped = the GPU runs at its power limit (GPU { $gpus }): normal under load, and a difference between two runs
doctor-clocks-power-capped-fix = For comparisons lock the clocks below the limit, and reset them afterwards:

doctor-perf_events-ok = the CPU may be sampled, of all processes (perf_event_paranoid { $level })
doctor-perf_events-ok-tree = the CPU may be sampled, of a job's own processes (perf_event_paranoid { $level })
doctor-perf_events-not-applicable = this kernel has no perf events
doctor-perf_events-paranoid = the CPU may not be sampled (perf_event_paranoid { $level }): stepscope nsys --with cpu records none; all else works
doctor-perf_events-paranoid-fix = Allow it until the next boot:
doctor-perf_events-filtered = the CPU may not be sampled: the container's seccomp profile forbids it; stepscope nsys --with cpu records none
doctor-perf_events-filtered-fix = Start the container with --cap-add PERFMON, or --security-opt seccomp=unconfined.

doctor-ptrace-ok = running processes can be looked into
doctor-ptrace-children-only = a process may look only into those that it started (ptrace_scope { $scope }): py-spy reaches no running job
doctor-ptrace-children-only-fix = Start jobs with stepscope record --on-demand, which needs no such right; or allow it until the next boot:
doctor-ptrace-admin-only = only administrators may look into processes (ptrace_scope { $scope }): py-spy reaches no running job
doctor-ptrace-admin-only-fix = Start jobs with stepscope record --on-demand, which needs no such right; or run py-spy as root.
doctor-ptrace-never = looking into processes is forbidden (ptrace_scope { $scope }): py-spy reaches no running job
doctor-ptrace-never-fix = Start jobs with stepscope record --on-demand, which needs no such right.

doctor-container-ok = this container holds all capabilities that recording may need
doctor-container-not-applicable = this is no container
doctor-container-lacking = this container lacks { $names }: counters, CPU samples or py-spy may be refused; PyTorch's profiler works
doctor-container-lacking-fix = Start it with { $options }.

doctor-disk-ok = { BYTES($free_bytes) } free in { $folder }
doctor-disk-unknown = the free space of { $folder } is not known
doctor-disk-unknown-fix = Name another folder with --out DIR.
doctor-disk-little = { BYTES($free_bytes) } free in { $folder }: enough for a short window of a few ranks
doctor-disk-little-fix = Name another folder with --out DIR, and another temporary folder in TMPDIR.
doctor-disk-full = { BYTES($free_bytes) } free in { $folder }: recordings would be cut off
doctor-disk-full-fix = Name another folder with --out DIR, and another temporary folder in TMPDIR.
