/** Every text of the app in English. `zh.ts` has the same keys; a test compares them. */

import { charts } from './charts.en.ts'
import { findingNamesEn } from './finding_names.en.ts'
import { findingsEn } from './findings.en.ts'
import { frameEn } from './frame.en.ts'
import { compareEn } from './compare.en.ts'
import { compilationEn } from './compilation.en.ts'
import { hangsEn } from './hangs.en.ts'
import { inputPipelineEn } from './input_pipeline.en.ts'
import { kernelReportsEn } from './kernel_reports.en.ts'
import { liveEn } from './live.en.ts'
import { memoryEn } from './memory.en.ts'
import { onlyEn } from './only.en.ts'
import { pagesEn } from './pages.en.ts'
import { ranksEn } from './ranks.en.ts'
import { recordEn } from './record.en.ts'
import { recordedHowEn } from './recorded_how.en.ts'
import { recordingsEn } from './recordings.en.ts'
import { resultsEn } from './results.en.ts'
import { runCollectivesEn } from './run_collectives.en.ts'
import { simulatedEn } from './simulated.en.ts'
import { stacksEn } from './stacks.en.ts'
import { tablesEn } from './tables.en.ts'
import { telemetryEn } from './telemetry.en.ts'
import { timelineEn } from './timeline.en.ts'
import { verdictEn } from './verdict.en.ts'
import { whatIfEn } from './what_if.en.ts'

export const en = {
  ...frameEn,
  ...findingNamesEn,
  ...findingsEn,
  ...compareEn,
  ...compilationEn,
  ...hangsEn,
  ...inputPipelineEn,
  ...kernelReportsEn,
  ...liveEn,
  ...memoryEn,
  ...onlyEn,
  ...pagesEn,
  ...ranksEn,
  ...recordEn,
  ...recordedHowEn,
  ...recordingsEn,
  ...resultsEn,
  ...runCollectivesEn,
  ...simulatedEn,
  ...stacksEn,
  ...tablesEn,
  ...charts,
  ...telemetryEn,
  ...timelineEn,
  ...verdictEn,
  ...whatIfEn,
}

export type Words = typeof en
