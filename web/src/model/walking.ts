/** Walking through a list below a field that keeps the focus. */

const MOVES: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

/** The place that a key leads to, round and round by single steps; null for a key that leads nowhere. */
export function walked(code: string, at: number, count: number): number | null {
  const by = MOVES[code]
  if (by === undefined || count === 0) return null
  return Math.abs(by) === 1 ? (at + by + count) % count : Math.max(0, Math.min(count - 1, at + by))
}
