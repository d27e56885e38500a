/** Texts of the page about telemetry, in English. */

import { counted } from './plural.ts'

export const telemetryEn = {
  telemetry: {
    definition:
      'What the hardware did while the program ran, as the driver sampled it. Utilization is the share of time in which any ' +
      'kernel ran, however few SMs it used.',
    answer: (gpu: string, reason: string, share: string, clock: string) =>
      `${gpu} was held below its clock in ${share} of the samples (${reason})${clock && `; it ran at ${clock} on average`}.`,
    answerFree: (gpu: string, clock: string) =>
      `Nothing held ${gpu} below its clock${clock && `; it ran at ${clock} on average`}.`,
    answerNotSampled: (gpu: string, clock: string) =>
      `${gpu} ran at ${clock} on average; what holds clocks down was not sampled.`,
    answerPower: (gpu: string, power: string) =>
      `${gpu} drew ${power} on average; neither its clock nor what holds it down was sampled.`,
    gpu: (gpu: number) => `GPU ${gpu}`,
    gpuOfRank: (gpu: number, rank: number) => `GPU ${gpu} of rank ${rank}`,
    chosen: 'GPU',
    figures: {
      energy: 'Energy a step',
      noEnergy: 'too few samples in steps',
      ofSteps: (steps: number) => `mean of ${counted(steps, 'step')}`,
      power: 'Mean power',
      clock: 'Lowest SM clock while busy',
      mean: (clock: string) => `mean ${clock}`,
      temperature: 'Highest temperature',
      throttled: 'Throttled',
    },
    limit: (value: string) => `limit ${value}`,
    upTo: (value: string) => `up to ${value}`,
    others: (least: string, most: string) => (least === most ? `others ${least}` : `others ${least} to ${most}`),
    sampling: (rates: string[]) =>
      rates.length > 0 ? `Sampled at ${rates.join(', ')}: shorter events are not seen.` : 'Sampled once.',
    lines: (gpu: string) => `${gpu} is in colour, with its least and greatest values; the other GPUs are grey.`,
    fields: 'Each row is a GPU, from top to bottom as in the list; a click chooses one.',
    ticks: 'Ticks on top are steps.',
    how: 'Drag to look at a part of the time.',
    window: (from: string, length: string) => `From ${from}, ${length} long: sums at the right are of this part.`,
    steps: (first: number, last: number) =>
      first === last ? `Select step ${first}` : `Select steps ${first} to ${last}`,
    emptyWindow: 'Nothing was sampled in this part of the time.',
    meanOf: (value: string) => `mean ${value}`,
    fromTo: (least: string, most: string) => `${least} to ${most}`,
    cell: (gpu: string, at: string, value: string) => `${gpu}, at ${at}: ${value}`,
    at: (moment: string) => `At ${moment}.`,
    more: (count: number) => `${counted(count, 'more counter')} in the table below.`,
    throttling: 'What held clocks down',
    noThrottling: 'Nothing, in any sample.',
    reasons: {
      'power-cap': 'power cap',
      hardware: 'hardware (power or heat)',
      thermal: 'heat',
      'power-brake': 'power brake',
    },
    metrics: {
      utilization: 'Utilization',
      power: 'Power',
      sm_clock: 'SM clock',
      memory_used: 'Memory used',
      memory_utilization: 'Memory controller busy',
      temperature: 'Temperature',
      pcie_rx: 'PCIe, to the GPU',
      pcie_tx: 'PCIe, from the GPU',
      nvlink: 'NVLink',
      sm_active: 'SM active',
      tensor_active: 'Tensor cores active',
      dram_active: 'DRAM active',
    },
    byGpu: 'By GPU',
    byCounter: 'Every counter',
  },
}
