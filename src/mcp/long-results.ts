/** Call that returned a list: its arguments, and the parameters that its query accepts. */
type Asked = { tool: string; taken: ReadonlySet<string>; args: Readonly<Record<string, unknown>> }

/** List that was shortened: its name, all its rows, and how many of them are kept. */
type CutList = { name: string; rows: readonly unknown[]; kept: number }

const ID_NAMES = ['ID', 'id', 'post_id']

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the id of row `n` for use as the list's cursor.
 *
 * The id's field is the one whose value in the last row equals the answer's own cursor.
 */
const idOf = (rows: readonly unknown[], n: number, cursor: unknown): unknown => {
  const [row, last] = [rows[n], rows.at(-1)]
  if (!isObject(row) || !isObject(last)) return undefined
  const name = ID_NAMES.find((one) => typeof cursor === 'number' && last[one] === cursor)
  return row[name ?? ID_NAMES.find((one) => typeof row[one] === 'number') ?? '']
}

/**
 * Returns the names of a list's count and cursor: `before_id`, or `earned_before_id` if the answer has several lists.
 */
const namesOf = (body: Body, list: string) => {
  const prefix = `${list}_count` in body ? `${list}_` : ''
  return { count: `${prefix}count`, beforeId: `${prefix}before_id` }
}

/** True if the answer's count and cursor belong to this list. */
const isPaged = (body: Body, { name, rows }: CutList): boolean =>
  name !== 'ignored' && body[namesOf(body, name).count] === rows.length

/** Returns the count and cursor of one list for its kept rows. */
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

/** Returns the next start row of lists that are paged together: the first row that any of them lost. */
const nextRow = (start: number, lists: readonly CutList[]): number => start + Math.min(...lists.map(({ kept }) => kept))

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0)

/**
 * Returns the paging fields of an answer for its kept rows, so that no page skips rows that were left out.
 *
 * `next_cursor` is removed, because only the endpoint can make one.
 */
const cursorsAfter = (body: Body, lists: readonly CutList[], { args }: Asked): Body => {
  const own = Object.assign({}, ...lists.map((list) => cursorsOf(body, list))) as Body
  const paged = lists.find((list) => isPaged(body, list))
  if (paged && 'next_offset' in body && args.before_id === undefined)
    own.next_offset = nextRow(numberIn(body.offset), [paged])
  if (isObject(body.pagination) && 'next_start_row' in body.pagination)
    own.pagination = { ...body.pagination, next_start_row: nextRow(numberIn(body.pagination.start_row), lists) }
  if (paged && 'next_cursor' in body) own.next_cursor = undefined
  return own
}

/** Returns advice on how to get the rows left out of one list, by the parameters of the operation and the call. */
const adviceFor = (body: Body, after: Body, { name, kept }: CutList, { tool, taken, args }: Asked): string => {
  const { beforeId } = namesOf(body, name)
  const goOn = (argument: string, value: unknown) => `Call ${tool} with ${argument} ${value}.`
  if (taken.has(beforeId) && after[beforeId] !== undefined && (args[beforeId] !== undefined || !taken.has('offset')))
    return goOn(beforeId, after[beforeId])
  if (taken.has('offset') && after.next_offset !== undefined) return goOn('offset', after.next_offset)
  const { next_start_row: startRow } = isObject(after.pagination) ? after.pagination : {}
  if (taken.has('start_row') && startRow !== undefined) return goOn('start_row', startRow)
  const place = args.cursor === undefined ? '' : ' and the same cursor'
  if (taken.has('cursor')) return `Call ${tool} with limit ${kept}${place}; its next_cursor continues from there.`
  const fewer = ['limit', 'per_page'].find((argument) => taken.has(argument))
  return `Call ${tool} with narrower arguments${fewer === undefined ? '' : ` or a smaller ${fewer}`}.`
}

/** Returns advice on how to get the rows left out of all lists. Lists with the same advice are named together. */
const restOf = (body: Body, after: Body, lists: readonly CutList[], asked: Asked): string => {
  const names = new Map<string, string[]>()
  for (const list of lists) {
    const advice = adviceFor(body, after, list, asked)
    names.set(advice, [...(names.get(advice) ?? []), list.name])
  }
  return [...names].map(([advice, lost]) => `${lost.join(', ')}: ${advice}`).join(' ')
}

/** Maximum length of a result in characters of JSON: about 10,000 tokens. */
const MAX_CHARACTERS = 40_000

/** Characters reserved for the note on a shortened result. */
const RESERVED = 600

/** Note on a shortened result. */
type Cut = { total: number; returned: number; truncated: boolean; rest?: string }

type Body = Record<string, unknown>

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** Returns a start of a text that fits in `room` characters of JSON. It never ends with half of a surrogate pair. */
const headOf = (text: string, room: number): string => {
  let end = Math.min(text.length, Math.max(0, room))
  while (end > 0 && lengthOf(text.slice(0, end)) > room) end = Math.floor(end * 0.9)
  return /[\uD800-\uDBFF]$/.test(text.slice(0, end)) ? text.slice(0, end - 1) : text.slice(0, end)
}

/** Returns an answer with its long text from an offset on, as much as fits, and a note on the rest. */
export const textFrom = (body: Body, field: string, offset: number, tool: string): Body => {
  const text = body[field]
  if (typeof text !== 'string' || (offset === 0 && lengthOf(body) <= MAX_CHARACTERS)) return body
  const room = MAX_CHARACTERS - RESERVED - lengthOf({ ...body, [field]: '' })
  const shown = headOf(text.slice(offset), room)
  const next = offset + shown.length
  const cut: Cut = {
    total: text.length,
    returned: shown.length,
    truncated: next < text.length,
    ...(next < text.length ? { rest: `${field} goes on: call ${tool} with content_offset ${next}.` } : {}),
  }
  return { ...body, [field]: shown, ...cut }
}

/** Returns an answer without one field in the rows of its lists. */
export const rowsWithout = (body: Body, field: string): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((row: unknown) => {
            if (typeof row !== 'object' || row === null) return row
            const { [field]: _, ...rest } = row as Body
            return rest
          })
        : value,
    ]),
  )

const listsIn = (body: Body): [string, unknown[]][] =>
  Object.entries(body).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 1)

/** Returns the first rows that fit in `room` characters, at least one. */
const rowsWithin = (rows: readonly unknown[], room: number): unknown[] => {
  let size = 2
  const fitting = rows.findIndex((row) => {
    size += lengthOf(row) + 1
    return size > room
  })
  return rows.slice(0, fitting < 0 ? rows.length : Math.max(1, fitting))
}

/**
 * Returns the lists that must be shortened to fit in `room` together, with the number of rows each keeps.
 *
 * Short lists keep all their rows and leave more room to the others.
 */
const sharedOut = (lists: readonly [string, unknown[]][], room: number): CutList[] => {
  let left = room
  return [...lists]
    .sort(([, a], [, b]) => lengthOf(a) - lengthOf(b))
    .flatMap(([name, rows], n) => {
      const kept = rowsWithin(rows, left / (lists.length - n))
      left -= lengthOf(kept)
      return kept.length < rows.length ? [{ name, rows, kept: kept.length }] : []
    })
}

type Sizes = { text: number; items: number }

/** Shortens every text and every list within a value. Other values stay. */
const shortened = (value: unknown, to: Sizes): unknown => {
  if (typeof value === 'string') return value.length > to.text ? `${headOf(value, to.text)}…` : value
  if (Array.isArray(value)) return value.slice(0, to.items).map((one) => shortened(one, to))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one, to)]))
  return value
}

const [SHORT_TEXT, LONG_LIST] = [100, 256]

/** Yields smaller and smaller maximum sizes, first for texts, then for lists. */
function* everShorter(): Generator<Sizes> {
  for (let text = MAX_CHARACTERS / 2; text >= SHORT_TEXT; text /= 2) yield { text, items: Number.POSITIVE_INFINITY }
  for (let items = LONG_LIST; items >= 1; items /= 2) yield { text: SHORT_TEXT, items }
}

const CUT_TEXTS = 'Texts that end in … were cut'

/** Returns the note on shortened texts. It is added to an existing note on rows that were left out. */
const cutOfTexts = (body: Body, { items }: Sizes, returned: number): Body => {
  const lists = items === Number.POSITIVE_INFINITY ? '' : `, and lists have at most ${items} items`
  if (body.truncated === true) return { rest: `${body.rest} ${CUT_TEXTS}${lists}.` }
  const rest = `${CUT_TEXTS}${lists} (total and returned count characters). Read the whole with the API.`
  return { total: lengthOf(body), returned, truncated: true, rest }
}

/**
 * Returns an answer with texts, and then lists, shortened until it fits. If that does not help, only plain values are
 * kept.
 */
const withShortTexts = (body: Body): Body => {
  for (const sizes of everShorter()) {
    const cut = shortened(body, sizes) as Body
    if (lengthOf(cut) <= MAX_CHARACTERS - RESERVED) return { ...cut, ...cutOfTexts(body, sizes, lengthOf(cut)) }
  }
  const scalars = Object.entries(body).filter(([, value]) => typeof value !== 'object' || value === null)
  const kept = shortened(Object.fromEntries(scalars), { text: SHORT_TEXT, items: 0 }) as Body
  const rest = 'The answer is too long for a tool. Read it with the API.'
  return { ...kept, total: lengthOf(body), returned: lengthOf(kept), truncated: true, rest }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** Returns an answer with fewer rows in its long lists, and with paging fields for the kept rows. */
const withFewerRows = (body: Body, asked: Asked): Body => {
  const all = listsIn(body)
  const without = { ...body, ...Object.fromEntries(all.map(([name]) => [name, []])) }
  const lists = sharedOut(all, MAX_CHARACTERS - RESERVED - lengthOf(without))
  if (lists.length === 0) return body
  const after = cursorsAfter(body, lists, asked)
  const cut: Cut = {
    total: typeof body.total === 'number' ? body.total : sum(lists.map(({ rows }) => rows.length)),
    returned: sum(lists.map(({ kept }) => kept)),
    truncated: true,
    rest: restOf(body, after, lists, asked),
  }
  const rows = Object.fromEntries(lists.map(({ name, rows: given, kept }) => [name, given.slice(0, kept)]))
  return { ...body, ...rows, ...after, ...cut }
}

/**
 * Returns an answer that fits into the maximum length: rows are left out first, then texts are shortened. A note says
 * so.
 */
export const truncateToFit = (body: Body, asked: Asked): Body => {
  if (lengthOf(body) <= MAX_CHARACTERS) return body
  const result = withFewerRows(body, asked)
  return lengthOf(result) <= MAX_CHARACTERS ? result : withShortTexts(result)
}
