/** Rows that stand inside one another, by their paths: `GPT_0/Block_1/Linear_4`. */

export interface Tree {
  /** Row around each row; -1 for those that stand in none. */
  parent: Int32Array
  depth: Uint16Array
  children: number[][]
  roots: number[]
}

/**
 * Place each path under the nearest path above it that has a row. Rows with an empty path stand nowhere, and of two
 * rows with one path the second stands beside the first.
 */
export function treeOf(paths: string[]): Tree {
  const rows = new Map<string, number>()
  paths.forEach((path, row) => path && !rows.has(path) && rows.set(path, row))
  const tree: Tree = {
    parent: new Int32Array(paths.length).fill(-1),
    depth: new Uint16Array(paths.length),
    children: paths.map(() => []),
    roots: [],
  }
  paths.forEach((path, row) => {
    if (!path) return
    const above = nearest(path, rows)
    tree.parent[row] = above
    if (above < 0) tree.roots.push(row)
    else tree.children[above]?.push(row)
  })
  const waiting = [...tree.roots]
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop())
    for (const child of tree.children[row] ?? []) {
      tree.depth[child] = (tree.depth[row] ?? 0) + 1
      waiting.push(child)
    }
  return tree
}

function nearest(path: string, rows: Map<string, number>): number {
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
    const row = rows.get(path.slice(0, cut))
    if (row !== undefined) return row
  }
  return -1
}

/** Rows from the outermost down to one, itself included. */
export function lineage(tree: Tree, row: number): number[] {
  const line: number[] = []
  for (let at = row; at >= 0; at = tree.parent[at] ?? -1) line.unshift(at)
  return line
}

/** Rows in sight: each before those inside it, siblings as they are `sorted`, nothing inside a row that is not open. */
export function visibleRows(tree: Tree, sorted: Uint32Array, isOpen: (row: number) => boolean): Uint32Array {
  const place = new Uint32Array(tree.parent.length)
  sorted.forEach((row, i) => (place[row] = i))
  const inOrder = (rows: number[]) => rows.toSorted((a, b) => (place[b] ?? 0) - (place[a] ?? 0))
  const shown: number[] = []
  // The last one waiting is next.
  const waiting = inOrder(tree.roots)
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    shown.push(row)
    if (isOpen(row)) waiting.push(...inOrder(tree.children[row] ?? []))
  }
  return Uint32Array.from(shown)
}

/** A tree of rows of which each comes after the one around it. */
export function treeOfParents(parents: number[]): Tree {
  const tree: Tree = {
    parent: Int32Array.from(parents),
    depth: new Uint16Array(parents.length),
    children: parents.map(() => []),
    roots: [],
  }
  parents.forEach((parent, at) => {
    if (parent < 0) return void tree.roots.push(at)
    tree.children[parent]?.push(at)
    tree.depth[at] = (tree.depth[parent] ?? 0) + 1
  })
  return tree
}
