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
    base: (gpu: boolean, steady: number) =>
      `on the ${gpu ? 'GPU' : 'CPU'}’s clock${steady ? ` (mean of ${counted(steady, 'steady step')})` : ''}`,
    wholeTrace: (total: string, interval: string, both: string, tail: string) =>
      `No steps are marked: of the whole recording, ${total}, ${interval} pass before the model computes, ${both} in ` +
      `forward and backward, ${tail} after them.`,
    slowest: (rank: string, ranks: number) => `on rank ${rank}, the slowest of ${ranks}, `,
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
      tail: 'After the last kernel of backward: gradient reduction left over, clipping, optimizer.',
    },
    idle: (time: string) => `GPU idle for ${time} of it`,
    idleBoth: (time: string) => `GPU idle for ${time} of forward and backward`,
    loading: (time: string) => `${time} of it waiting for the data loader`,
    average: 'The average step',
    noAverage: 'No average: each step is the first one or was cut by the window of the recording.',
    perStep: 'Each step',
    gpuClock: 'On the GPU’s clock: from the end of the last activity of the step before to the end of its own.',
    hostClock: 'Steps without GPU work stand on the host’s clock: operators take the place of kernels.',
    table: 'Step trace',
  },
  idle: {
    definition:
      'A gap is a time range between the first and the last activity of a rank in which no GPU activity runs. Each ' +
      'nanosecond of it has one cause, determined from the call that launched what ended it.',
    answer: (cause: string, perStep: string, share: string, during: string, rank: string) =>
      `Main cause of GPU idle time in steps${rank}: ${cause}, ${perStep} a step (${share} of it)${during}.`,
    /** What it is of the whole recording, where that is another share. */
    whole: (time: string, share: string) =>
      `Over the whole recording, time between steps included: ${time}, ${share} of the idle time.`,
    duringPart: (what: string) => `, mostly in ${what}`,
    rankPart: (rank: string) => ` of rank ${rank}`,
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
    byStreamSays: 'Gaps of each alone: others may be at work meanwhile, so the bars do not add up to the idle time.',
    table: {
      cause: 'Causes',
      place: 'Causes and lines',
      gap: 'Gaps, longest first',
      stream: 'Streams',
      device: 'Devices',
    },
    sync: 'Blocking (synchronizing) calls',
    syncSays:
      'A call that waits can take long and cost nothing, where the host is far ahead: what such waits cost the GPU stands with the causes.',
  },
  launches: {
    definition:
      'A call takes the host some time. Launch latency is from the call to the start of its work, on a stream that had ' +
      'nothing to do: the GPU loses it. Queueing is work waiting behind earlier work: healthy, the GPU is busy.',
    answer: (api: string, calls: string, call: string, latency: string, queueing: string) =>
      `A call of ${api} takes the host ${call} (median of ${calls})` +
      `${latency && `; on an idle stream its work starts ${latency} after it`}` +
      `${queueing && `; behind earlier work it waits ${queueing}`}.`,
    short: (count: string) =>
      `Of them, ${count} took longer than the work they launched: no host can keep a GPU busy with these.`,
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
    calls: (api: string) => `What a call of ${api} takes`,
    callsSays: 'Darker: median; lighter: 95th percentile. Choose another API in the table below.',
    lengths: {
      title: 'Kernels by length',
      says: 'How many kernels are short, and how much of the kernels’ time they take. Classes grow as on a logarithmic axis.',
      length: 'length of the kernel',
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
      says: 'A queue that is never empty means that the GPU always has work. Drag to zoom, double click shows all.',
      at: 'at',
      launches: 'launches',
      most: 'most',
      mean: 'mean over time',
      fewest: 'fewest',
      stream: 'Stream',
      name: (rank: number, device: number, stream: number) => `rank ${rank} · device ${device} · stream ${stream}`,
    },
    table: 'Calls that queue GPU work',
    short_kernels: 'Kernels of less than 10 us',
    queues: 'Queues of the streams',
  },
  roofline: {
    definition:
      'Each point is an operator with its shapes: arithmetic per byte of least traffic across, what it achieved upwards. ' +
      'Under the sloping roof memory limits, under the flat ones arithmetic. The area of a point is its GPU time.',
    answer: (op: string, share: string, gap: string, time: string) =>
      `Most could be won in ${op}: it runs at ${share} of the roof, ${gap} of its ${time} beyond the least time.`,
    coverage: (note: string) => `Coverage: ${note}.`,
    chart: 'Operators under the roofs of the device',
    chartSays: 'Both axes are logarithmic. Operators without arithmetic, as copies, stand in the table only.',
    noPoints: 'No operator has a model and arithmetic; the table below says what there is.',
    intensity: 'intensity, FLOPs per byte',
    speed: 'achieved',
    bounds: {
      compute: 'bound by arithmetic',
      memory: 'bound by memory',
      cache: 'fed by the cache',
      latency: 'bound by latency',
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
    bandwidth: 'least traffic',
    beyond: 'beyond least time',
    memory: 'memory',
    view: 'Divide by',
    views: { shape: 'operator and shapes', op: 'operator', kind: 'kind' },
    table: { shape: 'Operators and shapes', op: 'Operators', kind: 'Kinds of work' },
    mfu: 'FLOPs utilization of each step (MFU and HFU)',
    mfuSays:
      'A step that waits has a low utilization however good its kernels are: compare with the share of the roof, which knows the kernels’ own time only.',
  },
  dataLoading: {
    definition:
      'Exposed is the part of the wait for batches that the GPU could have used; the rest is hidden behind its work. ' +
      'Up to 5 % of the step, data is not the problem.',
    verdicts: {
      processing: 'Input-bound: batches are not produced in time',
      'hand-over': 'Input-bound: transferring batches from the workers is the bottleneck',
      transfer: 'Bottleneck: memcpys to the GPU',
      'not the problem': 'Data loading is not the problem',
    },
    onRank: (rank: string) => ` (rank ${rank} waits most)`,
    answer: (verdict: string, share: string, exposed: string, wait: string) =>
      `${verdict}. The GPU had nothing to do for ${exposed} of ${wait} of waiting, ${share} of the steps.`,
    answerHost: (verdict: string, share: string, wait: string) =>
      `${verdict}. The program waited ${wait} for batches, ${share} of the steps.`,
    answerCopies: (verdict: string, size: string, copying: string, exposed: string) =>
      `${verdict}. ${size} were copied in ${copying}, ${exposed} of it while nothing computed.`,
    loader: 'Loader: makes batches',
    copy: 'Copy: to the GPU',
    step: 'Training step: uses them',
    batches: 'batches',
    tensors: 'tensors',
    mark: 'bottleneck',
    workers: 'workers',
    workerKinds: {
      'multi-process': 'worker processes',
      'single-process': 'main process only',
      '': 'not shown by its name',
    },
    fetches: 'batches asked for',
    empty: 'of them not ready',
    handover: 'ready, but not handed over',
    bytes: 'copied',
    pageable: 'from pageable memory',
    copying: 'copies under way',
    uncovered: 'nothing computes meanwhile',
    stepTime: 'time of the steps',
    wait: 'waiting for batches',
    exposed: 'exposed: GPU without work',
    share: 'share of the steps',
    allSteps: 'Sums over all steps that the recording did not cut.',
    allStepsOf: (rank: string) =>
      `Sums over all steps of rank ${rank}, the one most limited by its data, without those that the recording cut.`,
    perStep: 'Wait of each step',
    perStepSays:
      'Left the wait for batches, exposed and hidden; right the copies to the GPU during which nothing computes.',
    parts: { exposed: 'exposed wait', hidden: 'hidden wait', copies: 'exposed copies' },
    ranks: 'Ranks',
    table: 'Steps',
  },
  memory: {
    definition:
      'Allocated is what tensors hold, reserved what PyTorch’s caching allocator holds for them. The CUDA context and ' +
      'libraries such as NCCL are in neither.',
    answer: (device: string, peak: string, share: string, reserved: string, most: string) =>
      `${device} holds ${peak} at its fullest${share}${reserved}${most}.`,
    ofRank: (device: string, rank: number) => `${device} of rank ${rank}`,
    ofCard: (share: string) => `, ${share} of its memory`,
    andReserved: (size: string) => `, with ${size} reserved`,
    most: (op: string, size: string) => `; the largest part, ${size}, is that of ${op}`,
    before: (size: string) => `; ${size} of that was allocated before the recording`,
    device: 'Device',
    curve: {
      title: (device: string) => `Memory of ${device} over time`,
      says: 'Every allocation and release. Drag to zoom, double click shows all, a click shows the change below.',
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
      title: (device: string) => `What ${device} held at its fullest`,
      says: 'Blocks alive at peak allocated memory, by operator and line of the user’s code. The table below adds up to it.',
      alive: 'alive',
      blocks: 'allocations',
      share: 'share',
      kept: 'kept to the end of the recording',
      others: (count: number) => counted(count, 'smaller one'),
    },
    operators: 'What operators allocate and release',
    events: 'Each allocation with its release',
    eventsSays: 'Largest first.',
  },
  missing: {
    lack: (lack: string) => `The recording has ${lack}.`,
    record: 'Record with',
  },
  chart: {
    chart: 'chart',
    command: 'Command',
    toggle: 'Hide or show',
    keys: 'Arrow keys walk through the marks, Enter chooses one.',
    lineKeys: 'Arrow keys move along the line, plus and minus zoom, Enter selects a time, Escape shows all.',
    all: 'Show all',
    at: (time: string) => `at ${time}`,
    others: (count: number) => counted(count, 'other'),
    steps: {
      step: 'step',
      rank: 'rank',
      time: 'time',
      total: 'step',
      longestOf: (count: number) => `Each bar is the longest of ${counted(count, 'step')}`,
    },
  },
}

export type ChartWords = typeof charts
