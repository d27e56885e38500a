/** What the ranks of a job say together, in Chinese; see `sentences.zh.ts`. */

const CAUSES: Record<string, string> = {
  compute: '计算',
  copies: '拷贝',
  'data loading': '数据加载',
  host: '主机',
  'garbage collection': '垃圾回收',
  'not recorded': '未记录',
}

/** Details of a cause: what comes before them stays as it is, being names. */
const DETAILS: [RegExp, string][] = [
  [/ under ([^:]+): /, '（区间 $1）：'],
  [/([\d.]+) ms a step more than rank (\d+)/, '每步比 rank $2 多 $1 ms'],
  [/, in ([\d,]+) more kernels/, '，多出 $1 个内核'],
  [/, in kernels that take longer/, '，内核耗时更长'],
  [/, ([\d,-]+) more copies/, '，多出 $1 次拷贝'],
  [/the GPU idles ([\d.]+) ms a step more than on rank (\d+)/, 'GPU 每步比 rank $2 多空闲 $1 ms'],
  [
    /the same kernels take ([\d.]+) times as long as on rank (\d+) \(.+\)/,
    '相同的内核耗时是 rank $2 的 $1 倍（时钟较慢、GPU 上有其他进程，或同名的不同工作）',
  ],
]

function detailed(text: string): string {
  return DETAILS.reduce((told, [pattern, say]) => told.replace(pattern, say), text)
}

type Say = (...parts: string[]) => string

export const JOB_SENTENCES: [RegExp, Say][] = [
  [
    /^The other ranks wait for rank (\d+): its own work holds them back by (.+) \((.+) %\) of the job's step of (.+), in (\d+) of (\d+) steps\.$/,
    (rank = '', held = '', share = '', step = '', late = '', all = '') =>
      `其他 rank 在等待 rank ${rank}：它自身的工作每步拖住它们 ${held}（${share} %，作业的一步为 ${step}），${all} 步中有 ${late} 步如此。`,
  ],
  [/^So do (.+)\.$/, (others = '') => `同样拖住其他 rank 的还有：${others.replace(/ by /g, '，')}。`],
  [
    /^Why( rank \d+)?: ([^,]+?)(?:, (.+))?\.$/,
    (who = '', cause = '', detail = '') =>
      `原因${who ? `（${who.trim()}）` : ''}：${CAUSES[cause] ?? cause}${detail ? `，${detailed(detail)}` : ''}。`,
  ],
  [
    /^Without that a step of the job would take about (.+?)( at best, .+)?\.$/,
    (step = '', best = '') =>
      `否则作业的一步${best ? `最好情况下约需 ${step}，前提是届时无需等待流水线的其他阶段` : `约需 ${step}`}。`,
  ],
  [
    /^Which rank is late cannot be told: .+$/,
    () => '无法判断哪个 rank 迟到：没有在多个 rank 上找到需要全部 rank 参与的集合通信。',
  ],
  [
    /^Whether ranks? ([\d, -]+) (?:is|are) late cannot be told: .+$/,
    (ranks = '') => `无法判断 rank ${ranks} 是否迟到：可比较的集合通信太少。`,
  ],
  [
    /^Whether rank (\d+), which is waited for most, is late by its own work could not be told: look at it\.$/,
    (rank = '') => `等待最多的是 rank ${rank}，但无法判断它是否因自身的工作而迟到：请查看它。`,
  ],
  [
    /^No rank is late by (.+) % of a step: none is late by its own work\.$/,
    (share = '') => `没有 rank 迟到达一步的 ${share} %：没有 rank 因自身的工作而迟到。`,
  ],
  [
    /^No rank is late by (.+) % of a step: the latest, rank (\d+), by (.+)\.$/,
    (share = '', rank = '', late = '') => `没有 rank 迟到达一步的 ${share} %：最晚的 rank ${rank} 为 ${late}。`,
  ],
  [
    /^Rank (\d+) may be late, by (.+) a step: too near to what chance makes, (.+), to say so\.$/,
    (rank = '', late = '', chance = '') =>
      `rank ${rank} 可能每步迟到 ${late}：与偶然的程度（${chance}）太接近，无法断定。`,
  ],
  [
    /^Rank (\d+) is late in (\d+) of (\d+) steps only, by (.+) a step on average: no straggler, but look at those steps\.$/,
    (rank = '', late = '', all = '', time = '') =>
      `rank ${rank} 只在 ${all} 步中的 ${late} 步迟到，平均每步 ${time}：不算掉队，但值得查看这些步。`,
  ],
  [
    /^Some collectives are not recorded on all their ranks: .+$/,
    () => '部分集合通信没有录到其全部 rank：看似传输的时间可能是在等待未录到的 rank。',
  ],
  [
    /^Of the job's step nothing computes during (.+ %) waiting for another rank, (.+ %) transferring(?:, (.+ %) not told apart)? \(mean over ranks\)(?:; (.+ %) of that waiting ends when rank (\d+) arrives)?\.$/,
    (wait = '', transfer = '', rest = '', share = '', rank = '') =>
      `作业的一步中没有计算的通信：${wait} 在等待其他 rank，${transfer} 在传输${rest ? `，${rest} 未能区分` : ''}（各 rank 平均）${rank ? `；其中 ${share} 的等待到 rank ${rank} 到达时才结束` : ''}。`,
  ],
]
