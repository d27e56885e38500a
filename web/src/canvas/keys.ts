/** Keys of the timeline, by their place on the keyboard (`event.code`): the same for AZERTY and while Chinese is typed. */

import { isTyping } from '../state/typing.ts'
import type { Held } from './viewport_animation.ts'

export interface KeyActions {
  hold: (held: Held) => void
  fit: () => void
  all: () => void
  mark: () => void
  along: (direction: 1 | -1) => void
  sameName: (direction: 1 | -1) => void
  beside: (direction: 1 | -1) => void
  across: (direction: 1 | -1) => void
  page: (direction: 1 | -1) => void
  search: () => void
  escape: () => boolean
  details: () => void
  flame: () => void
  instances: () => void
  path: () => void
  simulated: () => void
  recommendations: () => void
  finding: (at: number) => void
}

const HELD: Record<string, Partial<Held>> = {
  KeyA: { pan: -1 },
  KeyD: { pan: 1 },
  ArrowLeft: { pan: -1 },
  ArrowRight: { pan: 1 },
  KeyW: { zoom: 1 },
  KeyS: { zoom: -1 },
}

/** Whether a key is meant for something else: a field, a table, a dialog. */
function isElsewhere(target: EventTarget | null): boolean {
  return isTyping(target) || (target instanceof HTMLElement && target.closest('[role="grid"], dialog') !== null)
}

function isButton(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, summary, [role="separator"]') !== null
}

/**
 * Follow the keys of a window until the returned function is called. Those that were pressed `before`, while there was
 * nothing to see, take effect now, but for those that move what is seen while they are held.
 */
export function keys(target: Window, actions: KeyActions, before: KeyboardEvent[] = []): () => void {
  const pressed = new Set<string>()
  let shift = false

  const held = () => {
    const sum = { pan: 0, zoom: 0, fast: shift }
    for (const code of pressed) {
      sum.pan += HELD[code]?.pan ?? 0
      sum.zoom += HELD[code]?.zoom ?? 0
    }
    actions.hold({ pan: Math.sign(sum.pan), zoom: Math.sign(sum.zoom), fast: sum.fast })
  }

  const down = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isElsewhere(event.target)) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.code === 'Enter' && isButton(event.target)) return
    if (event.code.startsWith('Arrow') && event.target instanceof HTMLInputElement) return
    shift = event.shiftKey
    if (HELD[event.code]) {
      if (event.code.startsWith('Arrow') && isButton(event.target)) return
      event.preventDefault()
      if (pressed.has(event.code) && event.repeat) return
      pressed.add(event.code)
      held()
    } else if (once(event, actions)) event.preventDefault()
  }

  const up = (event: KeyboardEvent) => {
    shift = event.shiftKey
    if (pressed.delete(event.code) || pressed.size > 0) held()
  }

  // A key released in another window is never seen to be released.
  const lost = () => {
    pressed.clear()
    held()
  }

  for (const event of before) if (!HELD[event.code]) down(event)
  target.addEventListener('keydown', down)
  target.addEventListener('keyup', up)
  target.addEventListener('blur', lost)
  return () => {
    target.removeEventListener('keydown', down)
    target.removeEventListener('keyup', up)
    target.removeEventListener('blur', lost)
  }
}

/** Keys that do something once; false when the key is none of them. */
function once(event: KeyboardEvent, actions: KeyActions): boolean {
  const does: Record<string, () => unknown> = {
    KeyF: actions.fit,
    Digit0: actions.all,
    Numpad0: actions.all,
    KeyM: actions.mark,
    BracketLeft: () => actions.along(-1),
    BracketRight: () => actions.along(1),
    KeyN: () => actions.sameName(1),
    KeyP: () => actions.sameName(-1),
    Comma: () => actions.beside(-1),
    Period: () => actions.beside(1),
    ArrowUp: () => actions.across(-1),
    ArrowDown: () => actions.across(1),
    PageUp: () => actions.page(-1),
    PageDown: () => actions.page(1),
    Enter: actions.details,
    KeyL: actions.flame,
    KeyJ: actions.instances,
    Slash: actions.search,
    KeyC: actions.path,
    KeyG: actions.simulated,
    KeyI: actions.recommendations,
  }
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)
  if (digit) {
    actions.finding(Number(digit[1]) - 1)
    return true
  }
  // With Shift, brackets move the selected steps on every page.
  if (event.shiftKey && event.code.startsWith('Bracket')) return false
  // `?` is the whole app's. On other layouts `/` is elsewhere: there the character counts.
  if (event.key === '?') return false
  if (event.key === '/') actions.search()
  else if (event.code === 'Escape') return actions.escape()
  else if (does[event.code]) does[event.code]?.()
  else return false
  return true
}
