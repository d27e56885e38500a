### Findings: what was seen (title), what to do (advice), and what the recording does not show (unknown).
### A title has no full stop; what is unknown follows "Not in the recording: ".

finding-data-loading-title-in-process = The step waits { TIME($wait_ns) } for its batch, which is loaded in the training process (num_workers=0)
finding-data-loading-title-in-function = The step waits { TIME($wait_ns) } for its batch, which is loaded in the training process (num_workers=0), { PCT($share_pct) } of it in { $function }
finding-data-loading-title-workers = The step waits { TIME($wait_ns) } for its batch: the DataLoader workers do not keep up
finding-data-loading-advice-in-process = Load batches in worker processes: DataLoader(num_workers=...{ $gpu ->
    [yes] , pin_memory=True
   *[no] { "" }
}, persistent_workers=True).
finding-data-loading-advice-workers = Use more workers, a larger prefetch_factor, or less work per sample (cache it, move it to the GPU).
finding-data-loading-unknown = whether enough workers can keep up: worker processes are not recorded

finding-tensor-printing-title = Tensors are converted to text inside the step: { TIME($spent_ns) } a step
finding-tensor-printing-advice = Print every N steps; print tensor.detach().cpu(), because each element of a GPU tensor is read back separately.
finding-logging-title = Values are logged inside the step: { TIME($spent_ns) } a step
finding-logging-advice = Log every N steps; keep the values on the GPU until then; write from a background thread.
finding-logging-unknown = whether the output is needed in every step

finding-cpu-tensors-title = The CPU computes on tensors in host memory { $times ->
    [one] once
   *[other] { $times } times
} a step ({ $operators }): { TIME($spent_ns) }
finding-cpu-tensors-advice = Create these tensors on the GPU (device=...), or copy their inputs there first and compute there; work on the inputs of a batch also fits into the data loader's workers.
finding-cpu-tensors-unknown = how long the same work takes on the GPU
finding-host-round-trip-title = Data goes to the host and back { $times ->
    [one] once
   *[other] { $times } times
} a step, processed by the CPU in between
finding-host-round-trip-advice = Do this work on the GPU with torch operators; otherwise use its result one step later, without waiting.
finding-host-round-trip-unknown = whether the data copied back depends on the data read, and how long the same work takes on the GPU

finding-checkpoint-title = A checkpoint is saved inside the step: { TIME($spent_ns) } a step
finding-checkpoint-advice = Save less often, or asynchronously (torch.distributed.checkpoint.async_save).
finding-deep-copy-title = Objects are copied with copy.deepcopy: { TIME($spent_ns) } a step
finding-deep-copy-advice = Update a copy in place (torch._foreach_lerp_, torch.optim.swa_utils.AveragedModel), or copy every N steps.
finding-garbage-collection-title = Python garbage collection inside the step: { TIME($spent_ns) } a step
finding-garbage-collection-advice = Call gc.freeze() before the loop, gc.disable() in it, and gc.collect() every few hundred steps.
finding-file-io-title = File I/O inside the step: { TIME($spent_ns) } a step
finding-file-io-advice = Write from a background thread, in larger chunks, or every N steps.
finding-object-conversion-title = Objects are converted to text or bytes (json, pickle, yaml): { TIME($spent_ns) } a step
finding-object-conversion-advice = Convert less, every N steps, or in another process.
finding-sleep-title = The program sleeps (time.sleep): { TIME($spent_ns) } a step
finding-sleep-advice = Remove the sleep, or wait for what it stands for in a background thread.
finding-python-work-title = Python code runs between PyTorch operators: { TIME($spent_ns) } a step, { PCT($share_pct) } of it in { $function }
finding-python-work-advice = Move it out of the loop, or into DataLoader workers or another process (a thread does not help: it holds the GIL), or do it for whole tensors at once.
finding-python-work-advice-in-modules = Compile the model (torch.compile; on a GPU with CUDA graphs, mode="reduce-overhead"), or run less Python in each module.
finding-python-work-unknown = whether the step needs the result before it goes on
finding-python-work-unknown-in-modules = how much of this Python a compiled model leaves out
finding-untraced-host-time-title = Untraced CPU time outside PyTorch ops: { TIME($spent_ns) } a step
finding-untraced-host-time-advice = Record with with_stack=True to see the code; then move it out of the loop, or into another process (DataLoader workers).
finding-untraced-host-time-advice-sample = Record the process with a sampling profiler to see the code: this PyTorch records no Python functions; then move it out of the loop, or into another process (DataLoader workers).
finding-untraced-host-time-title-other = Untraced CPU time outside operators: { TIME($spent_ns) } a step
finding-untraced-host-time-advice-other = Record the process with a sampling profiler to see the code; then move it out of the loop, or into another process (DataLoader workers).
finding-untraced-host-time-unknown = which code it is: Python, garbage collection, file I/O, or a wait that was not recorded

finding-optimizer-loop-title = The optimizer makes { $launches } kernel launches a step for about { $parameters } parameters
finding-optimizer-loop-title-cpu = The optimizer calls { $launches } operators a step for about { $parameters } parameters
finding-optimizer-loop-advice-fused = Use the fused (fused=True) or multi-tensor (foreach=True) implementation of the optimizer.
finding-optimizer-loop-advice-foreach = Use the multi-tensor (foreach=True) implementation of the optimizer.
finding-optimizer-loop-advice-own = Update all parameters at once: torch._foreach_add_, _foreach_mul_ and _foreach_lerp_ take lists.
finding-optimizer-loop-unknown = whether this optimizer can update all parameters at once
finding-gradient-norms-title = Norms of about { $tensors } tensors are computed one by one: { $launches } kernel launches a step ({ $operators })
finding-gradient-norms-advice = Use torch.nn.utils.clip_grad_norm_ with foreach=True, or torch._foreach_norm: one list, one value to read.
finding-parameter-loop-title = Loops over about { $tensors } tensors make { $launches } kernel launches a step ({ $operators })
finding-parameter-loop-title-cpu = Loops over about { $tensors } tensors call { $launches } operators a step ({ $operators })
finding-gradient-norms-title-cpu = Norms of about { $tensors } tensors are computed one by one: { $launches } operator calls a step ({ $operators })
finding-parameter-loop-advice = Use torch._foreach_mul_, _foreach_add_ and _foreach_lerp_, which take lists; for gradients, zero_grad(set_to_none=True).
finding-parameter-loop-advice-gradients = Join the tensors and compute once; a penalty on the weights is the optimizer's weight_decay. The backward pass of the loop goes, too.
finding-parameter-loop-unknown = whether the code needs the value of each tensor separately

finding-recomputation-title = The backward pass recomputes { TIME($spent_ns) } of the forward pass a step
finding-recomputation-title-free = The backward pass recomputes { TIME($spent_ns) } of the forward pass a step, while { BYTES($free_bytes) } of { BYTES($size_bytes) } are free at the memory peak
finding-recomputation-advice = Checkpoint fewer blocks (torch.utils.checkpoint) if their activations fit into memory.
finding-recomputation-advice-some = Checkpoint fewer blocks: keeping all activations takes up to { BYTES($kept_bytes) }; { PCT($fits_pct) } of the blocks fit.
finding-recomputation-advice-all = Checkpoint no blocks, or fewer: keeping all activations takes up to { BYTES($kept_bytes) } more.
finding-recomputation-unknown = how much memory is free (profile_memory=True)

finding-unfused-attention-title-size = Unfused attention: its { LABEL($size) } x { LABEL($size) } score matrices take { TIME($spent_ns) } a step
finding-unfused-attention-title-order = Unfused attention: separate GEMM, softmax and GEMM kernels take { TIME($spent_ns) } a step
finding-unfused-attention-advice = Use torch.nn.functional.scaled_dot_product_attention, which never materializes the score matrices.
finding-unfused-attention-advice-weights = nn.MultiheadAttention returns its attention weights by default, which rules out the fused kernel. Where the weights are not used, pass need_weights=False.
finding-unfused-attention-unknown = the sequence length: with short sequences a fused kernel saves less (record_shapes=True)

finding-unrolled-loop-title = A loop over time steps repeats the same { $launches ->
    [one] kernel launch
   *[other] { $launches } kernel launches
} { $times } times
finding-unrolled-loop-advice = Use a fused implementation (torch.nn.LSTM, GRU, a scan kernel), torch.compile of the loop, or a CUDA graph of it.
finding-unrolled-loop-unknown = whether the number of iterations is fixed, and whether a fused implementation of this loop exists
finding-operator-loop-title = The same operators run { $times } times in a row on small inputs ({ $operators }): { TIME($spent_ns) } a step
finding-operator-loop-title-pieces = { NUMBER($times) } small operators run one by one on pieces of a tensor ({ $operators }): { TIME($spent_ns) } a step
finding-operator-loop-advice = Call them once for all parts: stack the inputs and use a batched operator (torch.bmm, index_add, nn.LSTM, torch.vmap); read values with one tolist().
finding-operator-loop-unknown = whether each part needs the result of the one before
finding-micro-batches-title = Forward and backward pass run { $times } times a step, each on a small part of the batch: { TIME($spent_ns) } a step
finding-micro-batches-advice = Run one pass for the whole batch; gradients of single samples come from torch.func.vmap(torch.func.grad(...)).
finding-micro-batches-unknown = whether memory has room for the whole batch, whether each pass needs the one before, and what batch norms make of a larger batch
finding-unused-rows-title = A whole tensor is computed before a few of its rows are picked: { TIME($spent_ns) } a step
finding-unused-rows-advice = Pick the rows first, then convert or scale them; or convert the whole tensor once, before the loop.
finding-unused-rows-unknown = whether the other rows are used elsewhere, or in a later step
finding-extra-forward-title = The model runs forward { NUMBER($times) } more { $times ->
    [one] time
   *[other] times
} a step than the backward pass needs: { TIME($spent_ns) } a step
finding-extra-forward-advice = Compute the accuracy from the outputs already used for the loss; validate every N steps instead of every step.
finding-extra-forward-unknown = whether its outputs are needed, and differ from those of the other pass
finding-repeated-backward-title = Backward passes go through one graph again: { TIME($spent_ns) } a step
finding-repeated-backward-advice = Add the losses and call backward() once; detach() what the next step starts from, as a hidden state, or what another model made.
finding-repeated-backward-advice-rows = Compute all rows of a Jacobian in one pass: is_grads_batched=True, or torch.func.jacrev; where only their sum is needed, differentiate the sum.
finding-repeated-backward-unknown = whether the gradient of each loss is needed by itself
finding-repeated-backward-unknown-rows = whether one pass starts from the result of another
finding-renewed-optimizer-title = An optimizer is created { NUMBER($times) } { $times ->
    [one] time
   *[other] times
} a step, with new state for each parameter: { TIME($spent_ns) } a step
finding-renewed-optimizer-advice = Create it once, before the loop. A new one starts without momentum, and its bias correction begins at step 1.
finding-growing-cat-title = A tensor grows by torch.cat, { $calls } times a step, and is copied whole each time: { TIME($spent_ns) } a step
finding-growing-cat-advice = Collect the pieces in a list and join them once, or write them into a tensor of the final size.
finding-growing-cat-unknown = whether the tensor is read before it is complete
finding-anomaly-detection-title = Autograd anomaly detection is on: { $checks } NaN checks a step in the backward pass, and a stack trace of every forward operator
finding-anomaly-detection-advice = Switch it on to find the operator behind a NaN, and off again for training.
finding-value-checks-title = Values are checked for NaN or infinity { $checks } times a step
finding-value-checks-advice = Check the loss only, or every N steps.
finding-backward-hooks-title = Backward hooks run at { $calls } calls of modules in every step: { TIME($spent_ns) } a step
finding-backward-hooks-advice = Register such hooks only while you look at gradients and remove them afterwards, or look every N steps; clip_grad_norm_ gives the norm of all gradients in one call.
finding-backward-hooks-unknown = whether the hooks change gradients

finding-small-copies-title = { $copies } memcpys a step between host and GPU are smaller than 1 MiB, { BYTES($moved_bytes) } in total
finding-small-copies-advice = Collect the values on the host and copy one tensor; create constants on the GPU before the loop.
finding-small-copies-unknown = whether the values are available at the same time

finding-host-synchronisation-title = The host waits for values from the GPU { $times ->
    [0] less than once
    [one] once
   *[other] { $times } times
} a step: { $seen }
finding-host-synchronisation-advice = Keep the values on the GPU: accumulate them there, and read them every N steps.
finding-input-splits-title = The host waits { $times ->
        [one] once
       *[other] { $times } times
    } a step for the split sizes of TorchRec's input all-to-all
finding-input-splits-advice = Distribute the inputs of the next batch while this one is computed: TorchRec's TrainPipelineSparseDist does so.
finding-data-dependent-size-title = The host waits { $times ->
    [0] less than once
    [one] once
   *[other] { $times } times
} a step for the size of a result: { $seen }
finding-data-dependent-size-advice = Compute on all elements and choose with torch.where, or pad to a fixed size.
finding-data-dependent-size-unknown = how much more work it is to compute on all elements
finding-read-masks = boolean masks
finding-read-kind = { $times ->
    [0] { $kind }
   *[other] { $times } { $kind }
}
finding-synchronize-title = The host waits for the GPU to finish { $times ->
    [one] once
   *[other] { $times } times
} a step (synchronize)
finding-synchronize-advice = Remove torch.cuda.synchronize() from the loop; measure time with CUDA events.

finding-allocator-title-called = torch.cuda.empty_cache() is called: { $calls } cudaMalloc and cudaFree calls a step
finding-allocator-title-likely = Cached memory is freed in every step, as torch.cuda.empty_cache() does: { $calls } cudaMalloc and cudaFree calls a step
finding-allocator-title-unknown = The caching allocator cannot keep its blocks: { $calls } cudaMalloc and cudaFree calls a step
finding-allocator-title-off = The caching allocator is off: { $calls } cudaMalloc and cudaFree calls a step, one for each tensor
finding-allocator-advice-off = Unset PYTORCH_NO_CUDA_MEMORY_CACHING (on ROCm also PYTORCH_NO_HIP_MEMORY_CACHING).
finding-allocator-advice-called = Remove empty_cache() from the loop; if memory is short, try expandable_segments:True.
finding-allocator-advice-likely = Remove torch.cuda.empty_cache() from the loop; if it is not called, reduce memory use.
finding-allocator-advice-unknown = Reduce memory use, or set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.
finding-allocator-unknown = whether empty_cache() is called (with_stack=True shows it) or memory is short

finding-offloading-title = { $tensors ->
    [one] 1 tensor
   *[other] { $tensors } tensors
} a step { $tensors ->
    [one] is
   *[other] are
} copied to the host and back, { BYTES($moved_bytes) }
finding-offloading-advice = Keep them on the GPU if they fit; otherwise use pinned memory and copy on a separate stream.
finding-offloading-unknown = whether they fit into GPU memory
finding-blocking-calls-title = { $times ->
        [one] 1 call that copies or sets memory blocks
       *[other] { $times } calls that copy or set memory block
    } the host for { TIME($blocked_ns) } a step{ $moved_bytes ->
        [none] { "" }
       *[other] { " " }({ BYTES($moved_bytes) })
    }
finding-blocking-calls-advice = Use the asynchronous functions (cudaMemcpyAsync, cudaMemsetAsync) with pinned memory, and wait where the result is needed.
finding-blocking-calls-unknown = where the host needs the results of the copies
finding-pageable-copies-title = { BYTES($moved_bytes) } a step are copied through pageable memory, which blocks the host for { TIME($blocked_ns) }
finding-pageable-copies-advice = Use pin_memory=True in the DataLoader, or tensor.pin_memory(), and .to(device, non_blocking=True); copy the next batch on a stream of its own, so that it overlaps with compute.
finding-pageable-copies-unknown = whether batches can be copied ahead, and the peak bandwidth of the link to the GPU

finding-double-precision-title = { TIME($spent_ns) } a step is float64 (double-precision) computation
finding-double-precision-advice = Find where float64 enters: NumPy arrays and Python floats are float64 by default.
finding-double-precision-unknown = whether double precision is intended here
finding-no-tensor-cores-title = { TIME($spent_ns) } a step is fp32 matrix multiplications (GEMMs) without Tensor Cores
finding-no-tensor-cores-advice = Use torch.set_float32_matmul_precision("high") (TF32), or torch.autocast with bfloat16.
finding-no-tensor-cores-advice-half = Use torch.autocast with float16 and torch.amp.GradScaler: this GPU has neither TF32 nor bfloat16.
finding-layout-conversions-title = { $kernels ->
    [0] Kernels in less than every second step convert
    [one] 1 kernel a step converts
   *[other] { $kernels } kernels a step convert
} between NCHW and NHWC, { TIME($spent_ns) } a step
finding-layout-conversions-advice = Use model.to(memory_format=torch.channels_last), and convert the inputs too.
finding-contiguous-copies-title = contiguous() and reshape() copy tensors on the GPU: { TIME($spent_ns) } a step
finding-contiguous-copies-title-cpu = contiguous() and reshape() copy tensors: { TIME($spent_ns) } a step
finding-contiguous-copies-advice = Remove copies that are not needed: many operators accept any memory layout, and view() never copies.
finding-contiguous-copies-unknown = whether the operators that follow need this memory layout
finding-misaligned-matmul-title = Matrix multiplications (GEMMs) with dimensions that are not multiples of 8 take { TIME($spent_ns) } a step
finding-misaligned-matmul-advice = Pad vocabulary, hidden or batch dimensions to multiples of 8 (64 where possible).
finding-unfused-elementwise-title = { $kernels } kernels a step, { PCT($share_pct) } of all, are chains of elementwise ops
finding-unfused-elementwise-title-time = Chains of elementwise ops take { PCT($share_pct) } of GPU time: { $kernels } kernels a step
finding-unfused-elementwise-advice = Use torch.compile on the model, or on the function around them.
finding-unfused-elementwise-unknown = whether the compiler can fuse them
finding-small-collectives-title = { NUMBER($times) } all-reduces a step, one after another, half of them shorter than { TIME($median_ns) }
finding-small-collectives-advice = Reduce gradients in buckets: DistributedDataParallel does (bucket_cap_mb, 25 MB by default); in a loop of your own flatten them first.
finding-small-collectives-unknown = whether what they reduce is of one type and ready before the first result is needed
finding-small-batch-title = { PCT($share_pct) } of kernel time is in kernels with less than one block per SM
finding-small-batch-advice = Use a larger batch: the saving is per sample, at { $times } times the batch size.
finding-small-batch-unknown = whether memory and convergence allow a larger batch
finding-launch-bound-title = { $launches } kernel launches a step, GPU busy { PCT($busy_pct) } of it without profiler overhead
finding-launch-bound-advice = Use CUDA graphs, torch.compile(mode="reduce-overhead"), or a larger batch.
finding-launch-bound-advice-training = Capture the whole step, optimizer included, as a CUDA graph, or use a larger batch. torch.compile(mode="reduce-overhead") captures the model alone and saves less.
finding-launch-bound-advice-compiled = Use CUDA graphs for what is compiled already (mode="reduce-overhead"), or a larger batch.
finding-launch-bound-advice-served = Let the server launch its batches as CUDA graphs: start vLLM without --enforce-eager, SGLang without --disable-cuda-graph, and capture graphs for batches of this size.
finding-launch-bound-unknown-waits = whether a CUDA graph is possible: fixed shapes, no data-dependent branches; and no waits of the CPU for the GPU, of which a step has { $waits }

finding-memory-near-limit-title = { $device }: { BYTES($reserved_bytes) } of { BYTES($capacity_bytes) } reserved at the peak ({ PCT($share_pct) })
finding-memory-near-limit-advice = With slightly more, steps run out of memory, or wait while the allocator frees cached blocks.
finding-memory-near-limit-unknown = what else uses memory of the GPU
finding-allocator-retries-title = Caching-allocator retries (fragmentation) in { $retried } of { $steps } { $steps ->
    [one] step
   *[other] steps
}
finding-allocator-retries-advice = Reduce memory use (a smaller batch, activation checkpointing), or use expandable segments.
finding-allocator-growth-title = In { $grown } of the { $steps } steps after the first, the caching allocator calls cudaMalloc
finding-allocator-growth-advice = Shapes that vary from step to step cause this: pad them to a few sizes, or use expandable segments.
finding-allocator-growth-unknown = whether this continues after the recording

finding-first-step-title = The first recorded step, { $step }, takes { TIME($longer_ns) }, the others { TIME($usual_ns) }: { $reason }
finding-first-step-advice = The means include it: select the steps after it (--step), or record after more warm-up steps.
finding-uneven-steps-title = { $count } of { $steps } steps ({ $numbers }) { $count ->
    [one] takes
   *[other] take
} { TIME($longer_ns) }, the others { TIME($usual_ns) }: { $reason }
finding-uneven-steps-advice = The means include them: inspect them on the timeline, or select the others (--step).
finding-uneven-steps-unknown = how often such steps occur in the whole run
finding-uneven-steps-more = { TIME($more_ns) } more of { $activity }
finding-uneven-steps-pause = for { TIME($pause_ns) } the CPU begins no operator and no call
finding-uneven-steps-slower-host = as many CPU calls, but each takes longer
finding-uneven-steps-unexplained = the recording does not show why
finding-activity-compiling = compilation
finding-activity-garbage-collection = garbage collection
finding-activity-checkpoint = saving a checkpoint
finding-activity-evaluation = evaluation
finding-activity-driver-memory = cudaMalloc and cudaFree
finding-activity-loading-kernels = loading kernels
finding-activity-data-loading = data loading
finding-activity-communication = communication
finding-activity-compute = GPU compute

finding-profiler-overhead-title = Profiler overhead of { TIME($spent_ns) } a step: { $events }
finding-profiler-overhead-advice = It is not part of the program, but of the recorded times. Record fewer steps, or fewer event types.
finding-profiler-overhead-unknown = how much of it blocked the host
finding-recorded-with-stacks-title = With stacks recorded, a step takes about { FIXED($times, digits: 1) } times as long as without the profiler
finding-recorded-with-stacks-advice = { $is_measured ->
    [yes] The step time is that of steps measured without the profiler, and savings start from it: nothing needs to be recorded again.
   *[no] Take times from a recording without stacks, and causes from this one.
}
finding-recorded-with-stacks-unknown = the exact time without the profiler

finding-straggler-title = Rank { LABEL($rank) } is a straggler: it delays the other ranks by { TIME($delay_ns) } a step ({ PCT($delay_pct) })
finding-straggler-advice-compute = Give every rank the same work: even shards and batches, no extra work on a single rank.
finding-straggler-advice-copies = Copy the same amount on every rank, from pinned memory, ahead of the step.
finding-straggler-advice-data-loading = Check the data loader of that rank: its files, its workers, its machine.
finding-straggler-advice-garbage-collection = Call gc.freeze() before the loop, and gc.collect() at the same step on every rank.
finding-straggler-advice-host = Move work that only this rank's CPU does out of the step: logging, evaluation, checkpoints.
finding-straggler-advice-not-recorded = Compare the machine of that rank with the others: clocks, power, other processes.
finding-straggler-advice-clock = Find out what holds the clock of that GPU down (power cap, cooling, its place in the machine); until then leave the GPU out or give it less work.
finding-straggler-unknown-clock = other processes on the GPU and machine of that rank, and how much of its kernels is bound by the clock
finding-straggler-unknown = clocks, power and other processes on the GPU and machine of that rank

finding-none = no rows: no finding whose fix would make the steps shorter
finding-unexamined = { $why ->
    [cut] the recording is cut off before the GPU's events
    [steps] the recording is cut off and holds no step with all of its GPU work
    [captured] kernels were captured into CUDA graphs, not run
    [threads] several threads launch the GPU's work
   *[host] nothing of the CPU was recorded in the steps
}, so no fix can be simulated
finding-no-steps = { $kind ->
    [communication_log] logs of NCCL Inspector hold no steps; the verdict and the tables collective_lateness and collective_bandwidth say which rank is late and which link is slow
   *[other] no steps were recorded, so no fix can be simulated
}
finding-detector-failed = rank { LABEL($rank) }: what { $what } looks for was not examined, a defect of stepscope, not of your trace: { $type }. STEPSCOPE_DEBUG=1 shows where; please report it
finding-selected-ranks = of { $ranks } ranks, only { $chosen } are examined in detail (stragglers, fastest, first); select others with --rank
finding-combined = all program-specific findings combined: { PCT($saving_pct) } of the step ({ RANGE(PCT($low_pct), PCT($high_pct)) }); savings are not additive
finding-combined-on-rank = rank { LABEL($rank) }: all program-specific findings combined: { PCT($saving_pct) } of the step ({ RANGE(PCT($low_pct), PCT($high_pct)) }); savings are not additive
finding-no-occurrence = no rows: no finding has a range of its own in these steps
finding-occurrences-capped = rank { LABEL($rank) }: of { $finding }, the { $shown } longest of { $occurrences } occurrences are listed
finding-occurrences-of-steps = rank { LABEL($rank) }: occurrences in the { $seen } steps that were examined, of { $steps }
