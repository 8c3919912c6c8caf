import { Agent, request } from 'node:http'
import { quantile } from './statistics.ts'

/** Message to the load generator, which runs in a process of its own. */
export type LoadPlan = {
  url: string
  /** Sent in turn, one per request. */
  keys: readonly string[]
  connections: number
  warmUpS: number
  /**
   * The warm-up continues until this many requests were answered. A busy machine answers few, and calls make V8 compile
   * the code.
   */
  warmUpRequests: number
  seconds: number
}

export type LoadResult = {
  requests: number
  seconds: number
  /** Answers with any status but 200. */
  refused: number
  /** Length of the last body, bytes. */
  bytes: number
  medianMs: number
  p95Ms: number
  p99Ms: number
  cpuMs: number
}

export type LoadMessage = { kind: 'measuring' } | { kind: 'finished'; result: LoadResult }

type Count = { requests: number; refused: number; bytes: number; samples: number[] }

type Phase = { seconds: number; atLeast: number; first: number }

const runFor = async (plan: LoadPlan, agent: Agent, { seconds, atLeast, first }: Phase): Promise<Count> => {
  const count: Count = { requests: 0, refused: 0, bytes: 0, samples: [] }
  const until = performance.now() + seconds * 1000
  let next = first
  const once = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const key = plan.keys[next % plan.keys.length] ?? ''
      next += 1
      const startedAt = performance.now()
      const sent = request(plan.url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('error', reject)
        response.on('end', () => {
          count.requests += 1
          count.bytes = bytes
          count.samples.push(performance.now() - startedAt)
          if (response.statusCode !== 200) count.refused += 1
          resolve()
        })
      })
      sent.on('error', reject)
      sent.end()
    })
  const connection = async () => {
    while (performance.now() < until || count.requests < atLeast) await once()
  }
  await Promise.all(Array.from({ length: plan.connections }, connection))
  return count
}

const measure = async (plan: LoadPlan): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections })
  const warmUp = await runFor(plan, agent, { seconds: plan.warmUpS, atLeast: plan.warmUpRequests, first: 0 })
  process.send?.({ kind: 'measuring' } satisfies LoadMessage)
  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const { requests, refused, bytes, samples } = await runFor(plan, agent, {
    seconds: plan.seconds,
    atLeast: 0,
    first: warmUp.requests,
  })
  const used = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  const medianMs = quantile(samples, 0.5)
  const p95Ms = quantile(samples, 0.95)
  const p99Ms = quantile(samples, 0.99)
  return { requests, seconds, refused, bytes, medianMs, p95Ms, p99Ms, cpuMs: (used.user + used.system) / 1000 }
}

process.once('message', (plan: LoadPlan) => {
  measure(plan).then(
    (result) => {
      process.send?.({ kind: 'finished', result } satisfies LoadMessage)
      process.disconnect()
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exit(1)
    },
  )
})
