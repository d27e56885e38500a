/**
 * What the frame of the right drawer shows around the details: the body, one per kind of subject
 * (`components/details/`), tells it here what it is about and what can be done with it.
 */

export interface DrawerFacts {
  title: string
  /** What it is, as `operator` or `kernel on stream 7`. */
  kind: string
  /** Go to its place on the timeline; null where it has none. */
  show?: (() => void) | null
  /** Limit the page or the app to it. */
  filter?: (() => void) | null
  /** The `stepscope show ...` that gives the same numbers. */
  command?: string | null
}

export const drawer: { facts: DrawerFacts | null } = $state({ facts: null })

/** Say what the drawer is about. Call it in an `$effect` of a body; returns what takes it back. */
export function describe(facts: DrawerFacts): () => void {
  drawer.facts = facts
  return () => {
    if (drawer.facts === facts) drawer.facts = null
  }
}
