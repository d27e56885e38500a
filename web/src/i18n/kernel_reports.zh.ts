/** 内核报告页的中文文字。 */

import { countText } from '../model/format.ts'
import type { kernelReportsEn } from './kernel_reports.en.ts'

export const kernelReportsZh: typeof kernelReportsEn = {
  kernelReports: {
    definition:
      '由 Nsight Compute 采集的内核，通常锁定频率并清空缓存：其时间不是程序中的时间。节省为上限，由各单元的忙碌程度得出。',
    answer: (kernels, total, kernel, share) =>
      `采集了 ${countText(kernels)} 个内核，共 ${total}，其中 ${share} 在 ${kernel}。`,
    list: '采集的内核，最长的在前',
    launch: (grid, block) => `网格 ${grid} · 线程块 ${block}`,
    gpu: (gpu) => `GPU ${gpu}`,
    bottlenecks: {
      uncoalesced: '访存未合并',
      bank_conflicts: 'bank 冲突',
      divergence: '分支发散',
      occupancy: '占用率低',
      small_grid: '网格太小',
      tail: '尾部效应',
      atomics: '原子操作争用',
      local_memory: '局部内存',
      double_precision: 'FP64',
      dram: 'DRAM 带宽',
      l2: 'L2 带宽',
      l1: 'L1/TEX 带宽',
      compute: '计算受限',
      latency: '延迟受限',
      unknown: '未测量',
    },
    figures: {
      duration: '时长',
      ofAll: (share) => `占采集时间的 ${share}`,
      saving: '最多可节省',
      occupancy: '实际占用率',
      theoretical: (share) => `理论值 ${share}`,
      trace: '跟踪中的时间',
      calls: (calls) => `相同网格与线程块的下发 ${countText(calls)} 次`,
      registers: '每线程寄存器',
      estimate: 'NVIDIA 规则的最大估计',
    },
    advice: '怎么做',
    speed: 'Speed of Light',
    speedSays: '占各单元峰值的比例；达到 60 % 的单元即限制该内核。',
    units: {
      compute_throughput_pct: '计算（SM）',
      memory_throughput_pct: '访存',
      dram_throughput_pct: 'DRAM',
      l2_throughput_pct: 'L2 缓存',
      l1_throughput_pct: 'L1/TEX 缓存',
    },
    stalls: 'warp 状态',
    stallsSay: '占 warp 两条指令之间周期的比例。',
    noStalls: '未采集 warp 状态：使用 ncu --set full，或 --section WarpStateStats。',
    rules: 'NVIDIA 的规则怎么说',
    noRules: '报告中没有关于该内核的规则。',
    scope: { global: '估计加速', local: '局部估计加速' },
    estimate: (share, scope) => `${scope} ${share}`,
    table: '全部采集的内核',
    metrics: '每个内核的全部指标',
  },
}
