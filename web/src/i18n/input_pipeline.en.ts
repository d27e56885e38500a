/** Texts about a recorded input pipeline, in English. */

export const inputPipelineEn = {
  inputPipeline: {
    title: 'Input pipeline',
    says:
      'From the sources to the training step, each operator with how full the queue behind it is on average: ' +
      'the bottleneck has a full queue before it and an empty one behind it.',
    mark: 'bottleneck',
    processing: 'Data processing',
    transfer: 'Transfer',
    step: 'Training step',
    hostQueue: 'host queue',
    deviceQueue: 'device queue',
    notReady: 'batches not ready',
    late: 'not on the device',
    queueFull: 'queue full',
    of: (part: string, whole: string) => `${part} of ${whole}`,
    notRecorded: 'not recorded',
    taken: 'batches taken',
    wait: 'mean time to take one',
    rank: (rank: string) => `Rank ${rank}`,
    operator: (name: string, id: string) => `${name} (${id})`,
    workers: (count: string) => `${count} ${count === '1' ? 'worker' : 'workers'}`,
    full: 'queue filled',
    noQueue: 'no queue',
    operators: 'Operators of the input pipeline',
    cpu: 'CPU utilization',
    batches: 'Batches',
  },
}
