/** The events that the filter of the run's header leaves: all others are dimmed. */

import type { Track } from '../../api/timeline.ts'
import { type Lit, litNames } from '../../canvas/lit.ts'
import type { Only, Role } from '../../model/only.ts'
import { api, runId } from '../../state/app.svelte.ts'
import { loaded } from '../../state/loaded.svelte.ts'
import { only } from '../../state/only.svelte.ts'
import { words } from '../../state/words.svelte.ts'

/** Roles whose value is what events are called, and those that the server knows the names of. */
const NAMED: Role[] = ['operator', 'kernel', 'module']
const ASKED: Role[] = ['kind', 'collective']
/** Names that a search for a whole name gives at most: others that hold it come with it. */
const MOST = 200

/** What events of a role are called. */
function nameOf({ role, value }: Only): string {
  const last = value.split('/').at(-1) ?? value
  return role === 'module' ? `nn.Module: ${last}` : value
}

interface Answer {
  of: Only
  codes: number[]
  shared: number
  /** Rows that an operator launched, by lane; null where that is not known. */
  launched: Map<number, Uint32Array> | null
}

async function namesOf(of: Only, signal: AbortSignal): Promise<Answer> {
  const id = runId() ?? ''
  if (ASKED.includes(of.role)) return { of, launched: null, ...(await api.named(id, of.role, of.value, signal)) }
  const wanted = nameOf(of)
  const asksLaunched = of.role === 'operator' && api.mode === 'server'
  const [{ names }, launched] = await Promise.all([
    api.search(id, wanted, MOST, signal),
    asksLaunched ? api.launched(id, wanted, signal) : null,
  ])
  return { of, codes: names.filter((one) => one.name === wanted).map((one) => one.code), shared: 0, launched }
}

const tracksOf = (tracks: readonly Track[], { value }: Only): Set<number> =>
  new Set(tracks.filter((track) => String(track.stream) === value).map((track) => track.id))

interface LimitedEvents {
  /** What keeps its colour; null where everything does. */
  readonly lit: Lit | null
  /** Code of the only name that does; -1 of none or several. */
  readonly code: number
  readonly note: string
}

/** What the filter leaves. Has to be called while a component is being made. */
export function limitedEvents(tracks: readonly Track[]): LimitedEvents {
  const limit = $derived(only())
  const found = loaded(() => {
    const wanted = limit
    const isAsked = wanted && (NAMED.includes(wanted.role) || (ASKED.includes(wanted.role) && api.mode === 'server'))
    return isAsked ? (signal) => namesOf(wanted, signal) : null
  })
  const answer = $derived(
    limit && found.data?.of.role === limit.role && found.data.of.value === limit.value ? found.data : null,
  )
  const streams = $derived(limit?.role === 'stream' ? tracksOf(tracks, limit) : null)
  const lit = $derived.by((): Lit | null => {
    if (streams) return streams.size > 0 ? { codes: null, tracks: streams, rows: null } : null
    return answer && answer.codes.length > 0 ? litNames(answer.codes, answer.launched) : null
  })
  const note = $derived(limit ? noteOf(limit, lit, answer) : '')
  return {
    get lit() {
      return lit
    },
    get code() {
      return answer?.codes.length === 1 ? (answer.codes[0] ?? -1) : -1
    },
    get note() {
      return note
    },
  }
}

/** Why nothing is dimmed, or what is not to be taken literally; "" else. */
function noteOf(limit: Only, lit: Lit | null, answer: Answer | null): string {
  const text = words().only
  if (limit.role === 'source') return text.manyLines
  if (limit.role === 'stream') return lit ? '' : text.noStream(limit.value)
  if (ASKED.includes(limit.role) && api.mode !== 'server') return text.notHeld(text.roles[limit.role])
  if (!answer) return ''
  if (!lit)
    return ASKED.includes(limit.role) ? text.noKernel(text.roles[limit.role], limit.value) : text.nowhere(nameOf(limit))
  if (limit.role === 'operator' && !answer.launched) return text.launchesNotHeld
  return answer.shared > 0 ? text.sharedNames(answer.shared, limit.value) : ''
}
