/** Call of a list: its arguments, and the names that its query accepts. */
export type Asked = { tool: string; taken: ReadonlySet<string>; args: Readonly<Record<string, unknown>> }

type Body = Record<string, unknown>

/** A list that was cut: its name, the rows there were, and how many of them are kept. */
export type CutList = { name: string; rows: readonly unknown[]; kept: number }

const ID_NAMES = ['ID', 'id', 'post_id']

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the id that a list goes on below: that of a row, under the name whose value in the last row the answer gives as cursor. */
const idOf = (rows: readonly unknown[], n: number, cursor: unknown): unknown => {
  const [row, last] = [rows[n], rows.at(-1)]
  if (!isObject(row) || !isObject(last)) return undefined
  const name = ID_NAMES.find((one) => typeof cursor === 'number' && last[one] === cursor)
  return row[name ?? ID_NAMES.find((one) => typeof row[one] === 'number') ?? '']
}

/** Returns the names of a list's cursors: `before_id`, or `earned_before_id` if an answer has several lists. */
const namesOf = (body: Body, list: string) => {
  const prefix = `${list}_count` in body ? `${list}_` : ''
  return { count: `${prefix}count`, beforeId: `${prefix}before_id` }
}

/** True if the answer's own cursors are about this list. */
const isPaged = (body: Body, { name, rows }: CutList): boolean =>
  name !== 'ignored' && body[namesOf(body, name).count] === rows.length

/** Returns the cursors of one list as they follow from the rows that are kept. */
const cursorsOf = (body: Body, list: CutList): Body => {
  const { name, rows, kept } = list
  if (!isPaged(body, list)) return {}
  const { count, beforeId } = namesOf(body, name)
  const belowRow = beforeId in body ? idOf(rows, kept - 1, body[beforeId]) : undefined
  return {
    [count]: kept,
    ...(belowRow === undefined ? {} : { [beforeId]: belowRow }),
  }
}

/** Returns the row that lists which are paged together go on with: the first that one of them lost. */
const nextRow = (start: number, lists: readonly CutList[]): number => start + Math.min(...lists.map(({ kept }) => kept))

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

/**
 * Returns the fields of an answer that say how it goes on, as they follow from the rows that are kept: none leads past rows that were
 * left out. A cursor only the endpoint can make is taken away.
 */
export const cursorsAfter = (body: Body, lists: readonly CutList[], { args }: Asked): Body => {
  const own = Object.assign({}, ...lists.map((list) => cursorsOf(body, list))) as Body
  const paged = lists.find((list) => isPaged(body, list))
  if (paged && 'next_offset' in body && args.before_id === undefined)
    own.next_offset = nextRow(numberIn(body.offset), [paged])
  if (isObject(body.pagination) && 'next_start_row' in body.pagination)
    own.pagination = { ...body.pagination, next_start_row: nextRow(numberIn(body.pagination.start_row), lists) }
  if (paged && 'next_cursor' in body) own.next_cursor = undefined
  return own
}

/** Returns advice on how to get the rows of one list that were left out, by the parameters of the operation and of the call. */
const adviceFor = (body: Body, after: Body, { name, kept }: CutList, { tool, taken, args }: Asked): string => {
  const { beforeId } = namesOf(body, name)
  const goOn = (argument: string, value: unknown) => `Call ${tool} with ${argument} ${value}.`
  if (taken.has(beforeId) && after[beforeId] !== undefined && (args[beforeId] !== undefined || !taken.has('offset')))
    return goOn(beforeId, after[beforeId])
  if (taken.has('offset') && after.next_offset !== undefined) return goOn('offset', after.next_offset)
  const { next_start_row: startRow } = isObject(after.pagination) ? after.pagination : {}
  if (taken.has('start_row') && startRow !== undefined) return goOn('start_row', startRow)
  const place = args.cursor === undefined ? '' : ' and the same cursor'
  if (taken.has('cursor')) return `Call ${tool} with limit ${kept}${place}; its next_cursor goes on from there.`
  const fewer = ['limit', 'per_page'].find((argument) => taken.has(argument))
  return `Call ${tool} with narrower arguments${fewer === undefined ? '' : ` or a smaller ${fewer}`}.`
}

/** Returns advice on how to get what was left out of lists; lists that continue alike are named together. */
export const restOf = (body: Body, after: Body, lists: readonly CutList[], asked: Asked): string => {
  const names = new Map<string, string[]>()
  for (const list of lists) {
    const advice = adviceFor(body, after, list, asked)
    names.set(advice, [...(names.get(advice) ?? []), list.name])
  }
  return [...names].map(([advice, lost]) => `${lost.join(', ')}: ${advice}`).join(' ')
}
