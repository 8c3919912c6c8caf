import { type Asked, type CutList, cursorsAfter, restOf } from './cursors.ts'

/** The longest result handed to a model, characters of JSON: some 10,000 tokens. */
const MAX_CHARACTERS = 40_000

/** Room for what a cut result says of itself. */
const RESERVED = 600

/** Note beside a shortened result. */
type Cut = { total: number; returned: number; truncated: boolean; rest?: string }

type Body = Record<string, unknown>

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** As much of a text as fits in `room` characters of JSON, never half of a surrogate pair. */
const headOf = (text: string, room: number): string => {
  let end = Math.min(text.length, Math.max(0, room))
  while (end > 0 && lengthOf(text.slice(0, end)) > room) end = Math.floor(end * 0.9)
  return /[\uD800-\uDBFF]$/.test(text.slice(0, end)) ? text.slice(0, end - 1) : text.slice(0, end)
}

/** Returns the long text of an answer from an offset on, as much as fits, with what is left of it. */
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

/** Returns an answer whose rows are without a field. */
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

/** Returns the first rows that fit in `room` characters; one at least. */
const rowsWithin = (rows: readonly unknown[], room: number): unknown[] => {
  let size = 2
  const fitting = rows.findIndex((row) => {
    size += lengthOf(row) + 1
    return size > room
  })
  return rows.slice(0, fitting < 0 ? rows.length : Math.max(1, fitting))
}

/** Returns the rows that each list keeps when they share `room`: short lists keep all, and leave more to the others. */
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

/** Shortens every text and every list within a value; keeps all that is neither. */
const shortened = (value: unknown, to: Sizes): unknown => {
  if (typeof value === 'string') return value.length > to.text ? `${headOf(value, to.text)}…` : value
  if (Array.isArray(value)) return value.slice(0, to.items).map((one) => shortened(one, to))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one, to)]))
  return value
}

const [SHORT_TEXT, LONG_LIST] = [100, 256]

/** Yields ever smaller sizes for texts, then for lists, until all fits. */
function* everShorter(): Generator<Sizes> {
  for (let text = MAX_CHARACTERS / 2; text >= SHORT_TEXT; text /= 2) yield { text, items: Number.POSITIVE_INFINITY }
  for (let items = LONG_LIST; items >= 1; items /= 2) yield { text: SHORT_TEXT, items }
}

const CUT_TEXTS = 'Texts that end in … were cut'

/** Returns the note of an answer whose texts were shortened, beside the note on rows that were left out. */
const cutOfTexts = (body: Body, { items }: Sizes, returned: number): Body => {
  const lists = items === Number.POSITIVE_INFINITY ? '' : `, and lists have at most ${items} items`
  if (body.truncated === true) return { rest: `${body.rest} ${CUT_TEXTS}${lists}.` }
  const rest = `${CUT_TEXTS}${lists} (total and returned count characters). Read the whole with the API.`
  return { total: lengthOf(body), returned, truncated: true, rest }
}

/** Texts cut ever shorter, then lists within rows, until the whole fits. */
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

/** Leaves rows out of the lists that have too many, with cursors that follow from what is kept. */
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

/** Returns a result that fits: rows that are too many are left out, texts that are too long are cut, and it says so. */
export const cutToFit = (body: Body, asked: Asked): Body => {
  if (lengthOf(body) <= MAX_CHARACTERS) return body
  const result = withFewerRows(body, asked)
  return lengthOf(result) <= MAX_CHARACTERS ? result : withShortTexts(result)
}
