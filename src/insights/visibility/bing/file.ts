import type { BingKind, BingRow } from '../../../../schema/values/bing.ts'
import { csvRows } from '../../../platform/lib/csv.ts'
import { type FieldError, invalidInput } from '../../../platform/lib/errors.ts'
import { isOfSite, pageKey, siteKey } from '../../../platform/lib/urls.ts'

/** Most characters of a file. */
export const MAX_FILE = 900_000
/** Most lines of a file below its first. */
const MAX_ROWS = 5_000

/** Columns that a file is recognized by, as Bing has named them, in lower case. */
const NAMES: Record<BingKind, readonly string[]> = {
  days: ['date', 'day'],
  queries: ['grounding query', 'grounding queries', 'query'],
  pages: ['page', 'cited page', 'url', 'page url'],
}
const CITATIONS = ['citations', 'total citations']

const KINDS = Object.keys(NAMES) as BingKind[]

/** Column of a file: its place, and its name as the file has it. */
type Column = { at: number; name: string }

/** Contents of a file. `ignored`: columns that are not used. */
export type BingFile = {
  kind: BingKind
  rows: BingRow[]
  columns: { name: string; citations: string }
  ignored: string[]
}

const findColumn = (head: readonly string[], names: readonly string[]): Column | undefined => {
  const at = head.findIndex((name) => names.includes(name.trim().toLowerCase().replaceAll(/\s+/g, ' ')))
  return at < 0 ? undefined : { at, name: head[at]?.trim() ?? '' }
}

const unknownFile = (head: readonly string[]): Error =>
  invalidInput([
    {
      field: 'file',
      message: `is no file of Bing's AI performance report: its first line needs a column Page, Grounding Query or Date, and a column Citations. It has: ${head.slice(0, 10).join(', ').slice(0, 300)}`,
    },
  ])

/** Whole number, with or without commas between thousands. */
const COUNT = /^(\d{1,9}|\d{1,3}(,\d{3}){1,2})$/
/** Day as 2026-10-31, with or without a time of day. */
const DAY = /^(\d{4}-\d\d-\d\d)([T ].*)?$/

const isDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day

/** Returns the name of a row as it is stored, or what is wrong with it. `site`: the project's site, as `siteKey` writes it. */
const nameOf = (kind: BingKind, given: string, site: string | undefined): { name: string } | { wrong: string } => {
  if (given === '') return { wrong: 'must not be empty' }
  if (given.length > 2048) return { wrong: 'must have at most 2048 characters' }
  if (kind === 'queries') return { name: given }
  if (kind === 'days') {
    const day = DAY.exec(given)?.[1] ?? ''
    return isDay(day) ? { name: day } : { wrong: 'must be a date as 2026-10-31' }
  }
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) return { wrong: 'must be an address with https://' }
  return site === undefined || isOfSite(pageKey(url), site) || siteKey(url).split('/')[0]?.endsWith(`.${site}`)
    ? { name: given }
    : { wrong: `must be a page of the project's site, ${site}` }
}

/**
 * Reads a file of Bing's AI performance report. Its kind and columns are found by the names in its first line.
 *
 * Throws 400 for an unknown file, and for a wrong cell with the line and the column. The first line is line 1; empty lines do not
 * count.
 */
export const readBingFile = (text: string, site: string | undefined): BingFile => {
  const [head = [], ...lines] = csvRows(text, { rows: MAX_ROWS + 2, cells: 50 })
  const kind = KINDS.find((one) => findColumn(head, NAMES[one]))
  const name = kind && findColumn(head, NAMES[kind])
  const citations = findColumn(head, CITATIONS)
  if (!kind || !name || !citations) throw unknownFile(head)
  if (lines.length === 0 || lines.length > MAX_ROWS)
    throw invalidInput([{ field: 'file', message: `needs 1 to ${MAX_ROWS} lines below its first` }])
  const wrong: FieldError[] = []
  const rows = lines.map((cells, n): BingRow => {
    const at = ({ name: column }: Column) => `line ${n + 2}, column ${column}`
    const found = nameOf(kind, cells[name.at]?.trim() ?? '', site)
    if ('wrong' in found) wrong.push({ field: at(name), message: found.wrong })
    const count = cells[citations.at]?.trim() ?? ''
    if (!COUNT.test(count)) wrong.push({ field: at(citations), message: 'must be a whole number' })
    return { name: 'name' in found ? found.name : '', citations: Number(count.replaceAll(',', '')) }
  })
  if (wrong.length > 0) throw invalidInput(wrong)
  const ignored = head.filter((one, n) => n !== name.at && n !== citations.at && one.trim() !== '')
  return {
    kind,
    rows,
    columns: { name: name.name, citations: citations.name },
    ignored: ignored.map((one) => one.trim()),
  }
}

/** First day of Bing's figures. */
const FIRST_DAY = '2025-11-01'

/** Returns the period of a file. Only the file by day has dates; of the others the caller gives them. Throws 400. */
export const periodOf = (
  { kind, rows }: BingFile,
  given: { from?: string | undefined; to?: string | undefined },
  today: string,
): { from: string; to: string } => {
  const days = rows.map(({ name }) => name).sort()
  const { from, to } = kind === 'days' ? { from: days[0], to: days.at(-1) } : given
  const wrong: FieldError[] = []
  if (kind === 'days' && (given.from !== undefined || given.to !== undefined))
    wrong.push({ field: given.from === undefined ? 'to' : 'from', message: 'must be left out: the file has the dates' })
  if (new Set(days).size < days.length && kind === 'days')
    wrong.push({ field: 'file', message: 'must have each day once' })
  for (const [field, day] of Object.entries({ from, to })) {
    if (day === undefined || !isDay(day))
      wrong.push({ field, message: 'must be a date as 2026-10-31: the file has none' })
    else if (day < FIRST_DAY || day > today)
      wrong.push({ field: kind === 'days' ? 'file' : field, message: `must have days from ${FIRST_DAY} to ${today}` })
  }
  if (wrong.length === 0 && (from ?? '') > (to ?? '')) wrong.push({ field: 'to', message: 'must not be before from' })
  if (wrong.length > 0 || from === undefined || to === undefined) throw invalidInput(wrong)
  return { from, to }
}
