### Titles and labels of pictures.

picture-blocks = { $blocks } blocks
picture-by-entry = entries of the history, in order: their times were not recorded
picture-bands = Allocated memory by category, rank { LABEL($rank) } { $device }: peak { BYTES($peak_bytes) }
picture-frames-left-out = { $frames ->
    [one] 1 narrow frame is not drawn
   *[other] { $frames } narrow frames are not drawn
}
picture-free = free
picture-no-operator = (operator not recorded)
picture-peak = Memory at the peak, rank { LABEL($rank) } { $device }: { BYTES($peak_bytes) }
picture-peak-how = Outermost lines above, the operators that allocated it below; as wide as what they hold, in the color of the category with most of it
picture-peak-nothing = No memory is known
picture-peak-others = { $devices ->
    [one] 1 other device with a lower peak is not drawn (--rank)
   *[other] { $devices } other devices with lower peaks are not drawn (--rank)
}
picture-rounding = rounding
picture-segments = { $segments ->
    [one] 1 segment
   *[other] { $segments } segments
} of { BYTES($reserved_bytes) } when the snapshot was taken
picture-segments-left-out = { $segments ->
    [one] 1 more segment
   *[other] { $segments } more segments
} of { BYTES($left_bytes) } in all are not drawn (memory_segments lists them)
picture-segments-scale = Largest first, to scale; narrow neighbors are drawn as one, in the color of the largest
picture-stream = stream { LABEL($stream) }
picture-sweep = Batch sizes { $first } to { $last }: { $best } gives most samples a second
picture-sweep-left-out = { $sizes ->
        [one] 1 larger size is
       *[other] { $sizes } larger sizes are
    } not drawn
picture-sweep-lost = out of memory
picture-sweep-memory = Peak memory of the CUDA allocator
picture-sweep-mfu = MFU: achieved, of the peak
picture-sweep-nothing = No batch size fits into memory
picture-sweep-tflops = TFLOP/s achieved
picture-sweep-throughput = Samples a second
