/** What memory is for: the order in which bands lie, those that live longest below, and their colours. */

export const CATEGORIES = [
  'parameters',
  'optimizer state',
  'inputs',
  'unknown',
  'gradients',
  'activations',
  'temporaries',
] as const

/** The colour of a category as the page's styles have it; what has no category is unknown. */
export function categoryColour(category: string): string {
  return `var(--mem-${tokenOf(category)})`
}

/** The same behind an element: stripes for what is unknown, so that colour is not needed. */
export function categoryFill(category: string): string {
  const colour = categoryColour(category)
  if (tokenOf(category) !== 'unknown') return colour
  return `repeating-linear-gradient(-45deg, ${colour} 0 3px, var(--back) 3px 4px)`
}

/** The same as a name of the theme. */
export function tokenOf(category: string): string {
  const known = CATEGORIES.find((one) => one === category) ?? 'unknown'
  return known.replace(' state', '')
}

/** Place of a category among the bands, from below. */
export function categoryPlace(category: string): number {
  const place = CATEGORIES.findIndex((one) => one === category)
  return place < 0 ? CATEGORIES.indexOf('unknown') : place
}
