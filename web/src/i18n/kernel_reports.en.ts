/** Texts of the page about kernel reports, in English. */

import { countText } from '../model/format.ts'
import { counted } from './plural.ts'

export const kernelReportsEn = {
  kernelReports: {
    definition:
      'Kernels as Nsight Compute profiled them, usually with clocks locked and caches flushed: their times are not those ' +
      'in the program. Savings are upper bounds, from how busy each unit is.',
    answer: (kernels: number, ranges: number, total: string, kernel: string, share: string) => {
      const both = [
        ...(kernels > 0 || ranges === 0 ? [counted(kernels, 'kernel')] : []),
        ...(ranges > 0 ? [counted(ranges, 'range of kernels', 'ranges of kernels')] : []),
      ]
      return `${both.join(' and ')} profiled, ${total} together; ${share} of it in ${kernel}.`
    },
    list: 'Profiled kernels, longest first',
    launch: (grid: string, block: string) => `grid ${grid} · block ${block}`,
    range: (kernels: number | null) =>
      `range of ${kernels === null ? 'several kernels' : counted(kernels, 'kernel')}, measured together`,
    gpu: (gpu: string) => `GPU ${gpu}`,
    bottlenecks: {
      uncoalesced: 'uncoalesced access',
      bank_conflicts: 'bank conflicts',
      divergence: 'divergent branches',
      partial_warps: 'partial warps',
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
    simulate: 'What if: its launches in the trace without what limits them (best case)',
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
    stallsBeside: (cycles: string, base: string) =>
      `Cycles of a warp in each state between two instructions: ${cycles} together, ${base}.`,
    cycles: (cycles: string, share: string) => `${cycles} cycles · ${share}`,
    notInBase: 'Of the baseline this was not collected.',
    noStalls: 'Warp states were not collected: ncu --set full, or --section WarpStateStats.',
    baseline: 'Compare with',
    noBaseline: 'no other kernel',
    baseReport: 'of run',
    thisRun: 'this one',
    noSameKernel: 'It has no kernel of this name: choose one.',
    base: (value: string, more: string) => (more ? `${value} in the baseline, ${more}` : `${value} in the baseline`),
    notThere: 'nothing',
    same: 'the same in the baseline',
    isBaseline: (kernel: string) => `Baseline: ${kernel}`,
    ofBaseline: (said: string) => `Baseline: ${said}`,
    thisKernel: 'this kernel',
    roofline: {
      title: 'Roofline',
      says: 'Operations per second over operations per byte, under the peaks at the measured clocks.',
      nearest: (share: string, precision: string, level: string) =>
        `Closest to the roof: ${precision} at ${share} of what ${level} and arithmetic allow.`,
      none: 'No floating-point operations were measured: the kernel executed none, or ncu --set full is needed.',
      intensity: 'FLOPs per byte',
      speed: 'FLOP/s',
      ofRoof: 'Of roofline',
      bound: 'Bound',
      bandwidth: 'Bandwidth',
      bounds: { compute: 'compute', memory: 'memory' } as Record<string, string>,
      levels: { dram: 'DRAM', l2: 'L2', l1: 'L1/TEX' } as Record<string, string>,
      precision: (name: string) =>
        name.replace(/^tensor /, 'tensor cores ').replace(/[a-z]*\d+$/, (type) => type.toUpperCase()),
      base: 'baseline',
      baseline: (name: string) => `${name} (baseline)`,
    },
    memory: {
      title: 'Memory',
      says: 'Arrows follow the data; they are as wide as the link is busy. Links that carried nothing are left out.',
      limited: (link: string, share: string) =>
        `${link} is at ${share} of its peak. Arrows follow the data; links that carried nothing are left out.`,
      none: 'Memory traffic was not collected: ncu --set full, or --section MemoryWorkloadAnalysis_Chart.',
      table: 'Links as a table',
      columns: [
        ...['from_unit', 'to_unit', 'link', 'requests', 'transfers', 'bytes', 'achieved_bandwidth', 'peak_pct'],
        'hit_pct',
      ],
      units: {
        kernel: 'Kernel',
        l1: 'L1/TEX',
        shared: 'Shared mem.',
        l2: 'L2',
        dram: 'DRAM',
        system: 'Host memory',
        peer: 'Other GPUs',
      } as Record<string, string>,
      links: {
        global_load: 'Global load',
        global_store: 'Global store',
        global_atomic: 'Global atomic',
        local_load: 'Local load',
        local_store: 'Local store',
        texture_load: 'Texture load',
        surface_load: 'Surface load',
        surface_store: 'Surface store',
        shared_load: 'Shared load',
        shared_store: 'Shared store',
        shared_atomic: 'Shared atomic',
        l2_read: 'Read',
        l2_write: 'Write',
        dram_read: 'Read',
        dram_write: 'Write',
        system_read: 'Read',
        system_write: 'Write',
        peer_read: 'Read',
        peer_write: 'Write',
      } as Record<string, string>,
      goes: (from: string, to: string) => `${from} to ${to}`,
      hit: (share: string) => `${share} hit`,
      ofPeak: (share: string) => `${share} of peak`,
      perRequest: (count: string, sectors: boolean) => `${count} ${sectors ? 'sectors' : 'wavefronts'}/request`,
      nothing: 'nothing',
      versus: (value: string) => `vs ${value}`,
      besides: 'Thin lines and the figures below them are the baseline’s.',
      wavefronts: (count: string) => `${count} wavefronts`,
    },
    pipes: {
      title: 'Compute pipes',
      says: 'Instructions of each pipe, of the most it executes while SMs are active; from 60 % on it limits the kernel.',
      none: 'Pipes were not collected: ncu --set detailed, or --section ComputeWorkloadAnalysis.',
    },
    scheduler: {
      title: 'Schedulers',
      says: (active: string, eligible: string, issued: string, none: string) =>
        `Each scheduler holds ${active} warps, ${eligible} of them eligible, and issues ${issued} instructions a cycle: ` +
        `in ${none} of the cycles no warp is eligible.`,
      figures: {
        active: 'Active warps',
        eligible: 'Eligible warps',
        issued: 'Instructions issued a cycle',
        none: 'Cycles without an eligible warp',
      },
      none: 'Schedulers were not collected: ncu --set full, or --section SchedulerStats.',
    },
    occupancy: {
      title: 'Occupancy',
      none: 'Occupancy was not collected: ncu --set basic, or --section Occupancy.',
      achieved: 'Achieved',
      allows: (blocks: number, warps: number) => `${counted(blocks, 'block')}, ${counted(warps, 'warp')} per SM`,
      limitsIt: 'limits the baseline',
      limits: {
        registers: 'Registers',
        shared_mem: 'Shared memory',
        warps: 'Warps',
        blocks: 'Blocks',
        barriers: 'Barriers',
      } as Record<string, string>,
    },
    curves: {
      title: 'Warps of an SM, were the launch different',
      parameters: {
        registers: 'Registers per thread',
        block_size: 'Threads per block',
        shared_mem: 'Shared memory per block',
      } as Record<string, string>,
      whatever: (warps: string) => `${warps} warps fit at every setting.`,
      now: (warps: string) => `${warps} warps fit as launched.`,
      better: (warps: string, below: string, more: string) => `${warps} warps fit; below ${below} it would be ${more}.`,
      base: (warps: string, more: string) =>
        more === '=' ? 'As many in the baseline.' : `In the baseline: ${warps}, ${more}.`,
      from: (setting: string, warps: string) => `from ${setting} on ${warps} warps`,
    },
    details: {
      title: 'Figures by section',
      says: 'with the names of Nsight Compute',
      figure: 'Figure',
      difference: 'Difference',
    },
    source: {
      title: 'Source',
      says: 'Samples of the warps on each line, and the warp state that most of them are in.',
      none:
        'No lines: build with a line table (nvcc -lineinfo) and record with ncu --set full --import-source yes. ' +
        'The table of instructions needs no line table.',
      noText: 'The report does not hold this line: ncu --import-source yes.',
      code: (instructions: number) => counted(instructions, 'instruction'),
      samples: (samples: string, share: string) => `${samples}, ${share} of the kernel`,
      wasted: {
        excessive_sectors: (count: string) => `${count} sectors fetched in vain`,
        excessive_wavefronts: (count: string) => `${count} wavefronts for bank conflicts`,
      },
      columns: { offset: 'Offset', opcode: 'Opcode', samples: 'Samples', stall: 'Stall', executed: 'Executed' },
      lineAlone: 'not in the baseline',
      noLinesInBase: 'The baseline has no lines.',
      aloneAt: (place: string, share: string) => `${place} (${share})`,
      paired: (pairs: number, lines: number, alone: number, places: string[]) =>
        (pairs === 0
          ? 'None of these lines is in the baseline'
          : `${countText(pairs)} of ${counted(lines, 'line')} also in the baseline, paired by file and number or by text`) +
        (alone === 0 ? '.' : `; in the baseline alone: ${places.join(', ')}`) +
        (alone > places.length ? ` and ${countText(alone - places.length)} more.` : alone === 0 ? '' : '.'),
      baseSamples: 'Baseline samples',
      otherCode: (instructions: number) =>
        `In the baseline the line has ${counted(instructions, 'instruction')}, which are others: none are set beside these.`,
      instructions: (line: string) => `Instructions of ${line}`,
    },
    rules: 'What NVIDIA’s rules say',
    noEstimate: 'no estimate',
    rulesBeside: {
      counts: (added: number, gone: number, changed: number) =>
        `Against the baseline: ${countText(added)} new, ${countText(gone)} gone, ` +
        `${counted(changed, 'estimate')} changed.`,
      added: 'not in the baseline',
      both: 'also in the baseline',
      other: 'What it says of the baseline',
      gone: (count: number) => `In the baseline alone (${countText(count)})`,
      none: 'The report holds no rule for the baseline.',
    },
    noRules: 'The report holds no rule for this kernel.',
    scope: { global: 'Est. speedup', local: 'Est. local speedup' } as Record<string, string>,
    estimate: (share: string, scope: string) => `${scope} ${share}`,
    table: 'All profiled kernels',
    metrics: 'Every metric of every kernel',
  },
}
