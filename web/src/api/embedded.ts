/** The app's questions answered from the report that the app is part of. */

import type { Api } from './api.ts'

/** The answers inside this page, or null when the page came from a server. */
export function embeddedApi(): Api | null {
  return null
}
