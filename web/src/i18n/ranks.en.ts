/** Texts of the pages about ranks and what they say to each other, in English. */

export const ranksEn = {
  rankPage: {
    rank: 'rank',
    means:
      'A rank is late if its own work makes a collective start later than the other ranks would have. Waiting is how much longer a kernel runs than that of the last rank to arrive; the rest is transfer.',
    single: 'There is one rank.',
    alike: 'No rank stands out as the one that the others wait for.',
    both: (who: string, cost: string) => `${who} ${cost}`,
    jobStep: (job: string, best: string, bestTime: string, slowest: string, slowestTime: string) =>
      `A step of the job takes ${job}; without waiting for others, rank ${best} would take ${bestTime} and rank ${slowest} ${slowestTime}.`,
    jobWaits: (exposed: string, waiting: string, transfer: string) =>
      ` Exposed communication, mean over ranks: ${exposed}, of which ${waiting} waiting for another rank and ${transfer} transfer.`,
    jobWaitsFor: (rank: string, share: string) => ` ${share} of the waiting is for rank ${rank}.`,
    jobUnknown: (time: string) => ` ${time} could not be separated.`,
    matrix: 'Each step of each rank',
    matrixSays: (measure: string, means: string) =>
      `${measure}: ${means}. Click a cell to select its rank and step everywhere and see its details, click it again for all.`,
    late: 'Who is late',
    job: 'The job’s step',
    waits: 'Who waits for whom',
    waitsSays:
      'A row is a rank that waits, a column the rank that arrives last. Click a cell to select both and see the details.',
    waiting: 'waits',
    waitedFor: 'for rank',
    waitsFor: (rank: string, other: string, time: string) => `rank ${rank} waits for rank ${other}: ${time}`,
    waitsNot: (rank: string, other: string) => `rank ${rank} never waits for rank ${other}`,
    clocks: 'Clocks',
    span: 'first to last activity',
    idle: 'GPU idle',
    memory: 'exposed memcpys and memsets',
    chart: 'GPU time of each rank',
    chartSays: 'Parts add up to the time from first to last activity. Click a rank for its details.',
    utilization: 'Utilization',
    summary: 'Summary',
  },
  communicationPage: {
    means:
      'Exposed is communication during which nothing computes on the same rank. A kernel’s duration includes waiting for other ranks; the rest is transfer.',
    answer: (rank: string, one: boolean, total: string, exposed: string, span: string, overlap: string) =>
      `Rank ${rank}${one ? '' : ', the one with the most exposed communication,'} communicates for ${total} of ${span}; ${exposed} of it is exposed (overlap ${overlap}).`,
    overlap: 'Communication overlapped with compute',
    overlapMeans: 'Share of the communication time in which a kernel computes on the same rank',
    collectives: 'By operation, group and type',
    waiting: {
      category: 'operation',
      time: 'time',
      total: 'total',
      bandwidth: 'bandwidth',
      algbw: 'algorithm bandwidth',
      busbw: 'bus bandwidth',
      step: 'step',
      parts: { transfer: 'transfer', wait: 'waiting for another rank', unmatched: 'not separated' },
    },
    waitingTitle: 'Transferring and waiting',
    waitingSays:
      'Kernel time over all ranks. Waiting is how much longer a kernel runs than that of the last rank to arrive.',
    bandwidthTitle: 'Bandwidth',
    bandwidthSays:
      'Bytes of a call divided by its transfer time; bus bandwidth counts what each link carries, as nccl-tests does.',
    stepsTitle: 'Exposed communication of each step',
    stepsSays:
      'Mean over ranks: transferring and waiting while nothing computes. Click a step to select it everywhere.',
    split: {
      sizes: 'Message sizes',
      sizesSay:
        'Share of calls and of transfer time by message size. Small messages are limited by latency, not by bandwidth.',
      size: {
        size: 'from',
        share: 'share',
        calls: 'of the calls',
        transfer: 'of the transfer time',
        unknown: 'not recorded',
      },
      sizesTable: 'By operation, group and size',
      links: 'Links between ranks',
      linksSay:
        'Bandwidth where only two ranks communicate; of several kinds of calls, the slowest. A row sends, a column receives. Click a cell to select both and see the details.',
      sender: 'sends',
      receiver: 'receives',
      link: (from: string, to: string, speed: string) => `rank ${from} to rank ${to}: ${speed}`,
      linksTable: 'Links',
      pipeline: 'Pipeline bubbles',
      pipelineSays:
        'Share of each step in which a rank has no microbatch to compute. Click a cell to select it and see its details.',
      pipelineTable: 'Pipeline stages',
      experts: 'Expert load',
      expertsSay:
        'What all-to-all calls send each rank to process, relative to the mean of its group: 100 % is balanced.',
      load: 'load',
      expertsTable: 'Load by rank',
    },
    kernels: 'Communication kernels',
    ranks: 'By rank',
  },
}
