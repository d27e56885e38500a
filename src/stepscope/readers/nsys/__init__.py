"""Reader of Nsight Systems, from its export as an SQLite database.

Format: ``nsys export --type=sqlite``, schemas 2.x to 3.23 and newer. What a file holds is told by its tables and
columns, never by its version; a table that is missing was not recorded.
Read: work of the GPU (kernels, copies, memsets, launches of whole graphs), calls of the CUDA runtime and driver, waits,
NVTX ranges, marks and domains, GPU metrics, names of threads, properties of the devices, the clock.
Ignored: the environment, the list of processes, host and user, captured output: they are never opened. Graphics.
"""
