import type { IncomingMessage, ServerResponse } from 'node:http'
import { createFaults } from '../faults.ts'
import { type Loopback, serveLoopback } from '../loopback.ts'
import { readBody, send, settle } from '../receiver/answers.ts'
import { faultDelayMs, outcomeLater } from '../receiver/fault-outcome.ts'
import { answerError, answerResults, refusal } from './answer.ts'
import type { Backend, Work } from './backend.ts'
import { parseRequest } from './request.ts'

/** Neon's limit on a request and on an answer. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Fails as PostgreSQL does when its client is gone: the transaction is undone. */
const BREAK = { query: 'select 1 / 0', params: [] }

/** Returns a transaction up to the statement where the connection breaks. Other work is unchanged. */
const cutAfter = (work: Work, count: number | undefined): Work =>
  count === undefined || !work.begin || count >= work.statements.length
    ? work
    : { ...work, statements: [...work.statements.slice(0, count), BREAK] }

const work = async (backend: Backend, req: IncomingMessage, body: string, cut?: number) => {
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
const answerUnlessCut = (res: ServerResponse, answer: Awaited<ReturnType<typeof work>>): Promise<void> | void =>
  answer.status < 400 ? send(res, answer) : void res.destroy()

/** Serves `backend` as Neon's SQL-over-HTTP endpoint, POST /sql, on 127.0.0.1. The caller closes the backend. */
export const startNeon = async ({ port, backend }: { port: number; backend: Backend }): Promise<Loopback> => {
  const faults = createFaults()
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const arrivedMs = performance.now()
    const body = (await readBody(req, MAX_BODY_BYTES)).toString('utf8')
    if (faults.control(req, res, body)) return
    const fault = faults.take(req.url ?? '/', body)
    const run = () => work(backend, req, body, fault?.cut)
    // Almost every request: it needs no timer and no extra turn of the event loop.
    if (!fault) return send(res, await run())
    if (fault.hold) await fault.gone
    if (fault.cut !== undefined) return await answerUnlessCut(res, await run())
    await settle(res, await outcomeLater(fault, run), arrivedMs + faultDelayMs(fault))
  }
  return await serveLoopback(handle, answerError, port)
}
