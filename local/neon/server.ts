import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createFaults } from '../faults.ts'
import { type Loopback, serveLoopback } from '../loopback.ts'
import { type Answer, BodyTooLarge, json, readBody, send, settle } from '../receiver/answers.ts'
import { faultDelayMs, outcomeLater } from '../receiver/fault-outcome.ts'
import { type Backend, errorFields, SqlError, type Statement, type StatementResult, type Work } from './backend.ts'

type SqlRequest = { work: Work; batch: boolean }

/** A request that is refused before any SQL runs. */
class RequestError extends Error {}

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
const parseRequest = (headers: IncomingHttpHeaders, body: string): SqlRequest => {
  checkHeaders(headers)
  const given = parseJson(body)
  if (!isObject(given) || given.queries === undefined)
    return { work: { statements: [parseQuery(given)] }, batch: false }
  if (!Array.isArray(given.queries)) throw new RequestError('`queries` is not an array')
  return { work: { statements: given.queries.map(parseQuery), begin: 'BEGIN' }, batch: true }
}

/** Returns a refusal in Neon's form. */
const refusal = (status: number, message: string): Answer => json(status, { message })

/** Returns the count of a command tag: "INSERT 0 2" has it third, "UPDATE 2" second, "CREATE TABLE" has none. */
const rowCount = (tag: string): number | null => {
  const words = tag.split(' ')
  const count = words[0] === 'INSERT' ? words[2] : words[1]
  return count !== undefined && /^\d+$/.test(count) ? Number(count) : null
}

const resultJson = ({ fields, rows, tag }: StatementResult) => ({
  fields,
  rows,
  command: tag.split(' ', 1)[0],
  rowCount: rowCount(tag),
  rowAsArray: true,
})

/** Returns the answer to a request whose statements all succeeded. */
const answerResults = ({ batch }: SqlRequest, results: readonly StatementResult[]): Answer => {
  const written = results.map(resultJson)
  return json(200, batch ? { results: written } : written[0])
}

/**
 * Returns Neon's answer if its connection to the database broke: 400 with the fields of the database's last words. Without
 * such words, code and severity are empty (neondatabase/neon, proxy/src/serverless/sql_over_http.rs).
 */
const lost = (error: unknown, message: string): Answer => {
  const { severity } = error as { severity?: unknown }
  const reported = (severity === undefined ? { code: '', severity: '' } : error) as Record<string, unknown>
  return json(400, { message, ...Object.fromEntries(errorFields.map((field) => [field, reported[field] ?? null])) })
}

/** Returns 400 for errors of the client, its SQL or a lost connection, with every field of the database's error; 500 if it is not there. */
export const answerError = (error: unknown): Answer => {
  if (error instanceof SqlError) {
    const fields = errorFields.map((field) => [field, error.fields[field] ?? null])
    return json(400, { message: error.message, ...Object.fromEntries(fields) })
  }
  if (error instanceof RequestError) return refusal(400, error.message)
  if (error instanceof SyntaxError) return refusal(400, 'the body is not JSON')
  if (error instanceof BodyTooLarge) return refusal(413, error.message)
  // A refused connection to a host with two addresses has an empty message and only a code.
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) }
  return code === 'ECONNREFUSED' ? refusal(500, message || code) : lost(error, message)
}

/** Neon's limit on a request and on an answer. */
export const MAX_SQL_BYTES = 64 * 1024 * 1024

/** Fails as PostgreSQL does when its client is gone: the transaction is undone. */
const BREAK = { query: 'select 1 / 0', params: [] }

/** Returns a transaction up to the statement where the connection breaks. Other work is unchanged. */
const cutAfter = (work: Work, count: number | undefined): Work =>
  count === undefined || !work.begin || count >= work.statements.length
    ? work
    : { ...work, statements: [...work.statements.slice(0, count), BREAK] }

/** Answers a request to Neon's endpoint. `cut`: the connection breaks after so many statements of a transaction. */
export const answerSql = async (
  backend: Backend,
  req: IncomingMessage,
  body: string,
  cut?: number,
): Promise<Answer> => {
  if (!req.url?.startsWith('/sql')) return refusal(404, 'not found')
  if (req.method !== 'POST') return refusal(405, 'method not allowed')
  try {
    const request = parseRequest(req.headers, body)
    return answerResults(request, await backend.run(cutAfter(request.work, cut)))
  } catch (error) {
    return answerError(error)
  }
}

/** Sends an answer, or closes the connection if the transaction was cut. */
const answerUnlessCut = (res: ServerResponse, answer: Answer): Promise<void> | void =>
  answer.status < 400 ? send(res, answer) : void res.destroy()

/** Serves `backend` as Neon's SQL-over-HTTP endpoint, POST /sql, on 127.0.0.1. The caller closes the backend. */
export const startNeon = async ({ port, backend }: { port: number; backend: Backend }): Promise<Loopback> => {
  const faults = createFaults()
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const arrivedMs = performance.now()
    const body = (await readBody(req, MAX_SQL_BYTES)).toString('utf8')
    if (faults.control(req, res, body)) return
    const fault = faults.take(req.url ?? '/', body)
    const run = () => answerSql(backend, req, body, fault?.cut)
    // Almost every request: it needs no timer and no extra turn of the event loop.
    if (!fault) return send(res, await run())
    if (fault.hold) await fault.gone
    if (fault.cut !== undefined) return await answerUnlessCut(res, await run())
    await settle(res, await outcomeLater(fault, run), arrivedMs + faultDelayMs(fault))
  }
  return await serveLoopback(handle, answerError, port)
}
