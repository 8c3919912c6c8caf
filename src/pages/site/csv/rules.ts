import { readEntries, type Wrong } from '../../../content/articles/csv.ts'
import { articleOperations, type CreateBatchInput } from '../../../content/articles/operations.ts'

/** Most articles in one file, and in one batch. */
export const MOST_ROWS = 500
const PART = 50

export type Read = { batches: CreateBatchInput[] } | { wrong: Wrong[] }

const body = articleOperations.createBatch.json

/**
 * Reads a file of new articles. The whole file is refused if one row is wrong, so that it can be corrected and sent again.
 *
 * Rows have their number in the file: the first line, with the names, is row 1.
 */
export const readFile = (text: string, projectId: number): Read => {
  const given = readEntries(text, MOST_ROWS)
  if ('wrong' in given) return given
  const batches: CreateBatchInput[] = []
  const wrong: Wrong[] = []
  for (let from = 0; from < given.entries.length; from += PART) {
    const read = body.safeParse({ project_id: projectId, articles: given.entries.slice(from, from + PART) })
    if (read.success) batches.push(read.data)
    else
      wrong.push(
        ...read.error.issues.map(({ path: [, n, field], message }) => ({
          row: from + Number(n) + 2,
          text: `${String(field)} ${message}.`,
        })),
      )
  }
  return wrong.length > 0 ? { wrong } : { batches }
}

/** Returns the number in the file of an article of a batch. */
export const rowOf = (batch: number, position: number): number => batch * PART + position + 2
