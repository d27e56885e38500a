/** 空闲原因的中文词，各处相同。Causes of idle time in Chinese, with the keys of `causes.en.ts`. */

export const causesZh: Record<string, string> = {
  host_late: '下发过晚',
  launch_latency: '下发时延',
  sync: '同步等待',
  data_loading: '数据加载',
  memory_copy: '内存拷贝',
  communication_wait: '等待通信',
  dependency: '内核间隙',
  unknown: '未知',
}
