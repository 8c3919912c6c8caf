import { articleOperations, type CreateBatchInput } from '../../../content/articles/operations.ts'
import type { articleRow } from '../../../content/articles/read.ts'
import { csvLine, csvRows } from '../../../platform/lib/csv.ts'

/** Most articles in one file, and in one batch. */
export const MOST_ROWS = 500
const PART = 50

/** Columns of an export. */
const EXPORTED = [
  'id',
  'keyword',
  'title',
  'status',
  'scheduled_date',
  'slug',
  'article_style',
  'external_ref',
  'url',
  'published',
  'changed',
] as const

/** Columns of an import. */
export const COLUMNS = [
  'keyword',
  'title',
  'scheduled_date',
  'status',
  'slug',
  'article_style',
  'category',
  'tags',
  'meta_description',
  'seo_title',
  'feature_image',
  'alt_text',
  'canonical_url',
  'instructions',
  'external_ref',
  'content',
] as const

/** Columns of an export that an import leaves out. */
const LEFT_OUT: readonly string[] = ['url', 'published', 'changed']

/** Returns articles as CSV, with a head. */
export const articlesFile = (rows: readonly ReturnType<typeof articleRow>[]): string =>
  [
    csvLine(EXPORTED),
    ...rows.map((row) =>
      csvLine([
        row.ID,
        row.MainKeyword,
        row.Title,
        row.Status,
        row.ScheduledAt,
        row.Slug,
        row.ArticleStyle,
        row.external_ref,
        row.Url,
        row.PublishedAt,
        row.UpdatedAt,
      ]),
    ),
  ].join('')

/** Fault of a file: of a row, by its number in the file, or of the whole. */
export type Wrong = { row?: number; text: string }

export type Read = { batches: CreateBatchInput[] } | { wrong: Wrong[] }

const nameOf = (head: string): string => {
  const name = head.trim().toLowerCase().replaceAll(/[ -]+/g, '_')
  return name === 'date' ? 'scheduled_date' : name
}

const wrongWith = (text: string): Read => ({ wrong: [{ text }] })

type Entry = Record<string, string>

/** Returns the fields of a row. An article with a date is planned, unless its row says otherwise. */
const entryOf = (names: readonly string[], cells: readonly string[]): Entry => {
  const given = names.flatMap((name, n) => {
    const value = cells[n]?.trim() ?? ''
    return value === '' || LEFT_OUT.includes(name) ? [] : [[name, value] as const]
  })
  const entry: Entry = Object.fromEntries(given)
  return entry.scheduled_date !== undefined && entry.status === undefined ? { ...entry, status: 'Planned' } : entry
}

/** Returns the wrong columns of a head, in words. */
const wrongHead = (names: readonly string[]): Wrong[] => {
  const known: readonly string[] = [...COLUMNS, ...LEFT_OUT, 'id']
  const unknown = names.filter((name) => name !== '' && !known.includes(name))
  const twice = names.filter((name, n) => name !== '' && names.indexOf(name) !== n)
  return [
    ...(names.includes('keyword') ? [] : [{ text: 'The first line names the columns. One of them must be keyword.' }]),
    ...unknown.map((name) => ({ text: `The column ${name} is not known. Known: ${COLUMNS.join(', ')}.` })),
    ...twice.map((name) => ({ text: `The column ${name} is there twice.` })),
  ]
}

const body = articleOperations.createBatch.json

/**
 * Reads a file of new articles. The whole file is refused if one row is wrong, so that it can be corrected and sent again.
 *
 * Rows have their number in the file: the first line, with the names, is row 1.
 */
export const readFile = (text: string, projectId: number): Read => {
  const [head, ...rows] = csvRows(text)
  if (!head || rows.length === 0) return wrongWith('The file has no rows below the names of the columns.')
  if (rows.length > MOST_ROWS) return wrongWith(`The file has ${rows.length} rows. At most ${MOST_ROWS} can be sent.`)
  const names = head.map(nameOf)
  const heads = wrongHead(names)
  if (heads.length > 0) return { wrong: heads }
  const entries = rows.map((cells) => entryOf(names, cells))
  const wrong = entries.flatMap((entry, n): Wrong[] =>
    entry.id === undefined
      ? []
      : [{ row: n + 2, text: 'It has an id, so the article exists already. Remove the row.' }],
  )
  const batches: CreateBatchInput[] = []
  for (let from = 0; from < entries.length; from += PART) {
    const read = body.safeParse({ project_id: projectId, articles: entries.slice(from, from + PART) })
    if (read.success) batches.push(read.data)
    else
      wrong.push(
        ...read.error.issues.map(({ path: [, n, field], message }) => ({
          row: from + Number(n) + 2,
          text: `${String(field)} ${message}.`,
        })),
      )
  }
  return wrong.length > 0 ? { wrong: wrong.sort((one, other) => (one.row ?? 0) - (other.row ?? 0)) } : { batches }
}

/** Returns the number in the file of an article of a batch. */
export const rowOf = (batch: number, position: number): number => batch * PART + position + 2
