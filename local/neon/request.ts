import type { IncomingHttpHeaders } from 'node:http'
import type { Statement, Work } from './backend.ts'

export type SqlRequest = { work: Work; batch: boolean }

/** A request that is refused before any SQL runs. */
export class RequestError extends Error {}

/**
 * Headers that must be true. Neon's driver requests rows as arrays of PostgreSQL's own texts and parses them; nothing
 * else is served.
 */
const REQUIRED = ['neon-raw-text-output', 'neon-array-mode']

const checkHeaders = (headers: IncomingHttpHeaders): void => {
  if (!headers['neon-connection-string']) throw new RequestError('missing header: Neon-Connection-String')
  const missing = REQUIRED.find((name) => headers[name] !== 'true')
  if (missing) throw new RequestError(`this local Neon asks for ${missing}: true`)
  const unknown = Object.keys(headers).find((name) => name.startsWith('neon-batch-') && headers[name] !== 'false')
  if (unknown) throw new RequestError(`this local Neon does not serve ${unknown}`)
}

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw new RequestError('the body is not JSON')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const parseQuery = (value: unknown): Statement => {
  if (!isObject(value) || typeof value.query !== 'string') throw new RequestError('missing field `query`')
  const params: unknown = value.params ?? []
  if (!Array.isArray(params)) throw new RequestError('`params` is not an array')
  if (params.some((param) => param !== null && typeof param !== 'string'))
    throw new RequestError('`params` are texts or null')
  return { query: value.query, params }
}

/** Reads a POST /sql: one query, or `queries` as one transaction. Throws RequestError for a malformed request. */
export const parseRequest = (headers: IncomingHttpHeaders, body: string): SqlRequest => {
  checkHeaders(headers)
  const given = parseJson(body)
  if (!isObject(given) || given.queries === undefined)
    return { work: { statements: [parseQuery(given)] }, batch: false }
  if (!Array.isArray(given.queries)) throw new RequestError('`queries` is not an array')
  return { work: { statements: given.queries.map(parseQuery), begin: 'BEGIN' }, batch: true }
}
