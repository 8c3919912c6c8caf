/** Beginnings that spreadsheets would run as a formula. Such a text gets an apostrophe in front, which they do not show. */
const FORMULA = /^[=+\-@\t\r]/
/** A text that was written with such an apostrophe. */
const GUARDED = /^'(?=[=+\-@\t\r])/

const cell = (value: string | number | null): string => {
  if (typeof value === 'number') return String(value)
  const text = value !== null && FORMULA.test(value) ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a line of CSV (RFC 4180). Texts of others cannot become a formula. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`

/** Longest part of the first line that is read to find the separator. */
const HEAD_LENGTH = 10_000

/** Returns the character between cells, by the first line: spreadsheets write commas, semicolons or tabs. */
const separatorOf = (text: string): string => {
  const [line = ''] = text.slice(0, HEAD_LENGTH).split(/[\r\n]/, 1)
  const counts = [',', ';', '\t'].map((one) => [one, line.split(one).length] as const)
  return counts.reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

/** Returns the index of the quote that ends a cell; -1 if it is never closed. Doubled quotes belong to the cell. */
const endOfQuoted = (text: string, from: number): number => {
  let end = text.indexOf('"', from + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end
}

/** Returns the cell that begins at an index, and the index after it. */
const cellAt = (text: string, from: number, separator: string): { value: string; to: number } => {
  const end = text[from] === '"' ? endOfQuoted(text, from) : -1
  let to = Math.max(from, end + 1)
  while (to < text.length && text[to] !== separator && text[to] !== '\n' && text[to] !== '\r') to += 1
  return { value: end < 0 ? text.slice(from, to) : text.slice(from + 1, end).replaceAll('""', '"'), to }
}

/**
 * Returns the rows of a CSV text, of a spreadsheet or of `csvLine`. Empty lines are left out.
 *
 * The apostrophe in front of what would be a formula is removed, so that a file that was written here is read as it was.
 * `most`: rows after which it stops, and cells of a row that it keeps, so that a file of separators needs little memory.
 */
export const csvRows = (given: string, most: { rows: number; cells: number }): string[][] => {
  const text = given.replace(/^\uFEFF/, '')
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length && rows.length < most.rows; ) {
    const { value, to } = cellAt(text, at, separator)
    if (row.length < most.cells) row.push(value.replace(GUARDED, ''))
    at = to
    if (text[at] === separator && at + 1 < text.length) {
      at += 1
      continue
    }
    if (text[at] === separator) row.push('')
    if (row.some((one) => one.trim() !== '')) rows.push(row)
    row = []
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
  return rows
}
