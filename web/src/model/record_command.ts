/** How to record what somebody wants to know: the command of `stepscope record`, or the lines for their own code. */

/** Whether a job is started so, runs already, or its code is changed. */
export const WAYS = ['launch', 'running', 'code'] as const
export type Way = (typeof WAYS)[number]

export const WHEN = ['steady', 'early', 'periodic', 'demand'] as const
export type When = (typeof WHEN)[number]

/** What can be recorded beside operators and GPU activity, in the order of `--with`; then other questions. */
const RECORDS = ['shapes', 'stack', 'memory'] as const
export const QUESTIONS = ['stack', 'shapes', 'memory', 'history', 'telemetry', 'two_pass'] as const
export type Question = (typeof QUESTIONS)[number]

export interface Wishes {
  when: When
  answers: Record<Question, boolean>
  /** As typed: `0,7`. */
  ranks: string
  command: string
  folder: string
  pid: string
}

/** What `stepscope record` does unless it is told otherwise. */
export function usual(root: string): Wishes {
  return {
    when: 'steady',
    answers: { stack: true, shapes: true, memory: false, history: false, telemetry: false, two_pass: false },
    ranks: '',
    command: 'python train.py',
    folder: `${root}/job1`,
    pid: '',
  }
}

const TYPED = ['ranks', 'command', 'folder', 'pid'] as const
export type TypedWish = (typeof TYPED)[number]

/** A field with nothing in it, where the address without it means what is usual. */
const NOTHING = ' '

/** What an address asks for; what it does not name is as usual. */
export function wishesOf(params: Readonly<Record<string, string>>, root: string): Wishes {
  const wishes = usual(root)
  wishes.when = WHEN.find((one) => one === params['when']) ?? wishes.when
  const named = params['with']?.split(',')
  if (named) for (const one of QUESTIONS) wishes.answers[one] = named.includes(one)
  for (const one of TYPED) wishes[one] = params[one]?.replace(/^ $/, '') ?? wishes[one]
  return wishes
}

/** Answers as an address has them; null for the usual ones. */
export function answersText(answers: Wishes['answers']): string | null {
  const text = (of: Wishes['answers']) => QUESTIONS.filter((one) => of[one]).join() || 'none'
  return text(answers) === text(usual('').answers) ? null : text(answers)
}

/** What is typed as an address has it; null for what is usual. */
export function typedText(name: TypedWish, value: string, root: string): string | null {
  return value === usual(root)[name] ? null : value || NOTHING
}

/** Questions that have an answer on a way: telemetry is a process beside the job, which code does not start. */
export function questionsOf(way: Way): readonly Question[] {
  if (way === 'running') return []
  return way === 'launch' ? QUESTIONS : QUESTIONS.filter((one) => one !== 'telemetry')
}

/** Ranks as numbers; null where they are not written so. */
export function ranksOf(text: string): number[] | null {
  const parts = text.split(',').map((one) => one.trim())
  if (text.trim() === '') return []
  return parts.every((one) => /^\d{1,6}$/.test(one)) ? parts.map(Number) : null
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`
}

export function launchCommand(wishes: Wishes): string {
  const { answers } = wishes
  const records = RECORDS.filter((one) => answers[one])
  const options = [
    wishes.when === 'demand' ? '--on-demand' : wishes.when === 'steady' ? '' : `--preset ${wishes.when}`,
    records.join() === 'shapes,stack' ? '' : `--with ${records.join() || 'none'}`,
    answers.two_pass ? '--two-pass' : '',
    answers.history ? '--memory-history' : '',
    answers.telemetry ? '--telemetry 10' : '',
    ranksOf(wishes.ranks)?.length ? `--ranks ${ranksOf(wishes.ranks)?.join()}` : '',
    wishes.folder ? `--out ${quoted(wishes.folder)}` : '',
  ]
  return ['stepscope record', ...options.filter(Boolean), '--', wishes.command.trim() || 'python train.py'].join(' ')
}

export function attachCommand(wishes: Wishes): string {
  const pid = /^\d+$/.test(wishes.pid.trim()) ? wishes.pid.trim() : 'PID'
  return ['stepscope attach', wishes.folder ? `--out ${quoted(wishes.folder)}` : '', pid].filter(Boolean).join(' ')
}

/** On demand there is nobody to ask in code: then the usual steps. */
export function codeOf(wishes: Wishes): string {
  const { answers } = wishes
  const records = RECORDS.filter((one) => answers[one])
  const given = [
    JSON.stringify(wishes.folder || 'runs/job1'),
    wishes.when === 'steady' || wishes.when === 'demand' ? '' : `preset="${wishes.when}"`,
    records.join() === 'shapes,stack'
      ? ''
      : `records=(${records
          .map((one) => `"${one}", `)
          .join('')
          .trimEnd()})`,
    answers.two_pass ? 'two_pass=True' : '',
    answers.history ? 'memory_history=True' : '',
    ranksOf(wishes.ranks)?.length ? `ranks=[${ranksOf(wishes.ranks)?.join(', ')}]` : '',
  ]
  return `import stepscope

with stepscope.profile(${given.filter(Boolean).join(', ')}) as p:
    for batch in loader:
        train_step(batch)
        p.step()
`
}
