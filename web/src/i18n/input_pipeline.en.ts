/** Texts about a recorded input pipeline, in English. */

export const inputPipelineEn = {
  inputPipeline: {
    title: 'Input pipeline',
    says:
      'From the sources to the training step. A bar shows how full the queue behind an operator is on average: ' +
      'the bottleneck has a full queue before it and an empty one behind it.',
    mark: 'bottleneck',
    step: 'Training step',
    rank: (rank: string) => `Rank ${rank}`,
    workers: (count: string) => `${count} ${count === '1' ? 'worker' : 'workers'},`,
    full: (share: string) => `queue ${share} full`,
    noQueue: 'no queue',
    operators: 'Operators of the input pipeline',
    cpu: 'CPU utilization',
    batches: 'Batches',
  },
}
