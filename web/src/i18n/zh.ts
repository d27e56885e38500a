/** Every text of the app in Chinese; the keys of `en.ts`. */

import { charts } from './charts.zh.ts'
import type { Words } from './en.ts'
import { findingNamesZh } from './finding_names.zh.ts'
import { findingsZh } from './findings.zh.ts'
import { frameZh } from './frame.zh.ts'
import { compareZh } from './compare.zh.ts'
import { compilationZh } from './compilation.zh.ts'
import { hangsZh } from './hangs.zh.ts'
import { inputPipelineZh } from './input_pipeline.zh.ts'
import { kernelReportsZh } from './kernel_reports.zh.ts'
import { liveZh } from './live.zh.ts'
import { memoryZh } from './memory.zh.ts'
import { onlyZh } from './only.zh.ts'
import { pagesZh } from './pages.zh.ts'
import { ranksZh } from './ranks.zh.ts'
import { recordZh } from './record.zh.ts'
import { recordedHowZh } from './recorded_how.zh.ts'
import { recordingsZh } from './recordings.zh.ts'
import { resultsZh } from './results.zh.ts'
import { runCollectivesZh } from './run_collectives.zh.ts'
import { simulatedZh } from './simulated.zh.ts'
import { stacksZh } from './stacks.zh.ts'
import { tablesZh } from './tables.zh.ts'
import { telemetryZh } from './telemetry.zh.ts'
import { timelineZh } from './timeline.zh.ts'
import { verdictZh } from './verdict.zh.ts'
import { whatIfZh } from './what_if.zh.ts'

export const zh: Words = {
  ...frameZh,
  ...findingNamesZh,
  ...findingsZh,
  ...compareZh,
  ...compilationZh,
  ...hangsZh,
  ...inputPipelineZh,
  ...kernelReportsZh,
  ...liveZh,
  ...memoryZh,
  ...onlyZh,
  ...pagesZh,
  ...ranksZh,
  ...recordZh,
  ...recordedHowZh,
  ...recordingsZh,
  ...resultsZh,
  ...runCollectivesZh,
  ...simulatedZh,
  ...stacksZh,
  ...tablesZh,
  ...charts,
  ...telemetryZh,
  ...timelineZh,
  ...verdictZh,
  ...whatIfZh,
}
