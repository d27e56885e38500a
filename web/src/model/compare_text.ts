/** Differences as the command line writes them. */

import { bytesText, countText, timeText } from './format.ts'

/** What only one side has: the two numbers are about different things, so their difference says nothing. */
export const ofOneSide = new Set([
  'kernel_names',
  'operator_shapes',
  'operator_types',
  'compiled_regions',
  'breaking_functions',
])

/** A difference of times with its sign. */
export function signedText(ns: number): string {
  const rounded = Math.round(ns)
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${timeText(Math.abs(rounded))}`
}

/** A count a step: bytes with their unit. */
export function countedText(key: string, value: number): string {
  if (key.endsWith('_bytes')) return bytesText(Math.round(value))
  return Number.isInteger(value) ? countText(value) : value.toFixed(1)
}

/** How often a row is called a step; on both sides where that differs. */
export function callsText(base: number | null, next: number | null): string {
  const [before, after] = [base ?? 0, next ?? 0].map((value) => countedText('', value))
  return before === after ? (before ?? '') : `${before} → ${after}`
}

/** Not between the sides of a copy, `Memcpy HtoD (Pageable -> Device)`, but between two figures everywhere. */
const ARROW = / -> (?=\d|[^()]*(?:\(|$))/g
const MINUS = /(?<=[\s(（])-(?=\d[\d.,]*\s?(?:ns|us|ms|s|min|h|%|B|[KMGT]iB)(?!\w))/g

/** A sentence of the command line with the signs that the page has everywhere. */
export function withSigns(text: string): string {
  return text.replace(ARROW, ' → ').replace(MINUS, '−')
}
