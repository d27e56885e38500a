/** Texts about what everything is filtered to, in Chinese. */

import { countText } from '../model/format.ts'
import type { OnlyWords } from './only.en.ts'

export const onlyZh: OnlyWords = {
  only: {
    roles: {
      operator: '算子',
      kernel: '内核',
      module: '模块',
      source: '源码行',
      stream: '流',
      collective: '集合通信',
      kind: '类别',
    },
    clear: '取消筛选',
    filtered: (what) => `已筛选：${what}。`,
    not: (what, role) => `未按${role}筛选：${what}。`,
    whole: '未筛选：本页针对整个运行。',
    manyLines: '未筛选：时间线按名称变暗，而同名事件来自多个源代码行。“算子”和“空闲”页显示这一行的内容。',
    noStream: (stream) => `未筛选：没有一条轨道只属于流 ${stream}。若较少使用的流合并在一起，可用“合并流”分开。`,
    noKernel: (role, value) => `未筛选：这份记录里没有属于${role} ${value} 的内核。`,
    notHeld: (role) => `未筛选：本报告没有保存哪些内核属于某个${role}。`,
    launchesNotHeld: '本报告没有保存该算子启动了哪些内核：它们也会变暗。',
    sharedNames: (names, value) => `高亮的名称中，有 ${countText(names)} 个也用于 ${value} 以外的内核。`,
    nowhere: (what) => `未筛选：时间线上没有名为 ${what} 的事件。`,
  },
}
