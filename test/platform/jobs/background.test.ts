import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { answerRun, withBackground } from '../../../src/platform/jobs/background.ts'
import { defineJob, handle, type JobResult, registryOf } from '../../../src/platform/jobs/job.ts'
import { ApiError } from '../../../src/platform/lib/errors.ts'
import { type Ctx, type Deps, systemCtx } from '../../../src/platform/runtime/ctx.ts'

const Payload = z.object({ thing_id: z.int() })
const job = defineJob({
  name: 'thing.do',
  worker: 'watch',
  whenClosed: 'ends',
  payload: Payload,
  key: 'thing',
  id: 'thing_id',
})
/** Jobs that the jobs Worker knows. The other Worker does not know the second one yet. */
const KNOWN = [job, { name: 'thing.undo', worker: 'watch' as const }].map((one) => ({ ...one, endsWhenClosed: true }))
const NOBODY = { fetch: async () => new Response('', { status: 500 }) }
const RUN = { id: 7, attempts: 3, leaseUntil: new Date('2026-01-05T09:02:00.000Z') }

/**
 * Returns both Workers, joined by a binding over real requests, with a record of the calls and of the queue's wakes.
 */
const joined = (run: (ctx: Ctx, payload: { thing_id: number }) => Promise<JobResult>) => {
  const seen = { woken: 0, gaveUp: [] as string[], deferred: [] as Promise<unknown>[] }
  const deps = {
    log: () => undefined,
    wakeQueue: async () => {
      seen.woken += 1
    },
  } as unknown as Deps
  const defer = (work: Promise<unknown>) => void seen.deferred.push(work)
  const behind = registryOf([handle(job, { run, gaveUp: async (_, __, reason) => void seen.gaveUp.push(reason) })])
  const binding = {
    fetch: (async (url: string, init: RequestInit) => {
      const request = new Request(url, init)
      try {
        return Response.json(await answerRun(deps, behind, await request.json(), defer))
      } catch {
        return Response.json({}, { status: 500 })
      }
    }) as typeof fetch,
  }
  const registry = withBackground(registryOf([]), KNOWN, { watch: binding, background: NOBODY })
  const ctx: Ctx = {
    ...systemCtx(deps, 'job:thing.do', { id: 4, plan: 'pro', projectSlots: 1 }, defer),
    run: RUN,
  }
  return { seen, ctx, of: (name: string) => registry.get(name) as NonNullable<ReturnType<typeof registry.get>> }
}

describe('a job of another Worker', () => {
  it.each<JobResult>([
    { kind: 'done' },
    { kind: 'settled' },
    { kind: 'later', at: new Date('2026-02-01T10:00:00.000Z') },
    { kind: 'again', reason: 'away' },
    { kind: 'never', reason: 'gone' },
  ])('has the same result here as there: $kind', async (result) => {
    const { ctx, of, seen } = joined(async () => result)
    expect(await of('thing.do').run(ctx, { thing_id: 1 })).toEqual(result)
    expect(seen.woken).toBe(1)
  })

  it('has its account and the run with the lease', async () => {
    let known: unknown
    const { ctx, of } = joined(async (inside, payload) => {
      known = { payload, run: inside.run, account: await inside.account(), actor: inside.actor() }
      return { kind: 'done' }
    })
    await of('thing.do').run(ctx, { thing_id: 12 })
    expect(known).toEqual({
      payload: { thing_id: 12 },
      run: RUN,
      account: { id: 4, plan: 'pro', projectSlots: 0 },
      actor: 'job:thing.do',
    })
  })

  it('that throws may be repeated, with the reason if there is one', async () => {
    const refused = joined(async () => {
      throw new ApiError('unavailable', 'The database does not answer.')
    })
    expect(await refused.of('thing.do').run(refused.ctx, { thing_id: 1 })).toEqual({
      kind: 'again',
      reason: 'unavailable',
    })
    const broken = joined(async () => {
      throw new Error('a secret')
    })
    expect(await broken.of('thing.do').run(broken.ctx, { thing_id: 1 })).toEqual({ kind: 'again', reason: 'internal' })
  })

  it('with an unknown name or payload waits for a newer release', async () => {
    const { ctx, of } = joined(async () => ({ kind: 'done' }))
    expect(await of('thing.undo').run(ctx, {})).toMatchObject({ kind: 'unknown' })
    expect(await of('thing.do').run(ctx, { thing_id: 'x' })).toMatchObject({ kind: 'unknown' })
  })

  it('gets the reason when it is given up', async () => {
    const { ctx, of, seen } = joined(async () => ({ kind: 'done' }))
    await of('thing.do').gaveUp(ctx, { thing_id: 1 }, 'gave up after 20 runs')
    expect(seen.gaveUp).toEqual(['gave up after 20 runs'])
  })

  it('with a failing Worker keeps its row', async () => {
    const { ctx } = joined(async () => ({ kind: 'done' }))
    const away = withBackground(registryOf([]), KNOWN, { watch: NOBODY, background: NOBODY }).get('thing.do')
    expect(await away?.run(ctx, {})).toEqual({ kind: 'again', reason: 'answered 500' })
    await expect(away?.gaveUp(ctx, {}, 'x')).rejects.toThrow('again')
  })
})
