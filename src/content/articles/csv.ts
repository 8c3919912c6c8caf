import { csvLine, csvRows } from '../../platform/lib/csv.ts'
import { type FieldError, invalidInput } from '../../platform/lib/errors.ts'

/** Columns of an export, each with the field of an article in lists. */
const EXPORTED = {
  id: 'ID',
  keyword: 'MainKeyword',
  title: 'Title',
  status: 'Status',
  scheduled_date: 'ScheduledAt',
  slug: 'Slug',
  article_style: 'ArticleStyle',
  external_ref: 'external_ref',
  url: 'Url',
  published: 'PublishedAt',
  changed: 'UpdatedAt',
} as const

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

type Exported = Record<(typeof EXPORTED)[keyof typeof EXPORTED], string | number | null>

/** Returns articles, as lists show them, as CSV with a head. */
export const articlesFile = (rows: readonly Exported[]): string =>
  [
    csvLine(Object.keys(EXPORTED)),
    ...rows.map((row) => csvLine(Object.values(EXPORTED).map((field) => row[field]))),
  ].join('')

/** Fault of a file: of a row, by its number in the file (the head is row 1), or of a column, or of the whole. */
export type Wrong = { row?: number; column?: string; text: string }

/** Fields of a new article, as its row gives them. */
export type Entry = Readonly<Record<string, string>>

const nameOf = (head: string): string => {
  const name = head.trim().toLowerCase().replaceAll(/[ -]+/g, '_')
  return name === 'date' ? 'scheduled_date' : name
}

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
    ...(names.includes('keyword')
      ? []
      : [{ column: 'keyword', text: 'The first line names the columns. One of them must be keyword.' }]),
    ...unknown.map((name) => ({
      column: name,
      text: `The column ${name} is not known. Known: ${COLUMNS.join(', ')}.`,
    })),
    ...twice.map((name) => ({ column: name, text: `The column ${name} is there twice.` })),
  ]
}

/** Returns what is wrong with a row, apart from the values of its fields. */
const wrongRow = (names: readonly string[], cells: readonly string[]): string | undefined => {
  if (cells.slice(names.length).some((cell) => cell.trim() !== ''))
    return 'It has more cells than the first line. Put a text with a separator into quotes.'
  const id = names.indexOf('id')
  return id >= 0 && (cells[id]?.trim() ?? '') !== ''
    ? 'It has an id, so the article exists already. Remove the row.'
    : undefined
}

/** Reads a file of new articles: one for each row, or everything that is wrong with the file. */
export const readEntries = (text: string, mostRows: number): { entries: Entry[] } | { wrong: Wrong[] } => {
  const [head, ...rows] = csvRows(text, { rows: mostRows + 2, cells: 2 * COLUMNS.length })
  if (!head || rows.length === 0) return { wrong: [{ text: 'The file has no rows below the names of the columns.' }] }
  if (rows.length > mostRows)
    return { wrong: [{ text: `The file has too many rows. At most ${mostRows} can be sent.` }] }
  const names = head.map(nameOf)
  const heads = wrongHead(names)
  if (heads.length > 0) return { wrong: heads }
  const wrong = rows.flatMap((cells, n): Wrong[] => {
    const fault = wrongRow(names, cells)
    return fault === undefined ? [] : [{ row: n + 2, text: fault }]
  })
  return wrong.length > 0 ? { wrong } : { entries: rows.map((cells) => entryOf(names, cells)) }
}

const detailOf = ({ row, column, text }: Wrong): FieldError => ({
  field: row === undefined ? (column ?? 'body') : `row ${row}`,
  message: text,
})

/** Returns the articles of a file for the API. Throws 400 with the rows and columns that are wrong. */
export const entriesIn = (text: string, mostRows: number): Entry[] => {
  const read = readEntries(text, mostRows)
  if ('wrong' in read) throw invalidInput(read.wrong.map(detailOf))
  return read.entries
}
