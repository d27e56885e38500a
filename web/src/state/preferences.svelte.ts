/** What a user prefers, kept in this browser only: language, theme, frame. */

import { flushSync } from 'svelte'
import type { Theme } from '../model/colours.ts'

export type Language = 'en' | 'zh'

interface Preferences {
  language: Language
  /** `system` follows the operating system. */
  theme: Theme | 'system'
  /** How far the dock reaches into the page, px. */
  dockSize: { bottom: number; right: number }
  /** Where it was put, on pages that are one canvas and on all others; without it, where it suits the window. */
  dockSide: { canvas?: 'bottom' | 'right'; page?: 'bottom' | 'right' }
  /** Width of the titles of tracks, px; null for what suits the window. */
  labels: number | null
  /** The rail shows signs only. */
  railFolded: boolean
  /** Runs that nobody opened are read while one looks at their list. */
  readsAhead: boolean
}

const KEY = 'stepscope.preferences'
const systemDark = matchMedia('(prefers-color-scheme: dark)')
const DEFAULTS: Preferences = {
  language: navigator.language.startsWith('zh') ? 'zh' : 'en',
  theme: 'system',
  dockSize: { bottom: 228, right: 360 },
  dockSide: {},
  labels: null,
  railFolded: false,
  readsAhead: true,
}

function saved(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>
  } catch {
    return {}
  }
}

export const preferences: Preferences = $state({ ...DEFAULTS, ...saved() })

const system = $state({ dark: systemDark.matches })
systemDark.addEventListener('change', (event) => (system.dark = event.matches))

/** Paper is light. Everything is drawn anew before the browser takes its picture of the page. */
const paper = $state({ on: false })
addEventListener('beforeprint', () => flushSync(() => (paper.on = true)))
addEventListener('afterprint', () => (paper.on = false))

/** Whether the page is being printed. */
export function onPaper(): boolean {
  return paper.on
}

/** The theme to draw in. */
export function theme(): Theme {
  if (paper.on) return 'light'
  if (preferences.theme !== 'system') return preferences.theme
  return system.dark ? 'dark' : 'light'
}

export function prefer(changes: Partial<Preferences>): void {
  Object.assign(preferences, changes)
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences))
  } catch {
    // Without storage, as in a report opened from disk in some browsers, the choice holds for this page.
  }
}
