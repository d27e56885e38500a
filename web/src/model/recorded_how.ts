/** What `stepscope record` says of the recordings that it made, from the table `metadata`. */

import { type Columns, numbersOf, textsOf } from './columns_of.ts'

/** How one rank was recorded; null or "" where that is not known. */
export interface RecordedHow {
  rank: number
  program: string
  stepscope: string
  torch: string
  python: string
  /** Of `--with`. */
  options: string
  /** What the profiler recorded: `CPU CUDA`. */
  activities: string
  kind: string
  firstStep: number | null
  lastStep: number | null
  stepsAre: string
  closed: string
  microBatches: number | null
  /** Medians: of steps in the window, and of those before and after it without the profiler. */
  recordedNs: number | null
  beforeNs: number | null
  afterNs: number | null
  slowdown: number | null
  stopNs: number | null
  cores: number | null
  gpus: number | null
}

const OF = 'stepscopeRecording.'

/** A row for each rank that `stepscope record`, or its like in code, recorded. */
export function recordedHow(metadata: Columns, ranks: readonly number[]): RecordedHow[] {
  const [keys, values, whose] = [textsOf(metadata, 'key'), textsOf(metadata, 'value'), numbersOf(metadata, 'rank')]
  return ranks.flatMap((rank) => {
    const facts = new Map<string, string>()
    keys.forEach((key, row) => {
      const of = whose[row] ?? null
      if (key.startsWith(OF) && (of === null || of === rank)) facts.set(key.slice(OF.length), values[row] ?? '')
    })
    return facts.size === 0 ? [] : [how(rank, facts)]
  })
}

function how(rank: number, facts: ReadonlyMap<string, string>): RecordedHow {
  const text = (name: string) => facts.get(name) ?? ''
  const number = (name: string) => (facts.has(name) && text(name) !== '' ? Number(text(name)) : null)
  return {
    rank,
    program: text('program'),
    stepscope: text('stepscope_version'),
    torch: text('torch_version'),
    python: text('python_version'),
    options: text('with'),
    activities: text('activities'),
    kind: text('kind'),
    firstStep: number('first_step'),
    lastStep: number('last_step'),
    stepsAre: text('steps_are'),
    closed: text('closed'),
    microBatches: number('micro_batches'),
    recordedNs: number('recorded_ns'),
    beforeNs: number('before_ns'),
    afterNs: number('after_ns'),
    slowdown: number('slowdown'),
    stopNs: number('stop_ns'),
    cores: number('cores'),
    gpus: number('gpus'),
  }
}

/** What all ranks share of a fact, else null. */
export function shared<T>(all: readonly RecordedHow[], of: (one: RecordedHow) => T): T | null {
  const [first, ...others] = all.map(of)
  return first !== undefined && others.every((one) => one === first) ? first : null
}
