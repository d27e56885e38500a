/** Texts of the page about kernel reports, in English. */

import { counted } from './plural.ts'

export const kernelReportsEn = {
  kernelReports: {
    definition:
      'Kernels as Nsight Compute profiled them, usually with clocks locked and caches flushed: their times are not those ' +
      'in the program. Savings are upper bounds, from how busy each unit is.',
    answer: (kernels: number, total: string, kernel: string, share: string) =>
      `${counted(kernels, 'kernel')} profiled, ${total} together; ${share} of it in ${kernel}.`,
    list: 'Profiled kernels, longest first',
    launch: (grid: string, block: string) => `grid ${grid} · block ${block}`,
    gpu: (gpu: string) => `GPU ${gpu}`,
    bottlenecks: {
      uncoalesced: 'uncoalesced access',
      bank_conflicts: 'bank conflicts',
      divergence: 'divergent branches',
      occupancy: 'low occupancy',
      small_grid: 'small grid',
      tail: 'tail effect',
      atomics: 'contended atomics',
      local_memory: 'local memory',
      double_precision: 'FP64',
      dram: 'DRAM bandwidth',
      l2: 'L2 bandwidth',
      l1: 'L1/TEX bandwidth',
      compute: 'compute-bound',
      latency: 'latency-bound',
      unknown: 'not measured',
    } as Record<string, string>,
    figures: {
      duration: 'Duration',
      ofAll: (share: string) => `${share} of the profiled time`,
      saving: 'Could be saved, at most',
      occupancy: 'Achieved occupancy',
      theoretical: (share: string) => `${share} theoretical`,
      trace: 'Time in the trace',
      calls: (calls: number) => `${counted(calls, 'launch', 'launches')} of this grid and block`,
      registers: 'Registers per thread',
      estimate: 'Largest estimate of NVIDIA’s rules',
    },
    advice: 'What to do',
    speed: 'Speed of Light',
    speedSays: 'Of the peak of each unit; from 60 % on a unit limits the kernel.',
    units: {
      compute_throughput_pct: 'Compute (SM)',
      memory_throughput_pct: 'Memory',
      dram_throughput_pct: 'DRAM',
      l2_throughput_pct: 'L2 cache',
      l1_throughput_pct: 'L1/TEX cache',
    },
    stalls: 'Warp states',
    stallsSay: 'Of the cycles between two instructions of a warp.',
    noStalls: 'Warp states were not collected: ncu --set full, or --section WarpStateStats.',
    rules: 'What NVIDIA’s rules say',
    noRules: 'The report holds no rule for this kernel.',
    scope: { global: 'Est. speedup', local: 'Est. local speedup' } as Record<string, string>,
    estimate: (share: string, scope: string) => `${scope} ${share}`,
    table: 'All profiled kernels',
    metrics: 'Every metric of every kernel',
  },
}
