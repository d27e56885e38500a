/** Pieces of time as the URL writes them: `start,end`, whole ns from the profile's origin. */

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

/** Several of them, with `;` between. */
export function parsedRanges(text: string | undefined): Range[] {
  return (text ?? '').split(';').flatMap((part) => {
    const range = parsedRange(part)
    return range ? [range] : []
  })
}

/** Whole numbers with commas between; anything else is left out. */
export function parsedNumbers(text: string | undefined): number[] {
  return (text ?? '')
    .split(',')
    .filter((part) => /^\d+$/.test(part))
    .map(Number)
}
