/** What lies over the page: the search, the help, the glossary, or nothing. */

export const overlay: { open: 'palette' | 'help' | 'glossary' | null } = $state({ open: null })
