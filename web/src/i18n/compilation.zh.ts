/** Texts of the page about compilation, in Chinese. */

import { countText } from '../model/format.ts'
import type { compilationEn } from './compilation.en.ts'

export const compilationZh: typeof compilationEn = {
  compilation: {
    definition:
      '来自 torch.compile 的日志。guard 是可以使用编译结果的条件；没有任何 guard 成立时，函数会重新编译。' +
      '编译时间每次编译只付出一次：去掉它并不会缩短稳定的迭代。',
    answer: (all, lines) =>
      [
        `${countText(all.count)} 次编译共耗时 ${all.time}`,
        all.recompiles > 0 ? `其中 ${countText(all.recompiles)} 次重新编译耗时 ${all.recompileTime}` : '',
        all.failed > 0 ? `${countText(all.failed)} 次失败` : '',
        lines > 0 ? `图在 ${countText(lines)} 行处中断` : '',
      ]
        .filter(Boolean)
        .join('；') + '。',
    byStep: '各迭代的编译时间',
    byStepSays: '在各迭代中开始的编译的耗时，按阶段；不知道迭代时按函数。',
    again: '重新编译的函数',
    times: (count) => `${countText(count)} 次重新编译`,
    inSteps: (steps) => `迭代 ${steps}`,
    onRanks: (ranks) => `rank ${ranks}`,
    unnamed: '未命名的函数',
    because: 'guard 失败：',
    noReason: '日志没有说明哪个 guard 失败。',
    moreReasons: (count) => `另有 ${countText(count)} 个 guard`,
    limited: '已达到重新编译次数上限，此后以 eager 模式运行。',
    more: (count) => `另有 ${countText(count)} 个函数，见下表。`,
    breaks: '图中断',
    breaksAbout: '函数无法编译为一个图的行。它对每次迭代的代价不在日志中。',
    recompiles: '各次重新编译',
    kernels: '生成的内核的源代码行',
    compilations: '各次编译',
    chart: {
      step: '迭代',
      function: '函数',
      time: '编译时间',
      outside: '迭代之外',
      undivided: '未划分',
      recompiles: '重新编译',
      total: '合计',
      parts: {
        dynamo_ns: 'Dynamo',
        autograd_ns: 'AOTAutograd',
        inductor_ns: 'Inductor',
        codegen_ns: '代码生成',
        kernels_ns: '编译内核',
      },
    },
  },
}
