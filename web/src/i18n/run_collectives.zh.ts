/** 全程集合通信页的中文文字。 */

import { countText } from '../model/format.ts'
import type { runCollectivesEn } from './run_collectives.en.ts'

export const runCollectivesZh: typeof runCollectivesEn = {
  runCollectives: {
    title: '全程集合通信',
    definition:
      '来自 NCCL Inspector 的日志，它测量整个运行中的每次集合通信。带宽为最后到达的 rank 的总线带宽，因此不含等待；总线带宽可直接与链路带宽比较，与 rank 数无关。',
    figures: {
      calls: '调用次数',
      complete: (share) => `其中 ${share} 每个 rank 都有记录`,
      slow: '较慢的通信域或链路',
      slowMeans: '带宽低于同类的 80 %，且不少于十次调用',
      of: (rows) => `共比较 ${countText(rows)} 项`,
      noneAlike: '没有可比较的：同类不足四个',
      waiting: '等待最后到达的 rank',
      waitingOf: '占所有 rank 集合通信时间的比例',
      unknown: '没有每个 rank 都有记录的调用',
      late: '最常最后到达',
      lateBy: (share, time) => `占其调用的 ${share}，共比下一个晚 ${time}`,
      lateNone: '没有哪个 rank 明显更晚',
    },
    kind: '集合通信与大小',
    slowKind: (name) => `${name}（较慢）`,
    time: '全程带宽',
    timeSays: (shown, all, only) =>
      `每段时间内各次调用的总线带宽中位数，按日志行写出的时间；没有调用时保持前一个值。` +
      (only ? '虚线为各段中最慢的一次调用。' : '') +
      (all > shown ? `显示 ${all} 个通信域或链路中的 ${shown} 个。` : ''),
    none: '没有随时间的变化：日志行写于同一时刻、没有时间，或此处没有保存。',
    since: '距第一行',
    bandwidth: '总线带宽',
    slowest: '最慢的调用',
    bars: '各通信域与大小的带宽',
    barsSay: (rows, all) =>
      `不含等待：各次调用的中位数，以及最慢的十分之一低于的值` +
      (all > rows ? `；显示 ${countText(all)} 行中的 ${rows} 行，按传输时间从多到少。` : '。'),
    median: '中位数',
    low: '最慢十分之一',
    table: '集合通信、通信域与链路',
    lateness: '最后到达的 rank',
    slowName: (name) => `▼ ${name}`,
  },
}
