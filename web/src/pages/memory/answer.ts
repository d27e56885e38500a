/** The head of the page about memory: why it ran out, else what fills a device at its peak, and what grows. */

import type { TableData } from '../../api/types.ts'
import { type MemoryDevice, rowsOfDevice } from '../../model/chart_memory.ts'
import { numbersOf, textsOf } from '../../model/columns_of.ts'
import { bytesText, percentText } from '../../model/format.ts'
import { shortFrame } from '../../model/memory_frames.ts'
import { shownValue } from '../../model/value_words.ts'
import { words } from '../../state/words.svelte.ts'

interface Facts {
  /** Whether there is more than the state when the snapshot was taken: without, no peak is known. */
  history: boolean
  reserved: number | null
  parts: TableData | null
  leaks: TableData | null
  ooms: TableData | null
}

export function snapshotAnswer(
  device: MemoryDevice,
  name: string,
  { history, reserved, parts, leaks, ooms }: Facts,
): string {
  const text = words().memoryPage
  return (ooms && oomAnswer(ooms, device)) ?? `${peakAnswer(device, name, parts)}${growthAnswer(leaks, device)}`

  function peakAnswer(of: MemoryDevice, called: string, table: TableData | null): string {
    const rows = table ? rowsOfDevice(table, of) : []
    const [bytes, shares] = table ? [numbersOf(table, 'alive_bytes'), numbersOf(table, 'share_pct')] : [[], []]
    const most = rows.toSorted((a, b) => (bytes[b] ?? 0) - (bytes[a] ?? 0))[0]
    const category = most !== undefined && table ? textsOf(table, 'category')[most] || 'unknown' : ''
    const holds =
      category && most !== undefined
        ? category === 'unknown'
          ? text.holdsUnknown(percentText(shares[most]))
          : text.holds(shownValue(words().table.values, 'category', category), percentText(shares[most]))
        : ''
    const said = history ? text.answer : text.answerAtEnd
    return said(called, bytesText(of.peak_bytes), bytesText(reserved), holds)
  }

  function growthAnswer(table: TableData | null, of: MemoryDevice): string {
    const rows = table ? rowsOfDevice(table, of) : []
    const first = rows[0]
    if (!table || first === undefined) return ''
    const source = shortFrame(textsOf(table, 'source')[first] || textsOf(table, 'op')[first] || text.noStack)
    const size = numbersOf(table, 'bytes_per_step')[first] ?? null
    return size === null ? ` ${text.growsSlowly(source)}` : text.grows(bytesText(size), source, rows.length - 1)
  }
}

/** Why memory ran out, of the last time that it did; null where it did not. */
function oomAnswer(table: TableData, device: MemoryDevice): string | null {
  const text = words().memoryPage
  const row = rowsOfDevice(table, device).at(-1)
  if (row === undefined) return null
  const reason = textsOf(table, 'reason')[row] ?? ''
  const asked = bytesText(numbersOf(table, 'requested_bytes')[row])
  const source = textsOf(table, 'source')[row] ?? ''
  return text.answerOom(asked, source && shortFrame(source), text.reasons[reason] ?? reason)
}
