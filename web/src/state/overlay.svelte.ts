/** What lies over the page: the search, the help, or nothing. */

export const overlay: { open: 'palette' | 'help' | null } = $state({ open: null })
