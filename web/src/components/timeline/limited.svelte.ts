/** The events that the filter of the run's header leaves: all others are dimmed. */

import { api, runId } from '../../state/app.svelte.ts'
import { loaded } from '../../state/loaded.svelte.ts'
import { only } from '../../state/only.svelte.ts'
import { words } from '../../state/words.svelte.ts'
import type { Only, Role } from '../../model/only.ts'

/** Events are dimmed by their name. */
const NAMED: Role[] = ['operator', 'kernel', 'module']
/** Names that a search for a whole name gives at most: others that hold it come with it. */
const MOST = 200

/** What events of a role are called. */
function nameOf({ role, value }: Only): string {
  const last = value.split('/').at(-1) ?? value
  return role === 'module' ? `nn.Module: ${last}` : value
}

/** Code of the name, or -1, and why nothing is dimmed. Has to be called while a component is being made. */
export function limitedEvents(): { readonly code: number; readonly note: string } {
  const limit = $derived(only())
  const name = $derived(limit && NAMED.includes(limit.role) ? nameOf(limit) : null)
  const found = loaded(() => {
    const [id, wanted] = [runId() ?? '', name]
    if (wanted === null) return null
    return async (signal) => {
      const { names } = await api.search(id, wanted, MOST, signal)
      return { name: wanted, code: names.find((one) => one.name === wanted)?.code ?? -1 }
    }
  })
  const code = $derived(found.data && found.data.name === name ? found.data.code : -1)
  const note = $derived.by(() => {
    const text = words().only
    if (!limit) return ''
    if (name === null) return text.events(text.roles[limit.role])
    return found.data?.name === name && code < 0 ? text.nowhere(name) : ''
  })
  return {
    get code() {
      return code
    },
    get note() {
      return note
    },
  }
}
