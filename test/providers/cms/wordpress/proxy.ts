import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultRule } from '../../../../local/faults.ts'
import { createHostCache, type HostCaching } from '../../../../local/host-cache.ts'
import { methodOf } from '../../../../local/stand-in.ts'

/** Also: does the work, then writes `printed` before the answer, or answers `after` in its place. */
type Misconduct = FaultRule & { printed?: string; after?: { status: number; body: string } }

export type Between = {
  url: string
  /** Replaces the rules. */
  misbehave: (...rules: Misconduct[]) => void
  /** Sets a function that chooses the rule for a request, before the table. */
  decide: (choose: ((method: string, target: string) => Misconduct | undefined) | undefined) => void
  /** Answers reads from a cache, as hosts do, or no longer. */
  cacheReads: (caching: HostCaching | undefined) => void
  /** Requests passed on or dropped: `POST /wp-json/…`. */
  seen: string[]
  close: () => Promise<void>
}

type Passed = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }

const pass = (origin: string, method: string, target: string, headers: object, body: Buffer): Promise<Passed> =>
  new Promise((resolve, reject) => {
    const out = request(
      `${origin}${target}`,
      { method, headers: { ...headers, 'content-length': body.length } },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }))
        res.on('error', reject)
      },
    )
    out.on('error', reject).end(body)
  })

const say = (res: ServerResponse, status: number, answer: unknown): void => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? {})
  const location = /^redirect:(.*)$/.exec(text)?.[1]
  res.writeHead(status, {
    'content-type': typeof answer === 'string' ? 'text/html' : 'application/json',
    ...(status === 429 ? { 'retry-after': '7' } : {}),
    ...(location ? { location } : {}),
  })
  res.end(text)
}

/** Starts a proxy between adapter and site that drops requests, or their answers, by rules. */
export const startProxy = async (origin: string): Promise<Between> => {
  let choose: ((method: string, target: string) => Misconduct | undefined) | undefined
  const seen: string[] = []
  const cache = createHostCache()
  let table: Misconduct[] = []
  const used = new Map<Misconduct, number>()
  const take = (method: string, target: string): Misconduct | undefined => {
    const rule = table.find(
      (r) => `${method} ${target}`.includes(r.path ?? '') && (r.times === undefined || (used.get(r) ?? 0) < r.times),
    )
    if (rule) used.set(rule, (used.get(rule) ?? 0) + 1)
    return rule
  }
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', async () => {
      const { url: target = '/' } = req
      const method = methodOf(req)
      seen.push(`${method} ${target}`)
      const fault = choose?.(method, target) ?? take(method, target)
      if (fault?.drop === 'before') return res.destroy()
      if (fault?.status !== undefined) return say(res, fault.status, fault.answer)
      const old = cache.answerTo(req)
      if (old) {
        res.writeHead(old.status, old.headers)
        return res.end(old.body)
      }
      try {
        const answer = await pass(origin, req.method ?? 'GET', target, req.headers, Buffer.concat(chunks))
        if (fault?.drop === 'after') return res.destroy()
        if (fault?.after) return say(res, fault.after.status, fault.after.body)
        const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...headers } = answer.headers
        const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]))
        cache.keep(req, { kind: 'send', answer: { status: answer.status, headers: plain, body: answer.body } })
        res.writeHead(answer.status, headers)
        res.end(Buffer.concat([Buffer.from(fault?.printed ?? ''), answer.body]))
      } catch {
        res.destroy()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    misbehave: (...rules) => {
      table = rules
    },
    decide: (given) => {
      choose = given
    },
    cacheReads: cache.set,
    seen,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
