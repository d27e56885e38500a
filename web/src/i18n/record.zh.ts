/** Texts of the page about how to record, in Chinese. */

import type { RecordWords } from './record.en.ts'

export const recordZh: RecordWords = {
  record: {
    means: '如何得到能回答问题的记录。每个选项都说明得到什么、代价多大；右侧的命令即可照此采集。',
    copy: '复制',
    copyCode: '复制代码',
    way: '方式',
    ways: { launch: '启动作业', running: '正在运行的作业', code: '在代码中' },
    waySays: {
      launch: '脚本无需改动，torch 所在环境也无需安装 stepscope。',
      running: '按作业启动时的方式请求采集；没有声明自己的进程不会收到任何信号。',
      code: '采集循环中的一段。Lightning、transformers 与 accelerate 见 docs/in-code.md。',
    },
    when: '采集哪些迭代？',
    whens: {
      steady: { name: '第 23 至 28 次迭代', says: '在编译和预热之后；通常的选择' },
      early: { name: '第 3 至 5 次迭代', says: '适合迭代次数少的作业' },
      periodic: { name: '第 13 至 15 次迭代，之后每 1,000 次再采集一次', says: '每次一个文件；最多 50 次' },
      demand: { name: '由我请求时', says: '在“实时”页单击或运行 stepscope attach 之前不采集；次数不限' },
    },
    questions: {
      stack: {
        name: '需要代码行和模块吗？',
        gives: '代码行、模块、Python 工作。',
        costs: '事件数翻倍：主机受限的迭代在采集时约为平时的 1.6 倍，而不是 1.3 倍。',
      },
      shapes: {
        name: '需要按形状区分算子吗？',
        gives: '屋顶线、MFU、Tensor Core、对参数的循环。',
        costs: '文件更大，停止耗时更长。',
      },
      memory: {
        name: '需要显存随时间的变化吗？',
        gives: '显存随时间的变化及峰值，按代码行和算子。',
        costs: '每次分配和释放各一个事件。',
      },
      history: {
        name: '需要每一个 CUDA 显存块吗？',
        gives: '分配器快照：峰值时存活的块、碎片、增长。',
        costs: '采集期间保留最近 200,000 次分配及其 Python 调用栈。',
      },
      telemetry: {
        name: '需要功率、频率、CPU 核与工作进程吗？',
        gives: 'GPU、CPU 核、内存与数据加载工作进程，见硬件监控、时间线，作业运行时见“实时”页。',
        costs: '由独立进程采样，占一个核的 0.4 至 1 %。',
      },
      two_pass: {
        name: '既要准确时间又要全部细节吗？',
        gives: '先采集一个轻量窗口以得到时间，十次迭代之后再以上述全部选项采集三次迭代。',
        costs: 'profiler 停止两次，每次会拖慢一次迭代。',
      },
    },
    costs: '代价',
    named: (name) => `${name}：`,
    ranks: '仅这些 rank',
    ranksAll: '全部',
    ranksWrong: '请写成 0,7 的形式。',
    command: '作业的命令',
    folder: '记录所在文件夹',
    folderNote: (root) => `${root} 下的内容会出现在运行列表中。`,
    folderOwn: '以 stepscope record --on-demand 启动的作业写入启动时指定的文件夹。',
    pid: '进程号（PID）',
    pidNote: '启动器、torchrun 或某个 rank 的进程号。',
    result: { launch: '运行此命令', running: '运行此命令', code: '把它加在循环外' },
    then: {
      steady: '作业结束时打印报告；记录写完后即出现在运行列表中。',
      code: '结束时会打印一行说明采集了什么；记录写完后即出现在运行列表中。',
      demand: '然后在“实时”页请求采集窗口；作业在第一次迭代时出现在那里。',
    },
    toLive: '实时',
    demandInCode: '代码在运行时不接受请求：此处为第 23 至 28 次迭代。',
    running: [
      { name: '以 stepscope record --on-demand 启动', says: '采集其接下来的 6 次迭代' },
      {
        name: '以 KINETO_USE_DAEMON=1 启动',
        says: '通过 Kineto 采集，它每五秒查找一次守护进程；不另行测量未采集时的迭代时间',
      },
      { name: '其他', says: '如已安装 py-spy，则采样其 Python 调用栈：没有算子，也没有 GPU' },
    ],
    runningNow: '等待请求的作业',
    checks: '这台机器是否就绪？',
    checksOf: 'stepscope doctor 的检查，针对此服务器所在机器及其 PATH 上的 python。',
    status: { ok: '正常', warning: '警告', failed: '失败', not_applicable: '不适用' },
    allReady: '采集所需的一切均已就绪。',
    notReady: (failed) => `修复以下问题之前无法采集：${failed}`,
    otherPython: '检查其他解释器：stepscope doctor --python PATH',
  },
}
