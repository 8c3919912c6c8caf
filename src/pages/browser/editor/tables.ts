import type { Node, ResolvedPos } from 'prosemirror-model'
import { type Command, type EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { nodeType } from './parts.ts'

/** Position of the cursor in a table. */
type Place = { $from: ResolvedPos; table: number; section: number; row: number; cell: number }

const depthOf = ($from: ResolvedPos, name: string): number => {
  for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type.name === name) return depth
  return 0
}

const placeIn = ({ selection: { $from } }: EditorState): Place | undefined => {
  const cell = depthOf($from, 'cell')
  return cell === 0 ? undefined : { $from, cell, row: cell - 1, section: cell - 2, table: cell - 3 }
}

/** True if the cursor is in a table. */
export const isInTable = (state: EditorState): boolean => placeIn(state) !== undefined

const newCell = (tag: unknown): Node => nodeType('cell').create({ tag }, nodeType('line').create())

const newRow = (tags: readonly unknown[]): Node => nodeType('row').create(null, tags.map(newCell))

/** Puts the cursor into the cell that begins at a position. */
const into = (tr: Transaction, cell: number): Transaction =>
  tr.setSelection(TextSelection.near(tr.doc.resolve(cell + 1))).scrollIntoView()

/** Inserts a table of three columns: a row of headings and two rows. */
export const insertTable: Command = (state, dispatch) => {
  if (isInTable(state)) return false
  const section = (tag: string, rows: Node[]) => nodeType('section').create({ tag }, rows)
  const table = nodeType('table').create(null, [
    section('thead', [newRow(['th', 'th', 'th'])]),
    section('tbody', [newRow(['td', 'td', 'td']), newRow(['td', 'td', 'td'])]),
  ])
  const { $from } = state.selection
  const at = $from.depth === 0 ? state.selection.to : $from.after(1)
  dispatch?.(into(state.tr.insert(at, table), at + 3))
  return true
}

/** Adds a row below the cursor's row. */
export const addRow: Command = (state, dispatch) => {
  const place = placeIn(state)
  if (!place) return false
  const { $from, row, section } = place
  const columns = $from.node(row).childCount
  const tags = Array.from({ length: columns }, () => 'td')
  if ($from.node(section).attrs.tag !== 'thead') {
    const at = $from.after(row)
    dispatch?.(into(state.tr.insert(at, newRow(tags)), at + 1))
    return true
  }
  // Below the headings begins the body.
  const after = $from.after(section)
  const next = state.doc.resolve(after).nodeAfter
  const made = newRow(tags)
  const at = next?.type.name === 'section' ? after + 1 : after
  const inserted = at === after ? nodeType('section').create({ tag: 'tbody' }, made) : made
  dispatch?.(into(state.tr.insert(at, inserted), at === after ? at + 2 : at + 1))
  return true
}

/** Removes the cursor's row, and the table with its last row. */
export const removeRow: Command = (state, dispatch) => {
  const place = placeIn(state)
  if (!place) return false
  const { $from, row, section, table } = place
  const depth = $from.node(section).childCount > 1 ? row : $from.node(table).childCount > 1 ? section : table
  dispatch?.(state.tr.delete($from.before(depth), $from.after(depth)))
  return true
}

/** True if no cell of the table spans others. Then the cells of a column have the same index in every row. */
const isPlain = (table: Node): boolean => {
  let plain = true
  table.descendants(({ type, attrs }) => {
    if (type.name === 'cell' && ('colspan' in attrs.of || 'rowspan' in attrs.of)) plain = false
    return type.name !== 'cell'
  })
  return plain
}

/** Calls `run` for the rows of the table, the last first, with the position of each. */
const eachRow = ({ $from, table }: Place, run: (row: Node, at: number) => void): void => {
  const start = $from.start(table)
  const rows: [Node, number][] = []
  $from.node(table).descendants((node, at) => {
    if (node.type.name === 'row') rows.push([node, start + at])
    return node.type.name === 'section'
  })
  for (const [row, at] of rows.reverse()) run(row, at)
}

/** Returns the position of a cell in a row. */
const cellAt = (row: Node, at: number, index: number): number => {
  let position = at + 1
  for (let n = 0; n < index; n += 1) position += row.child(n).nodeSize
  return position
}

/** Adds a column right of the cursor's cell. */
export const addColumn: Command = (state, dispatch) => {
  const place = placeIn(state)
  if (!place || !isPlain(place.$from.node(place.table))) return false
  const { tr } = state
  const index = place.$from.index(place.row) + 1
  eachRow(place, (row, at) => {
    const last = Math.min(index, row.childCount)
    tr.insert(cellAt(row, at, last), newCell(row.child(last - 1).attrs.tag))
  })
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Removes the cursor's column, and the table with its last column. */
export const removeColumn: Command = (state, dispatch) => {
  const place = placeIn(state)
  if (!place || !isPlain(place.$from.node(place.table))) return false
  const { $from, row } = place
  if ($from.node(row).childCount === 1) return removeTable(state, dispatch)
  const { tr } = state
  const index = $from.index(row)
  eachRow(place, (one, at) => {
    if (index >= one.childCount || one.childCount === 1) return
    const from = cellAt(one, at, index)
    tr.delete(from, from + one.child(index).nodeSize)
  })
  const at = tr.mapping.map($from.before(row))
  const left = tr.doc.nodeAt(at)
  if (left) into(tr, cellAt(left, at, Math.min(index, left.childCount - 1)))
  dispatch?.(tr)
  return true
}

/** Removes the table. */
export const removeTable: Command = (state, dispatch) => {
  const place = placeIn(state)
  if (!place) return false
  dispatch?.(state.tr.delete(place.$from.before(place.table), place.$from.after(place.table)))
  return true
}

/** Returns the command that moves the cursor to the next (1) or previous (-1) cell. Past the last cell it adds a row. */
export const moveCell =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const place = placeIn(state)
    if (!place) return false
    const { $from, table } = place
    const cells: number[] = []
    $from.node(table).descendants((node, at) => {
      if (node.type.name === 'cell') cells.push($from.start(table) + at)
      return node.type.name !== 'cell'
    })
    const next = cells[cells.indexOf($from.before(place.cell)) + by]
    if (next === undefined) return by === 1 && addRow(state, dispatch)
    dispatch?.(into(state.tr, next))
    return true
  }
