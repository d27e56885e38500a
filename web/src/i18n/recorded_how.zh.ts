/** Texts about how the recordings of a run were made, in Chinese. */

import { fixedText } from '../model/format.ts'
import type { RecordedHowWords } from './recorded_how.en.ts'

export const recordedHowZh: RecordedHowWords = {
  recordedHow: {
    title: '采集了什么，如何采集',
    unknown: '这些记录没有说明其采集方式和采集开销；stepscope record 会把两者写入自己的记录。',
    program: '程序',
    command: '命令',
    versions: '版本',
    versionsAre: (stepscope, torch, python) =>
      [stepscope && `stepscope ${stepscope}`, torch && `torch ${torch}`, python && `Python ${python}`]
        .filter(Boolean)
        .join('，'),
    options: '选项',
    optionsAre: (records, activities) =>
      [records === '' ? '仅算子' : `--with ${records.replaceAll(' ', ',')}`, activities && `活动 ${activities}`]
        .filter(Boolean)
        .join(' · '),
    stepsAre: '一次迭代指',
    stepKinds: {
      optimizer: '优化器的一次更新',
      data: '数据加载器的一个批次',
      mark: '程序自己标记的一段',
    },
    machine: '机器',
    machineIs: (cores, gpus) => `进程可用 ${cores} 个核、${gpus} 个 GPU`,
    window: '采集窗口',
    steps: (first, last) => (first === last ? `第 ${first} 次迭代` : `第 ${first} 至 ${last} 次迭代`),
    closed: {
      end: '完整',
      budget: '提前结束：事件预算已用完',
      foreign: '提前结束：程序启动了自己的 profiler',
      exit: '被截断：进程已结束',
    },
    costs: '开销',
    cost: (factor) => `窗口内的迭代时间为平时的 ${fixedText(factor, 2)} 倍：实测`,
    noCost: '未测得：没有 profiler 时运行的迭代太少',
    times: '迭代时间中位数',
    recorded: (time) => `采集时 ${time}`,
    before: (time) => `窗口前 ${time}`,
    after: (time) => `窗口后 ${time}`,
    recordedColumn: '采集时的迭代',
    beforeColumn: '窗口前',
    afterColumn: '窗口后',
    stop: '停止 profiler',
    stopIs: (time) => `使一次迭代多等 ${time}`,
    differs: '各 rank 不同：见表 metadata',
  },
}
