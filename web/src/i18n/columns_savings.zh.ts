/** 节省与迭代时间表格的列。Columns of the tables about step time without the profiler and about savings, in Chinese. */

import type { ColumnTexts } from './columns.ts'

const STEP_TIME: ColumnTexts = {
  rank: ['rank', '进程的 rank'],
  steps: ['迭代', '统计所用的迭代数'],
  recorded_ns: ['记录的时间', '按记录，一个迭代的时间'],
  unprofiled_low_ns: ['无分析器，下限', '估计范围的下限'],
  unprofiled_ns: ['无分析器', '不使用分析器时一个迭代的估计时间'],
  unprofiled_high_ns: ['无分析器，上限', '估计范围的上限'],
  bound: ['瓶颈', '最拖慢迭代的一侧：主机、数据加载、计算、通信或拷贝'],
  host_pct: ['主机', '迭代中被主机工作拖住的比例'],
  data_loading_pct: ['数据加载', '迭代中被数据加载器拖住的比例'],
  compute_pct: ['计算', '迭代中被计算内核拖住的比例'],
  communication_pct: ['通信', '迭代中被通信拖住的比例'],
  copies_pct: ['拷贝', '迭代中被拷贝与填充拖住的比例'],
  host_speed: ['主机快慢', '相同事件的时间与校准所用主机之比；未知时为空'],
}

const FINDINGS: ColumnTexts = {
  rank: ['rank', '进程的 rank'],
  id: ['编号', '发现的名称，每次运行都相同'],
  title: ['发现', '看到了什么'],
  category: ['类别', '属于哪一类问题'],
  severity: ['程度', 'high（不少于迭代的 10 %）、medium、low：看到了，但不值得处理，或 note：没有可节省的'],
  saving_low_ns: ['节省，下限', '每个迭代可节省时间的下限'],
  saving_ns: ['节省', '不使用分析器时每个迭代可节省的时间；note 为空'],
  saving_high_ns: ['节省，上限', '每个迭代可节省时间的上限'],
  saving_pct: ['节省比例', '节省占不使用分析器时一个迭代的比例'],
  saving_low_pct: ['比例，下限', '节省比例的下限'],
  saving_high_pct: ['比例，上限', '节省比例的上限'],
  confidence: ['把握', 'high、medium 或 low'],
  confidence_reason: ['理由', '为何有此把握'],
  method: ['方法', '节省是如何得出的'],
  advice: ['建议', '应该怎么做'],
  unknown: ['无法得知', '记录中看不出的内容'],
  what_if: ['对应的假设', '`stepscope what-if` 中与处理它相近的更改；没有时为空'],
  evidence: ['依据', '起始的文件与行，以及次数'],
  spent_ns: ['耗时', '按记录，每个迭代为此花费的时间'],
  start_ns: ['开始', '首个区间的起点；没有区间时为空'],
  end_ns: ['结束', '该区间的终点'],
  change: ['修改', '程序中要修改的行：改后的样子，后面是原来的样子'],
  links: ['文档', '文档页面，以空格分隔'],
}

export const SAVINGS_TABLES_ZH: Record<string, ColumnTexts> = { step_time: STEP_TIME, findings: FINDINGS }
