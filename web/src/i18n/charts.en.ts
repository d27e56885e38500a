/** Texts of charts, and of the pages that are built around them, in English. */

import { causesEn } from './causes.en.ts'
import { counted } from './plural.ts'

export const charts = {
  stepTrace: {
    definition:
      'A step is divided by the first kernel of forward, after which the interval ends, and the last kernel of backward, ' +
      'after which the tail begins: interval + forward and backward + tail = step, to the nanosecond.',
    answer: (total: string, interval: string, both: string, tail: string, which: string) =>
      `A step takes ${total} ${which}: ${interval} before the model computes, ${both} of forward and ` +
      `backward, ${tail} after them.`,
    noModel: (total: string, which: string) =>
      `A step takes ${total} ${which}; no forward or backward pass of a model was found in it.`,
    /** On whose clock, and which steps it is the mean of. */
    base: (clock: string, steady: number) =>
      `${clock === 'recorder' ? 'as MindSpore divided it' : `on the ${clock === 'gpu' ? 'GPU' : 'CPU'}’s clock`}${steady > 1 ? ` (mean of ${counted(steady, 'steady step')})` : steady === 1 ? ' (the one steady step)' : ''}`,
    wholeTrace: (total: string, interval: string, both: string, tail: string) =>
      `No steps are marked: of the whole recording, ${total}, ${interval} pass before the model computes, ${both} in ` +
      `forward and backward, ${tail} after them.`,
    slowest: (rank: string, ranks: number) => `on rank ${rank}, whose mean step is the longest of ${ranks} ranks, `,
    stages: {
      interval: 'interval',
      forward: 'forward',
      backward: 'backward',
      undivided: 'forward and backward',
      tail: 'tail',
    },
    means: {
      interval: 'From the end of the step before to the first kernel of forward: loading, copies, zero_grad.',
      forward: 'From the first kernel of forward on, without the backward passes.',
      backward: 'From the first to the last kernel of each backward pass, recomputation included.',
      undivided: 'The recording does not tell forward from backward here.',
      tail: 'After the last kernel of backward: remaining gradient reduction, clipping, optimizer.',
    },
    idle: (time: string) => `GPU idle for ${time} of it`,
    idleBoth: (time: string) => `GPU idle for ${time} of forward and backward`,
    loading: (time: string) => `${time} of it waiting for the data loader`,
    average: 'The average step',
    noAverage: 'No average: each step is the first one or was cut by the window of the recording.',
    perStep: 'Each step',
    recorded: 'As MindSpore’s profiler divided them.',
    gpuClock: 'On the GPU’s clock: from the end of the last activity of the step before to the end of its own.',
    hostClock: 'Steps without GPU work stand on the host’s clock: operators take the place of kernels.',
    table: 'Step trace',
  },
  idle: {
    definition:
      'A gap is a time range between the first and the last activity of a rank in which no GPU activity runs. Each ' +
      'nanosecond of it has one cause, determined from the launch of the work that ended the gap.',
    answer: (cause: string, perStep: string, share: string, during: string, rank: string) =>
      `Main cause of GPU idle time, mean of the whole steps${rank}: ${cause}, ${perStep} a step (${share} of it)${during}.`,
    /** What it is of the whole recording, where that is another share. */
    whole: (time: string, share: string) =>
      `Over the whole recording, time between steps included: ${time}, ${share} of the idle time.`,
    duringPart: (what: string) => `, mostly in ${what}`,
    rankPart: (rank: string) => ` of rank ${rank}, whose GPU idles most`,
    unknownLate: (time: string) =>
      `For ${time} of it the next work had been launched, but the GPU began late with nothing recorded on it: another ` +
      'process used it, or activity is missing.',
    unknownLost: (time: string) =>
      `For ${time} of it the launch of the next work was not recorded, so what delayed it is not known.`,
    view: 'Divide by',
    views: { cause: 'cause', place: 'cause and line', gap: 'gap', stream: 'stream', device: 'device' },
    cause: 'cause',
    time: 'idle time',
    rank: 'rank',
    all: 'all of it',
    share: 'share',
    gaps: 'gaps',
    longest: 'longest',
    perStep: 'per step',
    during: 'meanwhile',
    device: 'device',
    stream: 'stream',
    causes: causesEn,
    byCause: 'Idle time by cause',
    byCauseSays: 'Over the whole recording, or the steps selected: each nanosecond is in one bar.',
    byStream: 'Idle time by stream',
    byDevice: 'Idle time by device',
    byStreamSays:
      'Gaps of each stream or device by itself: others may be busy meanwhile, so the bars do not add up to the idle time.',
    table: {
      cause: 'Causes',
      place: 'Causes and lines',
      gap: 'Gaps, longest first',
      stream: 'Streams',
      device: 'Devices',
    },
    sync: 'Blocking (synchronizing) calls',
    syncSays:
      'A blocking call may take long and still cost nothing if the host runs far ahead; what it costs the GPU is in the causes.',
  },
  launches: {
    definition:
      'Launch latency: from the call to the start of its work on an idle stream; the GPU idles meanwhile. Queueing: work ' +
      'waits behind earlier work of its stream, as it should on a busy GPU.',
    answer: (api: string, calls: string, call: string, latency: string, queueing: string) =>
      `${/^[aeiou]/i.test(api) ? 'An' : 'A'} ${api} call takes ${call} on the host (median of ${calls})` +
      `${latency && `; its work starts ${latency} later on an idle stream`}` +
      `${queueing && `, and queues for ${queueing} behind earlier work`}.`,
    short: (count: string) =>
      `${count} of these calls took longer than the work they launched: with work that short the host cannot keep the GPU busy.`,
    measures: {
      measure: 'measure',
      time: 'time per call, logarithmic',
      call: 'call on the host',
      latency: 'launch latency',
      queueing: 'queueing',
      median: 'median',
      p95: '95th percentile',
      longest: 'longest',
      of: 'calls counted',
    },
    calls: (api: string) => `Time of a ${api} call`,
    callsSays: 'Darker: median; lighter: 95th percentile. Choose another API in the table below.',
    lengths: {
      title: 'Kernels by duration',
      says: 'Share of all kernels, and of kernel time, by duration (logarithmic bins).',
      length: 'kernel duration',
      share: 'share',
      ofKernels: 'of all kernels',
      ofTime: 'of their time',
      kernels: 'kernels',
      total: 'time',
      shorter: 'shorter than their launch',
      inGraph: 'in CUDA graphs',
      andMore: (from: string) => `${from} and more`,
    },
    depth: {
      title: (stream: string) => `Launches waiting in the queue of ${stream}`,
      says: 'While the queue is not empty, the GPU has work waiting. Drag to zoom, double-click to show all.',
      at: 'at',
      launches: 'launches',
      most: 'most',
      mean: 'mean over time',
      fewest: 'fewest',
      stream: 'Stream',
      name: (rank: number, device: number, stream: number) => `rank ${rank} · device ${device} · stream ${stream}`,
    },
    table: 'Launch calls',
    short_kernels: 'Kernels shorter than 10 us',
    queues: 'Stream queues',
  },
  roofline: {
    definition:
      'Each point is an operator at its input shapes: FLOPs per byte of minimum traffic across, FLOP/s achieved upwards. ' +
      'Under the sloping roof memory bandwidth is the limit, under a flat one compute. The area of a point is its GPU time.',
    answer: (op: string, share: string, gap: string, time: string) =>
      `Largest gap to the roof: ${op} runs at ${share} of it, so ${gap} of its ${time} are above the minimum time.`,
    coverage: (note: string) => `Coverage: ${note}.`,
    chart: 'Operators under the roofs of the device',
    chartSays: 'Both axes are logarithmic. Operators without arithmetic, such as copies, are in the table only.',
    noPoints: 'No operator with arithmetic has a FLOPs model; the table below has the others.',
    intensity: 'intensity, FLOPs per byte',
    speed: 'achieved',
    bounds: {
      compute: 'compute-bound',
      memory: 'memory-bound',
      cache: 'served by the cache',
      latency: 'latency-bound',
      communication: 'communication',
      transfer: 'copy from or to the host',
      '': 'unknown bound',
    },
    shapes: 'shapes',
    type: 'type · roof',
    calls: 'calls',
    time: 'GPU time',
    ofRoof: 'of the roof',
    flops: 'FLOPs',
    bandwidth: 'minimum traffic',
    beyond: 'above minimum time',
    memory: 'memory',
    view: 'Divide by',
    views: { shape: 'operator and shapes', op: 'operator', kind: 'kind' },
    table: { shape: 'Operators and shapes', op: 'Operators', kind: 'Kinds of work' },
    mfu: 'FLOPs utilization of each step (MFU and HFU)',
    mfuSays:
      'A step that waits has low utilization however good its kernels are; the share of the roof is of kernel time only.',
  },
  dataLoading: {
    definition:
      'Exposed is the part of the wait for batches during which the GPU is idle; the rest is hidden behind its work. ' +
      'Up to 5 % of the step, data loading does not count as the bottleneck.',
    verdicts: {
      processing: 'Input-bound: batches are not produced in time',
      'hand-over': 'Input-bound: transferring batches from the workers is the bottleneck',
      transfer: 'Bottleneck: memcpys to the GPU',
      'not the problem': 'Data loading is not the bottleneck',
    },
    onRank: (rank: string) => ` (most exposed on rank ${rank})`,
    answer: (verdict: string, share: string, exposed: string) =>
      `${verdict}. Waiting for batches left the GPU idle for ${exposed}, ${share} of step time.`,
    fetching: (wait: string) => `The host spent ${wait} in fetches; the rest of it is hidden behind GPU work.`,
    fetchingCalls: (wait: string, calls: string) =>
      `The host spent ${wait} in fetches, ${calls} of it in their own CUDA calls: a blocking copy waits there for ` +
      'earlier GPU work, not for data.',
    answerHost: (verdict: string, share: string, wait: string) =>
      `${verdict}. The program waited ${wait} for batches, ${share} of step time.`,
    answerCopies: (verdict: string, size: string, copying: string, exposed: string) =>
      `${verdict}. ${size} were copied in ${copying}, ${exposed} of it while nothing computed.`,
    loader: 'Data loader',
    copy: 'Copy to the GPU',
    step: 'Training step',
    batches: 'batches',
    tensors: 'tensors',
    mark: 'bottleneck',
    workers: 'workers',
    workerKinds: {
      'multi-process': 'worker processes',
      'single-process': 'main process only',
      '': 'unknown',
    },
    fetches: 'batches requested',
    empty: 'of these not ready',
    handover: 'hand-over of ready batches',
    bytes: 'copied',
    pageable: 'from pageable memory',
    copying: 'time copying',
    uncovered: 'of it exposed',
    stepTime: 'time of the steps',
    wait: 'host in fetches',
    calls: 'of it in their own CUDA calls',
    exposed: 'exposed: GPU idle',
    share: 'share of step time',
    allSteps: 'Sums over all complete steps.',
    allStepsOf: (rank: string) => `Sums over all complete steps of rank ${rank}, the one most limited by its data.`,
    perStep: 'Wait of each step',
    perStepSays: 'Left: wait for batches, exposed and hidden. Right: copies to the GPU while nothing computes.',
    parts: { exposed: 'exposed wait', hidden: 'hidden wait', copies: 'exposed copies' },
    ranks: 'Ranks',
    table: 'Steps',
  },
  memory: {
    definition:
      'Allocated is what tensors hold, reserved what PyTorch’s caching allocator holds for them. The CUDA context and ' +
      'libraries such as NCCL are in neither.',
    answer: (device: string, peak: string, share: string, reserved: string, most: string) =>
      `Peak on ${device}: ${peak}${share}${reserved}${most}.`,
    ofRank: (device: string, rank: number) => `${device} of rank ${rank}`,
    ofCard: (share: string) => `, ${share} of its memory`,
    andReserved: (size: string) => `, with ${size} reserved`,
    most: (op: string, size: string) => `; the largest part, ${size}, was allocated by ${op}`,
    before: (size: string) => `; ${size} of that was allocated before the recording`,
    device: 'Device',
    curve: {
      title: (device: string) => `Memory of ${device} over time`,
      says: 'Every allocation and release. Drag to zoom, double-click to show all, click to see the change below.',
      sliced:
        'The peak of each of 100 time ranges: the changes are too many to be shown at once. Drag to see each of a range.',
      at: 'at',
      memory: 'memory',
      allocated: 'allocated',
      reserved: 'reserved',
      card: (size: string) => `memory of the device: ${size}`,
    },
    changes: 'Each change',
    slices: 'Time ranges',
    peak: {
      title: (device: string) => `Alive at the peak of ${device}`,
      says: 'Blocks alive at peak allocated memory, by operator and line of your code. The table below adds up to it.',
      alive: 'alive',
      blocks: 'allocations',
      share: 'share',
      kept: 'kept to the end of the recording',
      others: (count: number) => counted(count, 'smaller one'),
    },
    operators: 'Allocations and releases by operator',
    events: 'Each allocation with its release',
    eventsSays: 'Largest first.',
  },
  missing: {
    lack: (lack: string) => `The recording has ${lack}.`,
    record: 'Record with',
  },
  chart: {
    chart: 'chart',
    toggle: 'Hide or show',
    keys: 'Arrow keys walk through the marks, Enter chooses one.',
    lineKeys: 'Arrow keys move along the line, plus and minus zoom, Enter selects a time, Escape shows all.',
    all: 'Show all',
    most: (shown: number, all: string) => `The ${shown} with most of ${all}.`,
    at: (time: string) => `at ${time}`,
    others: (count: number) => counted(count, 'other'),
    steps: {
      step: 'step',
      rank: 'rank',
      time: 'time',
      total: 'step',
      longestOf: (count: number) => `Each bar is the longest of ${counted(count, 'step')}.`,
      cut: (step: string) => `${step} (cut)`,
    },
  },
}

export type ChartWords = typeof charts
