/** Causes of idle time in English: one word for each, wherever it is named; the command line has the same. */

export const causesEn: Record<string, string> = {
  host_late: 'late launch',
  launch_latency: 'launch latency',
  sync: 'synchronization',
  data_loading: 'data loading',
  memory_copy: 'memory copy',
  communication_wait: 'waiting for communication',
  dependency: 'inter-kernel gap',
  unknown: 'unknown',
}
