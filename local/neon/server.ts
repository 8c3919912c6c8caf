import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createFaults, type FaultRule } from '../faults.ts'
import { type Answer, answerError, answerResults } from './answer.ts'
import type { Backend } from './backend.ts'
import { parseRequest } from './request.ts'

export type NeonServer = { url: string; port: number; close: () => Promise<void> }

const readBody = (req: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => resolve((chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString()))
    req.on('error', reject)
  })

const send = (res: ServerResponse, { status, text }: Answer) => {
  if (res.destroyed) return
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
}

const refusal = (status: number, message: string): Answer => ({ status, text: JSON.stringify({ message }) })

const work = async (backend: Backend, req: IncomingMessage, body: string): Promise<Answer> => {
  try {
    const request = parseRequest(req.headers, body)
    return answerResults(request, await backend.run(request.work))
  } catch (error) {
    return answerError(error)
  }
}

/** Timers count in whole milliseconds and fire late by up to two, so the end is waited for turn by turn. */
const until = async (at: number): Promise<void> => {
  for (let left = at - performance.now(); left > 0; left = at - performance.now()) {
    if (left > 2) await sleep(left - 2)
    else await nextTurn()
  }
}

/** What a rule makes of a request; undefined when the connection is to be closed without an answer. */
const misbehave = async (rule: FaultRule, run: () => Promise<Answer>): Promise<Answer | undefined> => {
  if (rule.drop === 'before') return undefined
  if (rule.status !== undefined || rule.answer !== undefined) {
    return { status: rule.status ?? 200, text: JSON.stringify(rule.answer ?? { message: 'fault' }) }
  }
  let answer = await run()
  for (let done = 1; done < (rule.repeat ?? 1); done += 1) answer = await run()
  return rule.drop === 'after' ? undefined : answer
}

const answerFaulty = async (rule: FaultRule, res: ServerResponse, arrived: number, run: () => Promise<Answer>) => {
  const due = until(arrived + (rule.delay_ms ?? 0))
  const answer = await misbehave(rule, run)
  await due
  if (answer) send(res, answer)
  else res.destroy()
}

/** Serves `backend` as Neon's SQL-over-HTTP endpoint, POST /sql, on 127.0.0.1. The caller closes the backend. */
export const startNeon = async ({ port, backend }: { port: number; backend: Backend }): Promise<NeonServer> => {
  const faults = createFaults()

  const handle = async (req: IncomingMessage, res: ServerResponse, arrived: number) => {
    const target = req.url ?? '/'
    const body = await readBody(req)
    if (faults.control(req, res, body)) return
    if (target === '/healthz') return send(res, { status: 200, text: JSON.stringify({ backend: backend.kind }) })
    const rule = faults.take(target, body)
    const run = async (): Promise<Answer> => {
      if (!target.startsWith('/sql')) return refusal(404, 'not found')
      return req.method === 'POST' ? work(backend, req, body) : refusal(405, 'method not allowed')
    }
    if (rule) return answerFaulty(rule, res, arrived, run)
    send(res, await run())
  }

  const server = createServer((req, res) => {
    handle(req, res, performance.now()).catch((error: unknown) => {
      if (res.headersSent) res.destroy()
      else send(res, refusal(400, error instanceof Error ? error.message : 'bad request'))
    })
  })
  // A client that reuses a connection at the moment it is closed for idleness fails; connections stay open instead.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const bound = (server.address() as AddressInfo).port
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${bound}`, port: bound, close }
}
