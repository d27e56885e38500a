/** Names that hold a text, whatever the case, or match a pattern between slashes. */

import { ApiError } from './api.ts'

export function matches(query: string): (one: { name: string }) => boolean {
  if (query.length > 2 && query.startsWith('/') && query.endsWith('/')) {
    const pattern = patternOf(query.slice(1, -1))
    return (one) => pattern.test(one.name)
  }
  const wanted = query.toLowerCase()
  return (one) => one.name.toLowerCase().includes(wanted)
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'i')
  } catch {
    throw new ApiError({
      tried: 'cannot search for that pattern',
      found: 'it is no regular expression',
      advice: 'For example: /gemm|conv/.',
    })
  }
}
