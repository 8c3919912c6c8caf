import { type HtmlElement, type HtmlNode, isElement } from '../tree.ts'

/** Cell of a table. `align` is `left`, `center` or `right`, or empty if it is not set. */
export type TableCell<T> = { content: T; isHead: boolean; align: string }
/** Row by column. A column is undefined if a cell of another column or row covers it. */
export type TableRow<T> = { cells: (TableCell<T> | undefined)[] }

/** Largest number of cells, covered ones included, for which spans are applied. */
const MAX_CELLS = 100_000
const GROUPS = new Set(['thead', 'tbody', 'tfoot'])

/** Group of rows that a cell's rowspan cannot leave, and its place in the table. */
type Group = { order: number; rows: HtmlElement[][] }
type Found = { groups: Group[]; outside: HtmlNode[] }

const isCell = (node: HtmlNode): node is HtmlElement => isElement(node) && (node.tag === 'td' || node.tag === 'th')

/** Returns the cells of a row, also those wrapped in other elements. Content outside of cells is added to `outside`. */
const cellsIn = (nodes: readonly HtmlNode[], outside: HtmlNode[]): HtmlElement[] =>
  nodes.flatMap((node) => {
    if (isCell(node)) return [node]
    if (isElement(node) && node.children.some(isCell)) return cellsIn(node.children, outside)
    outside.push(node)
    return []
  })

const ORDER: Record<string, number> = { thead: 0, tfoot: 2 }

const addRows = (nodes: readonly HtmlNode[], tag: string, found: Found): void => {
  const group: Group = { order: ORDER[tag] ?? 1, rows: [] }
  found.groups.push(group)
  let loose: HtmlElement[] | undefined
  for (const node of nodes) {
    if (isCell(node)) {
      // Consecutive cells without a row form a row.
      if (!loose) {
        loose = []
        group.rows.push(loose)
      }
      loose.push(node)
      continue
    }
    if (!isElement(node)) {
      found.outside.push(node)
      continue
    }
    loose = undefined
    if (node.tag === 'tr') group.rows.push(cellsIn(node.children, found.outside))
    else if (GROUPS.has(node.tag)) addRows(node.children, node.tag, found)
    else if (node.tag !== 'colgroup' && node.tag !== 'col') found.outside.push(node)
  }
}

const spanOf = (value: string | undefined): number => {
  const span = Number.parseInt(value ?? '1', 10)
  return span >= 0 ? span : 1
}

const alignOf = ({ attributes }: HtmlElement): string => {
  const styled = /(?:^|;)\s*text-align\s*:\s*(left|center|right)/i.exec(attributes.style ?? '')?.[1]
  return (styled ?? /^(?:left|center|right)$/i.exec(attributes.align ?? '')?.[0] ?? '').toLowerCase()
}

type Grid<T> = { width: number; left: number; read: (cell: HtmlElement) => T }

/** Places the cells of a group's rows. Each cell gets the first column that no cell above covers. */
const place = <T>(rows: readonly HtmlElement[][], grid: Grid<T>): TableRow<T>[] => {
  /** For each column, the row at which a cell from above ends. */
  const taken: number[] = []
  return rows.map((cells, row) => {
    const placed: (TableCell<T> | undefined)[] = []
    let column = 0
    const skip = () => {
      while (grid.left > 0 && (taken[column] ?? 0) > row) {
        placed.push(undefined)
        column += 1
        grid.left -= 1
      }
    }
    for (const cell of cells) {
      skip()
      const width = Math.max(1, Math.min(spanOf(cell.attributes.colspan), 1_000, grid.left))
      const down = spanOf(cell.attributes.rowspan)
      const height = grid.left <= 0 ? 1 : down === 0 ? rows.length - row : Math.min(down, rows.length - row)
      const made = { content: grid.read(cell), isHead: cell.tag === 'th', align: alignOf(cell) }
      for (let n = 0; n < width; n += 1) {
        placed.push(n === 0 ? made : undefined)
        if (height > 1 || (taken[column] ?? 0) > row) taken[column] = Math.max(taken[column] ?? 0, row + height)
        column += 1
      }
      grid.left -= width
    }
    skip()
    grid.width = Math.max(grid.width, column)
    return { cells: placed }
  })
}

/**
 * Returns the rows of a table by column, as browsers place them (HTML standard, 4.9.12).
 *
 * `outside` has the content outside of cells, captions included. Spans are ignored after 100,000 cells.
 */
export const cellsOf = <T>(
  table: HtmlElement,
  read: (cell: HtmlElement) => T,
): { rows: TableRow<T>[]; outside: HtmlNode[] } => {
  const found: Found = { groups: [], outside: [] }
  addRows(table.children, '', found)
  const groups = found.groups.toSorted((a, b) => a.order - b.order)
  const grid: Grid<T> = { width: 0, left: MAX_CELLS, read }
  return { rows: groups.flatMap(({ rows }) => place(rows, grid)), outside: found.outside }
}
