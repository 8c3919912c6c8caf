import type { IncomingHttpHeaders } from 'node:http'
import type { Statement, Work } from './backend.ts'
import { toParam } from './text-values.ts'

/** How one result is written: rows as arrays or as objects, values as PostgreSQL text or as JSON. */
export type RowFormat = { asArray: boolean; rawText: boolean }

export type SqlRequest = { work: Work; formats: RowFormat[]; batch: boolean }

/** A request that is refused before any SQL runs. */
export class RequestError extends Error {}

const isolationLevels = new Map([
  ['Serializable', 'SERIALIZABLE'],
  ['ReadUncommitted', 'READ UNCOMMITTED'],
  ['ReadCommitted', 'READ COMMITTED'],
  ['RepeatableRead', 'REPEATABLE READ'],
])

const beginCommand = (headers: IncomingHttpHeaders): string => {
  let command = 'BEGIN'
  const isolation = headers['neon-batch-isolation-level']
  if (isolation !== undefined) {
    const level = isolationLevels.get(String(isolation))
    if (!level) throw new RequestError('invalid isolation level')
    command += ` ISOLATION LEVEL ${level}`
  }
  if (headers['neon-batch-read-only'] === 'true') command += ' READ ONLY'
  if (headers['neon-batch-deferrable'] === 'true') command += ' DEFERRABLE'
  return command
}

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw new RequestError('the body is not JSON')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

type Query = { statement: Statement; arrayMode: boolean | undefined }

const parseQuery = (value: unknown): Query => {
  if (!isObject(value) || typeof value.query !== 'string') throw new RequestError('missing field `query`')
  const params = value.params ?? []
  if (!Array.isArray(params)) throw new RequestError('`params` is not an array')
  const arrayMode = typeof value.arrayMode === 'boolean' ? value.arrayMode : undefined
  return { statement: { query: value.query, params: params.map(toParam) }, arrayMode }
}

/** What a POST /sql asks for: one query, or `queries` as one transaction. Throws RequestError for a malformed request. */
export const parseRequest = (headers: IncomingHttpHeaders, body: string): SqlRequest => {
  if (!headers['neon-connection-string']) throw new RequestError('missing header: Neon-Connection-String')
  const given = parseJson(body)
  const batch = isObject(given) && given.queries !== undefined
  if (batch && !Array.isArray(given.queries)) throw new RequestError('`queries` is not an array')
  const queries = batch && Array.isArray(given.queries) ? given.queries.map(parseQuery) : [parseQuery(given)]
  const rawText = headers['neon-raw-text-output'] === 'true'
  const asArray = headers['neon-array-mode'] === 'true'
  const statements = queries.map(({ statement }) => statement)
  return {
    work: batch ? { statements, begin: beginCommand(headers) } : { statements },
    formats: queries.map(({ arrayMode }) => ({ asArray: arrayMode ?? asArray, rawText })),
    batch,
  }
}
