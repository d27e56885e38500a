/** Texts of the pages about ranks and what they say to each other, in English. */

export const ranksEn = {
  rankPage: {
    rank: 'rank',
    means:
      'Late is a rank whose own work makes a collective begin later than the other ranks would. Waiting is what its kernel takes longer than that of the rank that arrives last; the rest is transfer.',
    single: 'There is one rank.',
    alike: 'No rank stands out as the one that the others wait for.',
    both: (who: string, cost: string) => `${who} ${cost}`,
    jobStep: (job: string, best: string, bestTime: string, slowest: string, slowestTime: string) =>
      `A step of the job takes ${job}; without waiting for others, rank ${best} would take ${bestTime} and rank ${slowest} ${slowestTime}.`,
    jobWaits: (exposed: string, waiting: string, transfer: string) =>
      ` On average over ranks, nothing computes during ${exposed} of communication: ${waiting} is waiting for another rank, ${transfer} is transfer.`,
    jobWaitsFor: (rank: string, share: string) => ` ${share} of the waiting is for rank ${rank}.`,
    jobUnknown: (time: string) => ` ${time} could not be separated.`,
    matrix: 'Each step of each rank',
    matrixSays: 'Click a cell to select its rank and step everywhere, click it again for all.',
    late: 'Who is late',
    job: 'The job’s step',
    waits: 'Who waits for whom',
    waitsSays: 'A row is a rank that waits, a column the rank that arrives last. Click a cell to select both.',
    waiting: 'waits',
    waitedFor: 'for rank',
    waitsFor: (rank: string, other: string, time: string) => `rank ${rank} waits for rank ${other}: ${time}`,
    waitsNot: (rank: string, other: string) => `rank ${rank} never waits for rank ${other}`,
    clocks: 'Clocks',
    span: 'first to last activity',
    idle: 'GPU idle',
    memory: 'exposed memcpys and memsets',
    chart: 'GPU time of each rank',
    chartSays: 'Parts add up to the time from first to last activity. Click a rank to select it everywhere.',
    utilization: 'Utilization',
    summary: 'Summary',
  },
  communicationPage: {
    means:
      'Exposed is communication during which nothing computes on the same rank. A kernel’s duration holds the waiting for other ranks; the rest is transfer.',
    answer: (rank: string, total: string, exposed: string, span: string, overlap: string) =>
      `Rank ${rank} communicates for ${total} of ${span}; for ${exposed} of that nothing computes (overlap ${overlap}).`,
    overlap: 'Communication covered by computing',
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
      'Time of the kernels over all ranks. What each took longer than that of the rank that arrived last is waiting.',
    bandwidthTitle: 'Bandwidth',
    bandwidthSays:
      'Bytes of a call by the time of its transfer; the bus bandwidth counts what each link carries, as the NCCL tests do.',
    stepsTitle: 'Exposed communication of each step',
    stepsSays:
      'Mean over ranks: transferring and waiting while nothing computes. Click a step to select it everywhere.',
    split: {
      sizes: 'Sizes of the messages',
      sizesSay:
        'Share of all calls and of all transfer time by size of the call. Small messages cost more than they move.',
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
        'Bandwidth where two ranks alone talk; of several kinds of calls the slowest. A row sends, a column receives. Click a cell to select both.',
      sender: 'sends',
      receiver: 'receives',
      link: (from: string, to: string, speed: string) => `rank ${from} to rank ${to}: ${speed}`,
      linksTable: 'Links',
      pipeline: 'Bubbles of the pipeline',
      pipelineSays: 'Share of each step in which a rank has no microbatch to compute. Click a cell to select it.',
      pipelineTable: 'Stages of the pipeline',
      experts: 'Load of the experts',
      expertsSay: 'What all-to-all calls give each rank to work on, against the mean of its group: 100 % is even.',
      load: 'load',
      expertsTable: 'Load by rank',
    },
    kernels: 'Communication kernels',
    ranks: 'By rank',
  },
}
