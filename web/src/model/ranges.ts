/** Time ranges as the URL writes them: `start,end`, whole ns from the profile's origin. */

export type Range = readonly [start: number, end: number]

/** Null when the text says something else. */
export function parsedRange(text: string | undefined): Range | null {
  const parts = (text ?? '').split(',')
  if (parts.length !== 2 || parts.some((part) => part.trim() === '')) return null
  const [start, end] = parts.map(Number) as [number, number]
  return Number.isFinite(start) && Number.isFinite(end) && end > start ? [start, end] : null
}

export function rangeText(start: number, end: number): string {
  return `${Math.floor(start)},${Math.ceil(end)}`
}

const UNIT_NS: Record<string, number> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9 }
const TYPED = /^([\d,]*\.?\d+)\s*(ns|us|µs|μs|ms|s)?\s*(?:to|至|[-–])\s*([\d,]*\.?\d+)\s*(ns|us|µs|μs|ms|s)$/i

/** A range as it is typed, `12.345 to 12.678 ms`, with a unit at both or only behind; null for other texts. */
export function typedRange(text: string): Range | null {
  const [, first = '', firstUnit, last = '', unit = ''] = TYPED.exec(text.trim()) ?? []
  const [start, end] = [
    [first, firstUnit ?? unit],
    [last, unit],
  ].map(([number = '', of = '']) => Number(number.replaceAll(',', '')) * (UNIT_NS[of.toLowerCase()] ?? NaN))
  if (start === undefined || end === undefined || !(end > start)) return null
  return [Math.round(start), Math.round(end)]
}

/** Several of them, with `;` between. */
export function parsedRanges(text: string | undefined): Range[] {
  return (text ?? '').split(';').flatMap((part) => {
    const range = parsedRange(part)
    return range ? [range] : []
  })
}

/** Neighbouring numbers as [first, last] pairs, ascending. */
export function runsOf(numbers: number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else runs.push([number, number])
  }
  return runs
}

/** Numbers in as few words as possible: `0-3, 8`. */
export function runsText(numbers: number[], separator = ', '): string {
  return runsOf(numbers)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
    .join(separator)
}

/** Whole numbers with commas between; anything else is left out. */
export function parsedNumbers(text: string | undefined): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => /^\d+$/.test(part))
    .map(Number)
}
