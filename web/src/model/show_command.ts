/** `stepscope show …` for what the timeline shows: the same recording as in another command. */

import { quoted } from './copies.ts'

/** `command` begins `stepscope WORD PATH…`; options without a value are left out. */
export function showCommand(command: string, table: string, options: Record<string, string | null>): string {
  const begin = command.replace(/^(\S+) \S+/, (_, program: string) => `${program} show ${table}`)
  const words = Object.entries(options).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, quoted(value)]))
  return [begin, ...words].join(' ')
}

/** A part of the time as `--between` takes it, its end excluded. */
export function betweenText(start: number, end: number): string {
  return `${Math.floor(start)}ns:${Math.max(Math.floor(start) + 1, Math.ceil(end))}ns`
}
