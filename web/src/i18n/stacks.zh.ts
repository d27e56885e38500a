/** Texts of the pages about stacks, and about the instances of a name, in Chinese. */

import { countText } from '../model/format.ts'
import type { StackWords } from './stacks.en.ts'

export const stacksZh: StackWords = {
  flamePage: {
    means: '每个方框是一个函数、模块、区间或算子，宽度为其时间，其内是它调用的内容。所有迭代中相同的调用栈合为一框。',
    answer: (name, share, gpu) => `${name} 自身占 ${gpu ? 'GPU' : 'CPU'} 时间的 ${share}。`,
    title: '按调用栈的时间',
    says: (gpu) => (gpu ? '宽度：栈帧下发的 GPU 任务的时间，含其反向传播。' : '宽度：栈帧内的 CPU 时间，按线程累计。'),
    keys: '单击或按回车键放大，后退或按 Esc 键缩小，方向键在栈帧间移动。',
    weight: '宽度',
    weights: { device: 'GPU 时间', host: 'CPU 时间' },
    frames: '栈帧',
    views: { '': '全部', python: 'Python', operator: '算子', module: '模块' },
    view: '视图',
    shown: { graph: '图', table: '表格（T）' },
    kinds: { python: 'Python 函数、模块', annotation: '标注区间', operator: '算子' },
    all: '全部栈帧',
    find: '查找栈帧',
    found: (share, frames) => `占时间的 ${share}，共 ${countText(frames)} 个栈帧`,
    foundNone: '没有该名称的栈帧。',
    cut: (drawn, all) => `绘制了 ${countText(all)} 个栈帧中最重的 ${countText(drawn)} 个，放大后绘制其余。`,
    cutReport: (drawn, all) => `报告包含 ${countText(all)} 个栈帧中最重的 ${countText(drawn)} 个。`,
    area: (from, length) => `区域：自 ${from} 起 ${length}，所有轨道`,
    wholeRun: '显示整个运行',
    total: (gpu) => (gpu ? 'GPU 总计' : 'CPU 总计'),
    own: (gpu) => (gpu ? 'GPU 自身' : 'CPU 自身'),
    ofAll: '占全部',
    calls: '次数',
    functions: '按函数',
    functionsSay: '同名栈帧合并，不论在何处调用。单击高亮其栈帧。',
    name: '名称',
    stack: '调用栈',
    instances: '实例',
    longest: '在时间线上显示最长的一次',
    longestSays: '同名实例中最长的一个，不论由哪个函数调用。',
  },
  instancesPage: {
    means: (outlier) => `一个内核、算子、区间或调用的每次执行。${outlier}`,
    outlier: '离群实例：长于中位数的 1.5 倍，且比上四分位数长出 3 个四分位距以上。',
    answer: (name, calls, median, longest) =>
      `${name}：${countText(calls)} 个实例，中位数 ${median}，最长 ${longest}。`,
    outliers: (count, step, inStep) => {
      const all = `${countText(count)} 个离群实例`
      if (step === null) return `${all}。`
      return inStep === count
        ? `${all}，在第 ${step} 次迭代。`
        : `${all}，其中 ${countText(inStep)} 个在第 ${step} 次迭代。`
    },
    none: '没有离群实例。',
    fewInstances: '不足 8 个实例时不标记离群实例。',
    kind: '类型',
    histogram: '时长',
    histogramSays: '各时长的实例数；每个区间按相同倍数比前一个更宽。',
    strip: '随时间',
    stripSays: (shown, all) =>
      shown < all
        ? `按开始时刻的实例：${countText(all)} 个中最长的 ${countText(shown)} 个。单击选择。`
        : '按开始时刻的每个实例。单击选择。',
    steps: '按迭代',
    stepsSay: '各迭代中的时间，以及其实例的中位数。',
    table: '实例',
    names: '全部名称',
    namesSay: '单击显示该名称的实例。',
    figures: {
      calls: '实例',
      median: '中位数',
      p90: '第 90 百分位',
      longest: '最长',
      outliers: '离群实例',
    },
    words: {
      duration: '时长',
      start: '开始',
      instances: '实例数',
      usual: '实例',
      outliers: '离群实例',
      step: '迭代',
      rank: 'rank',
      place: '线程或流',
    },
    cut: (here, all) => `此处为 ${countText(all)} 个实例中最长的 ${countText(here)} 个。`,
    reportNames: '报告不含所选区域的火焰图。',
  },
}
