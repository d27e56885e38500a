/** Which component shows which page. */

import type { Component } from 'svelte'
import type { Page } from '../state/route.svelte.ts'
import Compare from './Compare.svelte'
import DataLoading from './DataLoading.svelte'
import FlameGraph from './FlameGraph.svelte'
import Compilation from './Compilation.svelte'
import Hangs from './Hangs.svelte'
import Health from './Health.svelte'
import History_ from './History.svelte'
import Idle from './Idle.svelte'
import Instances from './Instances.svelte'
import KernelReports from './KernelReports.svelte'
import Kernels from './Kernels.svelte'
import Launches from './Launches.svelte'
import Ledger from './Ledger.svelte'
import Live from './Live.svelte'
import Memory from './Memory.svelte'
import Modules from './Modules.svelte'
import Operators from './Operators.svelte'
import Record_ from './Record.svelte'
import Recordings from './Recordings.svelte'
import Ranks from './Ranks.svelte'
import Roofline from './Roofline.svelte'
import Runs from './Runs.svelte'
import RunCollectives from './RunCollectives.svelte'
import StepTrace from './StepTrace.svelte'
import Telemetry from './Telemetry.svelte'
import Tables from './Tables.svelte'
import Timeline from './Timeline.svelte'
import Communication from './Communication.svelte'
import Verdict from './Verdict.svelte'
import WhatIf from './WhatIf.svelte'

export const PAGE_COMPONENTS: Record<Page, Component> = {
  runs: Runs,
  compare: Compare,
  history: History_,
  ledger: Ledger,
  record: Record_,
  live: Live,
  verdict: Verdict,
  what_if: WhatIf,
  timeline: Timeline,
  operators: Operators,
  kernels: Kernels,
  modules: Modules,
  flame_graph: FlameGraph,
  instances: Instances,
  step_trace: StepTrace,
  idle: Idle,
  launches: Launches,
  memory: Memory,
  data_loading: DataLoading,
  roofline: Roofline,
  communication: Communication,
  ranks: Ranks,
  recordings: Recordings,
  health: Health,
  tables: Tables,
  telemetry: Telemetry,
  kernel_reports: KernelReports,
  hangs: Hangs,
  run_collectives: RunCollectives,
  compilation: Compilation,
}
