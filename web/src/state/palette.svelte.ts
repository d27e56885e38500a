/** What the search (Ctrl K) offers: pages, tables, runs, commands, and names from tables once they are loaded. */

import type { IconName } from '../model/icons.ts'
import { PAGE_TABLES } from '../model/pages.ts'
import { rangeText, typedRange } from '../model/ranges.ts'
import { api, run, runId } from './app.svelte.ts'
import { isOffered, isRecorded } from './missing.svelte.ts'
import { preferences, prefer } from './preferences.svelte.ts'
import { go, inWorkspace, type Page, PAGES, route } from './route.svelte.ts'
import { overlay } from './overlay.svelte.ts'
import { selection, selectSteps } from './selection.svelte.ts'
import { copy, say } from './toast.svelte.ts'
import { inDeviceWords, labelled, words } from './words.svelte.ts'

export interface Choice {
  /** What it is: a key of `words().palette.kinds`. */
  kind: 'page' | 'absent' | 'table' | 'operator' | 'kernel' | 'module' | 'run' | 'command' | 'steps'
  label: string
  /** Found by this too: the English name in a Chinese app. */
  also: string
  icon: IconName
  run: () => void
}

/** Names are read from these tables: the kind, the page that shows them, the table. */
const NAMED = [
  ['operator', 'operators'],
  ['kernel', 'kernels'],
  ['module', 'modules'],
] as const
const MOST_NAMES = 5000

export function pageChoices(): Choice[] {
  const pages = PAGES.filter((page) => (inWorkspace(page) ? api.mode === 'server' : run() !== null && isOffered(page)))
  return pages.map((page) => ({
    kind: isRecorded(page) ? 'page' : 'absent',
    label: words().pages[page],
    also: page.replaceAll('_', ' '),
    icon: page,
    run: () => go(page),
  }))
}

export function tableChoices(): Choice[] {
  return Object.keys(run()?.tables ?? {}).map((table) => ({
    kind: 'table',
    label: table,
    also: `${words().tables.names[table] ?? ''} ${inDeviceWords(run()?.tables[table]?.description ?? '')}`,
    icon: 'tables',
    run: () => go('tables', { table }),
  }))
}

export function commandChoices(): Choice[] {
  const text = words().palette.commands
  const command = (label: string, icon: IconName, does: () => void, also = ''): Choice => ({
    kind: 'command',
    label,
    also,
    icon,
    run: does,
  })
  return [
    ...(['light', 'dark', 'system'] as const).map((one) =>
      command(
        labelled(words().app.theme.change, words().app.theme[one]),
        one,
        () => prefer({ theme: one }),
        `theme ${one}`,
      ),
    ),
    preferences.language === 'en'
      ? command('语言：中文', 'help', () => prefer({ language: 'zh' }), 'language Chinese')
      : command('Language: English', 'help', () => prefer({ language: 'en' }), 'language English'),
    command(words().glossary.title, 'help', () => (overlay.open = 'glossary'), 'glossary words 术语表'),
    command(
      text.copyUrl,
      'files',
      () => copy(location.href, text.urlCopied, words().app.notCopied),
      'copy address URL',
    ),
    ...(run()
      ? [
          command(words().app.copyCommand, 'files', () => void copyCommand(), 'copy as command'),
          command(words().app.allSteps, 'bars', () => selectSteps(null), 'select all steps'),
          ...((run()?.ranks.length ?? 0) > 1
            ? [
                command(words().strip.openHeat, 'grid', () => go(route.page, { heat: 'delay' }), 'rank step heatmap'),
                command(text.allRanks, 'ranks', () => go(route.page, { rank: null }), 'all ranks'),
              ]
            : []),
        ]
      : []),
  ]
}

/** `5` or `steps 5 to 9`, as a choice. */
export function stepChoices(query: string): Choice[] {
  const found = /^(?:steps?\s*)?(\d+)(?:\s*(?:[-:–]|to)\s*(\d+))?$/i.exec(query.trim())
  if (!found || !run()?.steps) return []
  const [first, last] = [Number(found[1]), Number(found[2] ?? found[1])]
  const steps: [number, number] = [Math.min(first, last), Math.max(first, last)]
  const label = words().palette.commands.selectSteps(words().strip.steps(`${steps[0]}`, `${steps[1]}`))
  return [{ kind: 'steps', label, also: '', icon: 'bars', run: () => selectSteps(steps) }]
}

/** `12.345 to 12.678 ms` as a choice. */
export function momentChoices(query: string): Choice[] {
  const range = typedRange(query)
  if (!range || !run()) return []
  const [from, to] = range.map((at) => (at / 1e6).toFixed(3)) as [string, string]
  const label = words().palette.commands.showRange(from, to)
  const show = () => go('timeline', { t: rangeText(range[0], range[1]) })
  return [{ kind: 'command', label, also: '', icon: 'timeline', run: show }]
}

export async function runChoices(): Promise<Choice[]> {
  if (api.mode !== 'server') return []
  const list = await api.runs()
  return (list?.runs ?? [])
    .filter((one) => one.opens)
    .map((one) => ({
      kind: 'run',
      label: one.name,
      also: one.id,
      icon: 'runs',
      run: () => go('verdict', { run: one.id, rank: null, step: null, sel: null, heat: null, only: null }),
    }))
}

/** Operators, kernels and modules of the open run. */
export async function nameChoices(signal: AbortSignal): Promise<Choice[]> {
  const open = run()
  if (!open) return []
  const wanted = NAMED.filter(([, table]) => open.tables[table]?.available)
  const answers = await Promise.allSettled(wanted.map(([kind, table]) => namesOf(open.id, kind, table, signal)))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

async function namesOf(id: string, kind: 'operator' | 'kernel' | 'module', table: Page, signal: AbortSignal) {
  const answer = await api.table(id, { table, ranks: null, steps: null, limit: MOST_NAMES }, signal)
  const column = answer.data['name'] ?? answer.data['module'] ?? answer.data['path'] ?? []
  const names = [...new Set(column.filter((one): one is string => typeof one === 'string'))]
  return names.map((name): Choice => ({
    kind,
    label: name,
    also: '',
    icon: table as IconName,
    run: () => go(table, { sel: JSON.stringify(['row', name, table]) }),
  }))
}

/** The command that gives what the page shows. */
async function copyCommand(): Promise<void> {
  const [id, table] = [runId(), route.params['table'] ?? PAGE_TABLES[route.page]]
  if (id === null) return
  try {
    const asked = table ? api.table(id, { table, ...selection(), limit: 1 }) : api.verdict(id, selection())
    const { command } = await asked
    await copy(command.replace(/ --limit 1\b/, ''), words().app.copiedCommand, words().app.notCopied)
  } catch {
    say(words().app.notCopied)
  }
}
