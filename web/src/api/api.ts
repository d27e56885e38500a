/** What the app asks for. `server.ts` asks a server, `embedded.ts` the report that the app is part of. */

import type { Failure } from './types.ts'

export type { Api } from './server.ts'

/** What could not be answered, in the three parts of every message: what was tried, what was found, what to do. */
export class ApiError extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(`${failure.tried}: ${failure.found}. ${failure.advice}`)
    this.failure = failure
  }
}

export interface Window {
  t0: number
  t1: number
  px: number
  lanes: number[]
}
