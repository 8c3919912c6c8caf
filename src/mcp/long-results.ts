/** The longest result handed to a model, characters of JSON: some 10,000 tokens. */
const MAX_CHARACTERS = 40_000

/** What a cut result says beside what is left of it. */
type Cut = { total: number; returned: number; truncated: boolean; rest?: string }

type Body = Record<string, unknown>

const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** As much of a text as fits in `room` characters of JSON, never half of a surrogate pair. */
const headOf = (text: string, room: number): string => {
  let end = Math.min(text.length, Math.max(0, room))
  while (end > 0 && lengthOf(text.slice(0, end)) > room) end = Math.floor(end * 0.9)
  return /[\uD800-\uDBFF]$/.test(text.slice(0, end)) ? text.slice(0, end - 1) : text.slice(0, end)
}

/** The long text of an answer from an offset on, as much as fits, with what is left of it. */
export const textFrom = (body: Body, field: string, offset: number, tool: string): Body => {
  const text = body[field]
  if (typeof text !== 'string' || (offset === 0 && lengthOf(body) <= MAX_CHARACTERS)) return body
  const room = MAX_CHARACTERS - lengthOf({ ...body, [field]: '' })
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

/** How to get the rows that were left out, by what the operation takes. */
const restOfRows = (tool: string, taken: ReadonlySet<string>, given: number, returned: number): string => {
  if (taken.has('offset')) return `Call ${tool} with offset ${given + returned}.`
  if (taken.has('start_row')) return `Call ${tool} with start_row ${given + returned}.`
  return `Call ${tool} with narrower arguments${taken.has('limit') ? ' or a smaller limit' : ''}.`
}

/** An answer whose rows are without a field. */
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

const largestList = (body: Body): [string, unknown[]] | undefined =>
  Object.entries(body)
    .filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 1)
    .sort(([, a], [, b]) => lengthOf(b) - lengthOf(a))[0]

/** The first rows that fit in `room` characters; one at least. */
const rowsWithin = (rows: readonly unknown[], room: number): unknown[] => {
  let size = 2
  const fitting = rows.findIndex((row) => {
    size += lengthOf(row) + 1
    return size > room
  })
  return rows.slice(0, fitting < 0 ? rows.length : Math.max(1, fitting))
}

/** Shortens every text within a value to `length` characters. */
const shortened = (value: unknown, length: number): unknown => {
  if (typeof value === 'string') return value.length > length ? `${headOf(value, length)}…` : value
  if (Array.isArray(value)) return value.map((one) => shortened(one, length))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one, length)]))
  return value
}

/** Texts cut ever shorter until the whole fits. */
const withShortTexts = (body: Body): Body => {
  const total = lengthOf(body)
  for (let length = MAX_CHARACTERS / 2; length >= 100; length /= 2) {
    const cut = shortened(body, length) as Body
    if (lengthOf(cut) <= MAX_CHARACTERS)
      return {
        ...cut,
        total,
        returned: lengthOf(cut),
        truncated: true,
        rest: 'Texts that end in … were cut (total and returned count characters). Read the whole with the API.',
      }
  }
  return { total, returned: 0, truncated: true, rest: 'The answer is too long for a tool. Read it with the API.' }
}

/** A result that fits: rows that are too many are left out, texts that are too long are cut, and it says so. */
export const cutToFit = (
  body: Body,
  { tool, taken, offset }: { tool: string; taken: ReadonlySet<string>; offset: number },
): Body => {
  if (lengthOf(body) <= MAX_CHARACTERS) return body
  const list = largestList(body)
  if (!list) return withShortTexts(body)
  const [name, rows] = list
  const kept = rowsWithin(rows, MAX_CHARACTERS - lengthOf({ ...body, [name]: [] }) - 300)
  const cut: Cut = {
    total: rows.length,
    returned: kept.length,
    truncated: true,
    rest: `${name}: ${restOfRows(tool, taken, offset, kept.length)}`,
  }
  const result = { ...body, [name]: kept, ...cut }
  return lengthOf(result) <= MAX_CHARACTERS ? result : withShortTexts(result)
}
