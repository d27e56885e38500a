/** What a cell of a table can hold. */
export type Cell = string | number | boolean | null
