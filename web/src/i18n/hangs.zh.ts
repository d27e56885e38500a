/** 通信挂起页的中文文字。 */

import type { hangsEn } from './hangs.en.ts'

export const hangsZh: typeof hangsEn = {
  hangs: {
    definition:
      '来自 PyTorch 飞行记录器的转储，它只知道集合通信的调用：最后一次调用的位置不是该 rank 现在的位置。没有转储的 rank 不视为缺席。时间为各主机的时钟（UTC）。',
    places: '各 rank 的位置',
    table: '通信挂起',
    ranks: '各 rank 与进程组',
    stack: '调用栈',
    group: (group) => `进程组 ${group}`,
    entered: (entered, ranks) => `${ranks} 个 rank 中 ${entered} 个已进入`,
    waited: (time) => `至少等待 ${time}`,
    timeout: (time) => `超时 ${time}`,
    following: (count) => `由此引起的 ${count} 处挂起：缺席的 rank 也在等待`,
    more: (count) => `下表中还有 ${count} 项。`,
    cause: '原因与建议',
    matrix: '挂起前后的调用',
    matrixSays: (alike) =>
      `每行一个 rank，每列为该进程组的一次调用（按序号）。单击或按回车键显示该调用及其调用栈${alike ? '；状态相同的 rank 合为一行，单击名称展开。' : '。'}`,
    which: '进程组',
    whichOne: (group, collective, cause) => `${group}：${collective}，${cause}`,
    signs: '矩阵的符号',
    hangsHere: '挂起处',
    ranksOf: (ranks, count) => `rank ${ranks}（${count} 个）`,
    alike: (ranks) => `rank ${ranks}`,
    marks: {
      missing: '没有进入',
      differs: '与其他 rank 不同',
      started: '已开始，等待中',
      entered: '已进入，等待中',
      scheduled: '已下发，未开始',
      completed: '已完成',
      overwritten: '转储中没有',
      no_dump: '没有转储',
    },
    calls: '以表格列出调用',
    states: { waits: '等待于', behind: '落后，最后调用', completed: '已完成' },
    causes: {
      not_entered: '没有进入',
      wait_cycle: '互相等待',
      other_order: '顺序不同',
      different_collectives: '集合通信不同',
      different_sizes: '大小不同',
      different_dtypes: '数据类型不同',
      not_started: '没有开始',
      none_started: '都没有开始',
      not_completed: '没有完成',
      none_completed: '都没有完成',
      unfinished: '没有完成',
      no_dump: '缺少转储',
      unknown_members: '进程组未知',
    },
  },
}
