### Kernels that Nsight Compute profiled: what limits each, and what its warps wait for.

kernel-finding = { $kernel }{ $duration_ns ->
    [none] { "" }
   *[other] { " " }({ TIME($duration_ns) })
}: { $says }

kernel-method = estimated from the metrics of the kernel: at most { PCT($bound_pct) } of its time{ $place ->
    [none] { "" }
   *[other] ; { PCT($place_pct) } of its samples are at { $place }
}

## Causes: what was seen, without a full stop, and what to do

kernel-cause-uncoalesced = uncoalesced access: of every 32 bytes that are fetched from L2, { FIXED($used, digits: 1) } are used
kernel-cause-uncoalesced-advice = Let neighbouring threads access neighbouring addresses: change the index, transpose the data in shared memory, or store a structure of arrays.
kernel-cause-bank-conflicts = bank conflicts in shared memory: { FIXED($ways, digits: 1) } wavefronts for each that is needed, { PCT($extra_pct) } of all are extra
kernel-cause-bank-conflicts-advice = Pad the rows of the shared array by one element (tile[32][33]), or swizzle its index, so that the threads of a warp access different banks.
kernel-cause-divergence = divergent branches: an instruction is executed by { FIXED($threads, digits: 1) } of the { $given } threads of its warp
kernel-cause-divergence-advice = Let all threads of a warp take the same branch: sort or group the work by branch, or compute both sides where they are short.
kernel-cause-partial-warps = partial warps: a block has { $threads ->
        [one] 1 thread
       *[other] { $threads } threads
    }, no multiple of 32, so that { PCT($idle_pct) } of the lanes of its warps never work
kernel-cause-partial-warps-advice = Choose a block size that is a multiple of 32: 128 or 256 threads suit most kernels.
kernel-cause-occupancy = low occupancy: { $blocks ->
    [none] its launch
    [one] 1 block
   *[other] { $blocks } blocks
}{ $blocks ->
    [none] { "" }
   *[other] { " " }per SM
} { $blocks ->
    [none] allows
    [one] allows
   *[other] allow
} { PCT($theoretical_pct, digits: 1) } of the warps that an SM holds, limited by { $limit ->
    [registers] registers
    [shared_mem] shared memory
    [warps] the block size
    [blocks] the number of blocks
    [barriers] barriers
   *[other] something that was not recorded
}, and no unit is busy
kernel-cause-occupancy-advice = Reduce what limits the blocks per SM: shared memory or registers per thread (__launch_bounds__, smaller tiles), or choose another block size; or give each thread more independent work.
kernel-cause-small-grid = small grid: { $blocks ->
    [none] its blocks
    [one] 1 block
   *[other] { NUMBER($blocks) } blocks
}{ $sms ->
    [none] { "" }
   *[other] { " " }on { $sms } SMs
} take { PCT($filled_pct, digits: 1) } of the room for blocks, and no unit is busy
kernel-cause-small-grid-advice = Launch more blocks: split the work finer (split-K, a larger batch), or run other kernels at the same time on further streams.
kernel-cause-tail = tail effect: the grid is { FIXED($waves, digits: 2) } waves, and the last one uses { PCT($last_pct) } of the GPU
kernel-cause-tail-advice = Choose a grid that is a multiple of the blocks that run at once, or a persistent kernel whose blocks fetch work.
kernel-cause-atomics = contended atomics: { PCT($share_pct) } of the traffic to L2 is atomic operations, and the busiest slice of L2 does { FIXED($times, digits: 0) } times the average
kernel-cause-atomics-advice = Reduce within a warp and a block first (__reduce_add_sync, shared memory), then one atomic per block; or spread the results over several addresses.
kernel-cause-local-memory = local memory: { PCT($share_pct) } of the sectors are registers spilled to memory, or arrays indexed at run time
kernel-cause-local-memory-advice = Allow more registers (__launch_bounds__, -maxrregcount), keep fewer values alive, and unroll loops that index local arrays.
kernel-cause-double-precision = FP64: its pipe is { PCT($busy_pct) } busy; FP32 is { FIXED($ratio, digits: 0) } times as fast on this GPU
kernel-cause-double-precision-advice = Use FP32 where its precision is enough: float literals (1.0f), float functions (sinf), torch.float32.

## Limits: the busiest unit of a kernel without a cause

kernel-limit-memory = memory-bound: { $unit ->
    [dram] DRAM bandwidth
    [l2] the L2 cache
   *[l1] the L1/TEX cache
} is at { PCT($busy_pct) } of its peak
kernel-limit-dram-advice = Move fewer bytes: fuse kernels, use a smaller data type, reuse data in registers or shared memory.
kernel-limit-l2-advice = Reuse data in registers or shared memory, and collect the set `full` to see how much of each sector is used.
kernel-limit-l1-advice = Load wider (float4), and collect the set `full` to see bank conflicts and accesses.
kernel-limit-compute = compute-bound: the SMs are at { PCT($busy_pct) } of their peak{ $pipe ->
    [unknown] { "" }
   *[other] , the pipe { $pipe } at { PCT($pipe_pct) }
}
kernel-limit-compute-advice = Do less arithmetic, or do it elsewhere: tensor cores, a smaller data type, cheaper functions.
kernel-limit-latency = latency-bound: no unit is above { PCT($busy_pct) }, and warps spend { PCT($share_pct) } of their time in { $reason }: { $means }
kernel-limit-latency-unknown = latency-bound: no unit is above { PCT($busy_pct) }
kernel-limit-latency-advice = Collect the set `full` (ncu --set full), which says what the warps wait for.
kernel-limit-range = no unit is above { PCT($busy_pct) } over the range{ $active_pct ->
    [none] { "" }
   *[other] , and SMs were active for { PCT($active_pct) } of it
}
kernel-limit-range-advice = Profile its kernels one by one (--replay-mode kernel), and look for gaps between them in a trace.
kernel-limit-unknown = its throughput was not measured
kernel-limit-unknown-advice = Collect the section SpeedOfLight at least (ncu --set basic).

## Occupancy in a sentence

kernel-occupancy-full = Nothing limits the occupancy: { $blocks ->
    [none] the blocks of an SM
    [one] 1 block per SM
   *[other] { $blocks } blocks per SM
} may fill all of its warps{ $achieved_pct ->
    [none] { "" }
   *[other] ; on average { PCT($achieved_pct, digits: 1) } of them were active
}.
kernel-occupancy-limited = Occupancy is limited by { $limits }{ $blocks ->
    [none] { "" }
    [one] { " " }to 1 block per SM
   *[other] { " " }to { $blocks } blocks per SM
}: at most { PCT($theoretical_pct, digits: 1) } of its warps{ $achieved_pct ->
    [none] { "" }
   *[other] ; on average { PCT($achieved_pct, digits: 1) } were active
}.
kernel-limited-by-registers = registers
kernel-limited-by-shared-mem = shared memory
kernel-limited-by-warps = the block size (warps)
kernel-limited-by-blocks = the number of blocks an SM takes
kernel-limited-by-barriers = barriers

## Warp states

kernel-stall-barrier = waits at __syncthreads() for the other warps of its block
kernel-stall-barrier-advice = Give the warps of a block equal work, use smaller blocks, or fewer barriers.
kernel-stall-branch-resolving = waits for the target of a branch
kernel-stall-branch-resolving-advice = Use fewer branches in short loops: unroll them.
kernel-stall-dispatch-stall = is ready, but the dispatcher delays it
kernel-stall-dispatch-stall-advice = Usually conflicts of registers or of pipes: change the order of instructions, or mix their types.
kernel-stall-drain = has ended and waits for its writes to memory
kernel-stall-drain-advice = Write less at the end of the kernel, and coalesced.
kernel-stall-gmma = waits for a matrix product of the tensor cores
kernel-stall-gmma-advice = Keep several products in flight, and feed them early enough.
kernel-stall-imc-miss = waits for a constant that is not in the cache
kernel-stall-imc-miss-advice = Use fewer constants, the same for all threads of a warp.
kernel-stall-lg-throttle = the queue for global and local memory is full
kernel-stall-lg-throttle-advice = Use fewer, wider accesses (float4), and avoid register spills.
kernel-stall-long-scoreboard = waits for data from global or local memory, or a texture
kernel-stall-long-scoreboard-advice = Load earlier or asynchronously (cp.async), have more warps or more independent loads in flight, improve cache hits.
kernel-stall-math-pipe-throttle = waits for a compute pipe that is busy
kernel-stall-math-pipe-throttle-advice = The pipe is the limit: mix types of instructions, or use cheaper ones.
kernel-stall-membar = waits for a memory barrier
kernel-stall-membar-advice = Use fewer fences, with the narrowest scope.
kernel-stall-mio-throttle = the queue for shared memory and special functions is full
kernel-stall-mio-throttle-advice = Use fewer, wider accesses to shared memory, without bank conflicts.
kernel-stall-misc = waits for another reason
kernel-stall-misc-advice = Look at the other states first.
kernel-stall-no-instruction = waits for its next instruction to be fetched
kernel-stall-no-instruction-advice = Shorten the code of the loop: unroll less, have fewer jumps.
kernel-stall-not-selected = could issue, but another warp was chosen
kernel-stall-not-selected-advice = There are enough warps: nothing to do.
kernel-stall-selected = issues an instruction
kernel-stall-selected-advice = This is the work itself.
kernel-stall-short-scoreboard = waits for shared memory or a special function
kernel-stall-short-scoreboard-advice = Remove bank conflicts, use fewer special functions, and load from shared memory earlier.
kernel-stall-sleeping = sleeps, as the program asked for
kernel-stall-sleeping-advice = Use fewer or shorter __nanosleep().
kernel-stall-tex-throttle = the queue for textures is full
kernel-stall-tex-throttle-advice = Use fewer texture and surface accesses, or global memory.
kernel-stall-wait = waits a fixed number of cycles for its previous instruction
kernel-stall-wait-advice = Give each thread independent instructions (unroll, several accumulators), or have more warps.

## Pipes: which instructions they execute

kernel-pipe-adu = addresses: barriers and indexed constants
kernel-pipe-alu = integer and logic operations, comparisons
kernel-pipe-cbu = branches, barriers and warp votes
kernel-pipe-fma = FP32 arithmetic and integer multiplication
kernel-pipe-fma-type-fp16 = FP16 arithmetic on the FMA pipe
kernel-pipe-fp16 = FP16 arithmetic
kernel-pipe-fp64 = FP64 arithmetic
kernel-pipe-lsu = loads, stores and atomics
kernel-pipe-tex = textures and surfaces
kernel-pipe-tma = bulk copies between global and shared memory
kernel-pipe-uniform = one operation for the whole warp
kernel-pipe-xu = transcendental functions and conversions
kernel-pipe-tensor-op-dmma = matrix products in FP64
kernel-pipe-tensor-op-gmma = matrix products of warp groups (wgmma)
kernel-pipe-tensor-op-hmma = matrix products in FP16, BF16 and TF32, and HFMA2 instructions
kernel-pipe-tensor-op-imma = matrix products of integers
