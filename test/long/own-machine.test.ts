import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type RunningReceiver, startReceiver } from '../../local/receiver/server.ts'
import { stateOfService } from '../../server/control.ts'
import { type Machine, newMachine } from '../server/machine.ts'
import { type KillableServer, ownPostgres, ownRedis } from '../server/servers.ts'
import { connectReceiver, newProject } from '../support/client.ts'

const LONG_MS = Number(process.env.LONG_MS ?? 30_000)
vi.setConfig({ testTimeout: LONG_MS + 600_000, hookTimeout: 240_000 })

/** Longest time in which work goes on by itself after a crash: leases of 220 s, and the minute of the sweep. */
const SETTLES_MS = 420_000

type Delivery = { article_ids: string[]; idempotency_key: string | null }
type Called = { status: number; body: Record<string, unknown> }

describe.skipIf(!process.env.GALLEY_PG_BIN)('publications while each part of one’s own machine is killed', () => {
  let receiver: RunningReceiver
  let postgres: KillableServer
  let redis: KillableServer
  let machine: Machine
  let key: string
  let project: number

  beforeAll(async () => {
    ;[receiver, postgres, redis] = await Promise.all([
      startReceiver({ port: 0, token: 'receiver-token' }),
      ownPostgres(21_000 + (process.pid % 8_000)),
      ownRedis(30_000 + (process.pid % 8_000)),
    ])
    machine = await newMachine({}, { url: postgres.url, redisUrl: redis.url })
    await machine.start()
    const api = await machine.owner()
    key = api.key
    project = await newProject(api)
    await connectReceiver(api, project, receiver.url, 'receiver-token')
  })

  afterAll(async () => {
    await machine?.remove()
    await Promise.all([postgres.remove(), redis.remove(), receiver.close()])
  })

  /** Sends a call as a client does: again after 5xx, 429 and lost connections, with the same idempotency key. */
  const call = async (path: string, body?: unknown): Promise<Called> => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    for (;;) {
      const answer = await fetch(`${machine.url()}/api/v1${path}`, init).catch(() => undefined)
      const text = await answer?.text().catch(() => undefined)
      if (answer && text !== undefined && answer.status < 500 && answer.status !== 429 && answer.status !== 409)
        return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> }
      await sleep(1_000)
    }
  }

  const kills: Record<string, () => Promise<void>> = {
    workers: async () => {
      const state = await stateOfService(machine.data)
      if (state?.workers_pid) process.kill(state.workers_pid, 'SIGKILL')
    },
    server: async () => {
      await machine.kill()
      await machine.start()
    },
    postgres: async () => {
      await postgres.kill()
      await postgres.start()
    },
    redis: async () => {
      await redis.kill()
      await redis.start()
    },
    everything: async () => {
      await Promise.all([machine.kill(), postgres.kill(), redis.kill()])
      await Promise.all([postgres.start(), redis.start()])
      await machine.start()
    },
  }

  it('loses nothing and sends nothing twice', async () => {
    const until = Date.now() + LONG_MS
    let isOver = false
    const made: number[] = []
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        const text = { project_id: project, keyword: `writer ${writer} article ${n}`, content: '<p>Some words.</p>' }
        const { status, body } = await call('/articles', text)
        expect(status).toBe(201)
        made.push(Number(body.article_id))
        await call(`/articles/${body.article_id}/publish`, {})
      }
    }
    const kill = async (): Promise<number> => {
      const names = Object.keys(kills)
      let times = 0
      for (; Date.now() < until || times < names.length; times += 1) {
        await sleep(2_000)
        await kills[names[times % names.length] ?? '']?.()
      }
      isOver = true
      return times
    }
    const [times] = await Promise.all([kill(), write(1), write(2), write(3)])

    const open = new Set(made)
    const settled = Date.now() + SETTLES_MS
    while (open.size > 0 && Date.now() < settled) {
      for (const id of [...open]) {
        const { body } = await call(`/articles/${id}`)
        if (body.Status === 'Published') open.delete(id)
        else if (body.PublishState === 'failed' || body.PublishState === 'idle')
          await call(`/articles/${id}/publish`, {})
      }
      await sleep(1_000)
    }
    expect([...open]).toEqual([])
    // A delivery that is sent again has the key of the first attempt, by which a receiver knows it.
    const { deliveries } = (await (await fetch(`${receiver.url}/api/deliveries`)).json()) as { deliveries: Delivery[] }
    const keys = new Map<number, Set<string | null>>()
    for (const {
      article_ids: [id],
      idempotency_key: one,
    } of deliveries)
      if (id !== undefined) keys.set(Number(id), (keys.get(Number(id)) ?? new Set()).add(one))
    expect([...keys.keys()].sort((a, b) => a - b)).toEqual([...made].sort((a, b) => a - b))
    expect([...keys].filter(([, used]) => used.size > 1)).toEqual([])
    console.log(`${made.length} publications held, ${times} kills of ${Object.keys(kills).join(', ')}`)
  })
})
