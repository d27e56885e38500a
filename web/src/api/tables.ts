/** Tables, their groupings and columns as `stepscope.schema` describes them. Written by scripts/update_web_types. */

/** Offset from the profile's origin, in ns. */
export type Moment = number
/** A length of time. */
export type Ns = number
export type Bytes = number
/** Per cent, 0 to 100. */
export type Pct = number
export type Flops = number

export interface Tables {
  findings: {
    by: never
    columns: {
      rank: number | null
      id: string | null
      title: string | null
      category: string | null
      severity: string | null
      saving_low_ns: Ns | null
      saving_ns: Ns | null
      saving_high_ns: Ns | null
      saving_pct: Pct | null
      saving_low_pct: Pct | null
      saving_high_pct: Pct | null
      at_least: boolean | null
      per_sample: boolean | null
      confidence: string | null
      confidence_reason: string | null
      method: string | null
      advice: string | null
      unknown: string | null
      what_if: string | null
      evidence: string | null
      spent_ns: Ns | null
      start_ns: Moment | null
      end_ns: Moment | null
      change: string | null
      links: string | null
      ranks: number | null
      largest: boolean | null
    }
  }
  health: {
    by: never
    columns: {
      rank: number | null
      check: string | null
      status: string | null
      value: string | null
      detail: string | null
    }
  }
  summary: {
    by: never
    columns: {
      rank: number | null
      device: string | null
      events: number | null
      steps: number | null
      span_ns: Ns | null
      busy_ns: Ns | null
      idle_ns: Ns | null
      compute_ns: Ns | null
      communication_ns: Ns | null
      exposed_communication_ns: Ns | null
      memory_ns: Ns | null
      exposed_memory_ns: Ns | null
      overlap_pct: Pct | null
      kernels: number | null
      memcpys: number | null
      memsets: number | null
    }
  }
  step_time: {
    by: never
    columns: {
      rank: number | null
      steps: number | null
      recorded_ns: Ns | null
      unprofiled_low_ns: Ns | null
      unprofiled_ns: Ns | null
      unprofiled_high_ns: Ns | null
      bound: string | null
      host_pct: Pct | null
      data_loading_pct: Pct | null
      compute_pct: Pct | null
      communication_pct: Pct | null
      copies_pct: Pct | null
      host_speed: number | null
    }
  }
  steps: {
    by: never
    columns: {
      rank: number | null
      step: number | null
      start_ns: Moment | null
      duration_ns: Ns | null
      device_end_ns: Moment | null
      lag_ns: Ns | null
      period_ns: Ns | null
      cut: boolean | null
      compute_ns: Ns | null
      communication_ns: Ns | null
      memcpy_ns: Ns | null
      memset_ns: Ns | null
      runtime_ns: Ns | null
      data_loading_ns: Ns | null
      cpu_ns: Ns | null
      other_ns: Ns | null
    }
  }
  step_trace: {
    by: 'average'
    columns: {
      rank: number | null
      step: number | null
      clock: string | null
      steady: boolean | null
      passes: number | null
      start_ns: Moment | null
      interval_ns: Ns | null
      forward_backward_ns: Ns | null
      forward_ns: Ns | null
      backward_ns: Ns | null
      tail_ns: Ns | null
      total_ns: Ns | null
      interval_idle_ns: Ns | null
      forward_backward_idle_ns: Ns | null
      tail_idle_ns: Ns | null
      loading_ns: Ns | null
      first_forward: string | null
      last_backward: string | null
    }
  }
  idle: {
    by: 'gap' | 'stream' | 'device'
    columns: {
      rank: number | null
      cause: string | null
      duration_ns: Ns | null
      share_pct: Pct | null
      gaps: number | null
      host_event: string | null
      source: string | null
      per_step_ns: Ns | null
      longest_ns: Ns | null
      micro_ns: Ns | null
      macro_ns: Ns | null
      start_ns: Moment | null
    }
  }
  sync: {
    by: 'operator'
    columns: {
      name: string | null
      waits_for: string | null
      operator: string | null
      calls: number | null
      host_ns: Ns | null
      busy_ns: Ns | null
      idle_ns: Ns | null
      mean_ns: Ns | null
      max_ns: Ns | null
    }
  }
  launches: {
    by: 'operator'
    columns: {
      name: string | null
      calls: number | null
      host_ns: Ns | null
      short_kernels: number | null
      launch_latency_p50_ns: Ns | null
      queueing_p50_ns: Ns | null
      host_wait_ns: Ns | null
      host_p50_ns: Ns | null
      launch_latency_p95_ns: Ns | null
      queueing_p95_ns: Ns | null
      blocked_ns: Ns | null
      blocked_calls: number | null
      on_idle_stream: number | null
      queued: number | null
      launch_latency_max_ns: Ns | null
      queueing_max_ns: Ns | null
      host_mean_ns: Ns | null
      host_p95_ns: Ns | null
      host_max_ns: Ns | null
      activities: number | null
      device_ns: Ns | null
      without_activity: number | null
    }
  }
  queue_depth: {
    by: 'time'
    columns: {
      rank: number | null
      device: number | null
      stream: number | null
      start_ns: Moment | null
      duration_ns: Ns | null
      launches: number | null
      depth_min: number | null
      depth_mean: number | null
      depth_max: number | null
      empty_ns: Ns | null
      full_ns: Ns | null
      blocked_calls: number | null
      blocked_ns: Ns | null
    }
  }
  critical_path: {
    by: 'kind' | 'step' | 'event'
    columns: {
      rank: number | null
      side: string | null
      kind: string | null
      name: string | null
      count: number | null
      duration_ns: Ns | null
      share_pct: Pct | null
    }
  }
  operators: {
    by: 'shape' | 'dtype' | 'stack' | 'module'
    columns: {
      name: string | null
      calls: number | null
      host_self_ns: Ns | null
      device_self_ns: Ns | null
      device_total_ns: Ns | null
      host_total_ns: Ns | null
      backward_host_ns: Ns | null
      backward_device_ns: Ns | null
      flops: Flops | null
      tensor_core_pct: Pct | null
      tensor_core_self_pct: Pct | null
      tensor_core_eligible: boolean | null
    }
  }
  annotations: {
    by: 'step'
    columns: {
      name: string | null
      calls: number | null
      host_total_ns: Ns | null
      host_self_ns: Ns | null
      device_total_ns: Ns | null
      device_self_ns: Ns | null
      device_busy_ns: Ns | null
      backward_ns: Ns | null
      engine_ns: Ns | null
      kernels: number | null
      kind: string | null
    }
  }
  modules: {
    by: 'class'
    columns: {
      name: string | null
      path: string | null
      calls: number | null
      host_total_ns: Ns | null
      host_self_ns: Ns | null
      device_total_ns: Ns | null
      device_self_ns: Ns | null
      forward_device_ns: Ns | null
      backward_device_ns: Ns | null
      recompute_device_ns: Ns | null
      backward_host_ns: Ns | null
    }
  }
  utilization: {
    by: 'step'
    columns: {
      rank: number | null
      gpu_util_pct: Pct | null
      sm_efficiency_pct: Pct | null
      occupancy_pct: Pct | null
      tensor_core_pct: Pct | null
      tensor_core_eligible_pct: Pct | null
      compute_pct: Pct | null
      communication_pct: Pct | null
      memory_pct: Pct | null
      time_ns: Ns | null
      sm_coverage_pct: Pct | null
      occupancy_coverage_pct: Pct | null
      device: string | null
      sms: number | null
      device_memory_bytes: Bytes | null
      compute_capability: string | null
    }
  }
  kernels: {
    by: 'launch' | 'op'
    columns: {
      name: string | null
      calls: number | null
      total_ns: Ns | null
      mean_ns: Ns | null
      min_ns: Ns | null
      max_ns: Ns | null
      share_pct: Pct | null
      kind: string | null
      op: string | null
      grid: string | null
      block: string | null
      blocks_per_sm: number | null
      occupancy_pct: Pct | null
      registers: number | null
      shared_bytes: Bytes | null
      tensor_core: boolean | null
      estimated_occupancy_pct: Pct | null
      occupancy_limit: string | null
    }
  }
  short_kernels: {
    by: 'op'
    columns: {
      name: string | null
      kind: string | null
      calls: number | null
      of_kernels_pct: Pct | null
      total_ns: Ns | null
      share_pct: Pct | null
      mean_ns: Ns | null
      launch_ns: Ns | null
      shorter_than_launch: number | null
      in_graph: number | null
    }
  }
  kernel_lengths: {
    by: never
    columns: {
      from_ns: Ns | null
      to_ns: Ns | null
      calls: number | null
      of_kernels_pct: Pct | null
      total_ns: Ns | null
      share_pct: Pct | null
      shorter_than_launch: number | null
      in_graph: number | null
    }
  }
  graphs: {
    by: 'replay' | 'kernel'
    columns: {
      graph: number | null
      name: string | null
      calls: number | null
      kernels: number | null
      copies: number | null
      total_ns: Ns | null
      mean_ns: Ns | null
      share_pct: Pct | null
      span_ns: Ns | null
      gap_ns: Ns | null
      launch_ns: Ns | null
      heaviest: string | null
      busy_ns: Ns | null
      graph_id: number | null
    }
  }
  memcpy: {
    by: never
    columns: {
      kind: string | null
      pinned: string | null
      calls: number | null
      bytes: Bytes | null
      total_ns: Ns | null
      bandwidth: number | null
    }
  }
  communication: {
    by: 'size' | 'rank'
    columns: {
      op: string | null
      group: string | null
      ranks: number | null
      dtype: string | null
      calls: number | null
      bytes: Bytes | null
      total_ns: Ns | null
      wait_ns: Ns | null
      transfer_ns: Ns | null
      busbw: number | null
      exposed_ns: Ns | null
      mean_ns: Ns | null
      min_ns: Ns | null
      max_ns: Ns | null
      unmatched_ns: Ns | null
      exposed_wait_ns: Ns | null
      share_pct: Pct | null
      sized_calls: number | null
      matched_calls: number | null
      algbw: number | null
    }
  }
  message_sizes: {
    by: never
    columns: {
      op: string | null
      group: string | null
      from_bytes: Bytes | null
      below_bytes: Bytes | null
      calls: number | null
      calls_pct: Pct | null
      bytes: Bytes | null
      total_ns: Ns | null
      transfer_ns: Ns | null
      transfer_pct: Pct | null
      matched_calls: number | null
      algbw: number | null
      busbw: number | null
    }
  }
  collectives: {
    by: never
    columns: {
      collective: number | null
      step: number | null
      op: string | null
      group: string | null
      dtype: string | null
      call_bytes: Bytes | null
      ranks: number | null
      matched: number | null
      start_ns: Moment | null
      end_ns: Moment | null
      first_rank: number | null
      last_rank: number | null
      skew_ns: Ns | null
      transfer_ns: Ns | null
      wait_ns: Ns | null
      lateness_ns: Ns | null
      end_spread_ns: Ns | null
      algbw: number | null
      busbw: number | null
    }
  }
  stragglers: {
    by: 'step'
    columns: {
      rank: number | null
      verdict: string | null
      lateness_ns: Ns | null
      lateness_pct: Pct | null
      late_steps: number | null
      steps: number | null
      cause: string | null
      detail: string | null
      votes: number | null
      collectives: number | null
      cause_pct: Pct | null
      uncertainty_ns: Ns | null
    }
  }
  rank_waits: {
    by: never
    columns: {
      rank: number | null
      for_rank: number | null
      collectives: number | null
      wait_ns: Ns | null
      exposed_wait_ns: Ns | null
    }
  }
  rank_matrix: {
    by: never
    columns: {
      rank: number | null
      step: number | null
      duration_ns: Ns | null
      compute_ns: Ns | null
      exposed_wait_ns: Ns | null
      exposed_transfer_ns: Ns | null
      exposed_unmatched_ns: Ns | null
      exposed_memory_ns: Ns | null
      idle_ns: Ns | null
      communication_ns: Ns | null
      overlap_pct: Pct | null
      lateness_ns: Ns | null
      own_ns: Ns | null
      cut: number | null
    }
  }
  job: {
    by: never
    columns: {
      step: number | null
      ranks: number | null
      duration_ns: Ns | null
      best_rank: number | null
      best_ns: Ns | null
      exposed_wait_ns: Ns | null
      exposed_transfer_ns: Ns | null
      waited_for: number | null
      waited_for_pct: Pct | null
      slowest_rank: number | null
      slowest_ns: Ns | null
      exposed_communication_ns: Ns | null
      exposed_unmatched_ns: Ns | null
    }
  }
  links: {
    by: never
    columns: {
      src: number | null
      dst: number | null
      kind: string | null
      machines: string | null
      calls: number | null
      bytes: Bytes | null
      transfer_ns: Ns | null
      bandwidth: number | null
      compared_links: number | null
      of_median_pct: Pct | null
      verdict: string | null
    }
  }
  pipeline: {
    by: never
    columns: {
      rank: number | null
      step: number | null
      stage: number | null
      stages: number | null
      microbatches: number | null
      duration_ns: Ns | null
      compute_ns: Ns | null
      message_wait_ns: Ns | null
      message_transfer_ns: Ns | null
      communication_ns: Ns | null
      memory_ns: Ns | null
      idle_ns: Ns | null
      other_idle_ns: Ns | null
      bubble_ns: Ns | null
      bubble_pct: Pct | null
      ideal_pct: Pct | null
      cut: number | null
    }
  }
  experts: {
    by: never
    columns: {
      group: string | null
      members: string | null
      rank: number | null
      calls: number | null
      matched_calls: number | null
      sent_elements: number | null
      received_elements: number | null
      load_elements: number | null
      load_pct: Pct | null
      imbalance: number | null
      call_imbalance: number | null
    }
  }
  clocks: {
    by: never
    columns: {
      rank: number | null
      host: string | null
      offset_ns: Ns | null
      drift_ppm: number | null
      uncertainty_ns: Ns | null
      collectives: number | null
      method: string | null
    }
  }
  roofline: {
    by: 'op' | 'kind'
    columns: {
      op: string | null
      shapes: string | null
      dtype: string | null
      calls: number | null
      total_ns: Ns | null
      pct_of_roof: Pct | null
      bound: string | null
      share_pct: Pct | null
      kind: string | null
      flops: Flops | null
      bytes: Bytes | null
      intensity: number | null
      achieved_flops: number | null
      achieved_bandwidth: number | null
      roof: string | null
      ideal_ns: Ns | null
      gap_ns: Ns | null
      modelled_pct: Pct | null
    }
  }
  mfu: {
    by: never
    columns: {
      rank: number | null
      step: number | null
      time_ns: Ns | null
      flops: Flops | null
      recomputed_flops: Flops | null
      achieved_flops: number | null
      roof: string | null
      peak_flops: number | null
      mfu_pct: Pct | null
      hfu_pct: Pct | null
      modelled_pct: Pct | null
    }
  }
  data_loading: {
    by: 'rank'
    columns: {
      rank: number | null
      step: number | null
      fetches: number | null
      wait_ns: Ns | null
      exposed_ns: Ns | null
      hidden_ns: Ns | null
      share_pct: Pct | null
      empty: number | null
      workers: string | null
      verdict: string | null
      handover_ns: Ns | null
      epoch_ns: Ns | null
      idle_ns: Ns | null
      h2d_bytes: Bytes | null
      h2d_pageable_bytes: Bytes | null
      h2d_copy_ns: Ns | null
      h2d_exposed_ns: Ns | null
      h2d_host_ns: Ns | null
      step_ns: Ns | null
    }
  }
  memory: {
    by: never
    columns: {
      name: string | null
      device: string | null
      allocations: number | null
      allocated_bytes: Bytes | null
      self_allocated_bytes: Bytes | null
      increase_bytes: Bytes | null
      self_increase_bytes: Bytes | null
      self_allocations: number | null
    }
  }
  memory_peak: {
    by: never
    columns: {
      rank: number | null
      device: string | null
      op: string | null
      source: string | null
      blocks: number | null
      alive_bytes: Bytes | null
      share_pct: Pct | null
      capacity_pct: Pct | null
      kept_bytes: Bytes | null
      at_ns: Moment | null
    }
  }
  memory_timeline: {
    by: 'step' | 'slice'
    columns: {
      rank: number | null
      device: string | null
      at_ns: Moment | null
      change_bytes: Bytes | null
      allocated_bytes: Bytes | null
      reserved_bytes: Bytes | null
      capacity_pct: Pct | null
      peak: boolean | null
    }
  }
  memory_events: {
    by: never
    columns: {
      rank: number | null
      device: string | null
      op: string | null
      bytes: Bytes | null
      start_ns: Moment | null
      end_ns: Moment | null
      duration_ns: Ns | null
      fate: string | null
      release_op: string | null
      address: number | null
    }
  }
  sequences: {
    by: 'annotation' | 'run'
    columns: {
      op: string | null
      kernels: string | null
      length: number | null
      count: number | null
      total_ns: Ns | null
      mean_ns: Ns | null
      gap_ns: Ns | null
      host_ns: Ns | null
    }
  }
  fusion: {
    by: never
    columns: {
      op: string | null
      kernels: string | null
      length: number | null
      count: number | null
      total_ns: Ns | null
      gap_ns: Ns | null
      saving_ns: Ns | null
      saving_pct: Pct | null
    }
  }
  counters: {
    by: 'kernel'
    columns: {
      rank: number | null
      range: number | null
      ranges: number | null
      metric: string | null
      value: number | null
      op: string | null
      name: string | null
    }
  }
  metadata: {
    by: never
    columns: {
      rank: number | null
      key: string | null
      value: string | null
    }
  }
  recordings: {
    by: never
    columns: {
      id: number | null
      kind: string | null
      recorder: string | null
      recorder_version: string | null
      rank: number | null
      path: string | null
      start_ns: Moment | null
      duration_ns: Ns | null
      clock: string | null
      uncertainty_ns: Ns | null
      events: number | null
      span: number | null
      spans: number | null
      used: boolean | null
      note: string | null
    }
  }
}

export type TableName = keyof Tables
export type ColumnName<T extends TableName> = keyof Tables[T]['columns'] & string
/** Another grouping of a table, or '' for the usual one. */
export type Grouping<T extends TableName> = Tables[T]['by'] | ''
