import { createHash } from 'node:crypto'
import { textsInProcess } from '../../functions/texts/app.ts'
import { toMarkdown } from '../../src/content/html/markdown/gfm.ts'
import { createDb } from '../../src/platform/db/client.ts'
import { NO_BUCKET } from '../../src/platform/runtime/bucket.ts'
import { type Ctx, type Deps, systemCtx } from '../../src/platform/runtime/ctx.ts'
import { parseSettings } from '../../src/platform/runtime/env.ts'
import type { Target } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'

/** Returns the services of a verb in this process, over the stack's database: only the clock, the network and the queue are replaced. */
export const systemDeps = (target: Target, changes: Partial<Deps> = {}): Deps => ({
  settings: parseSettings(
    {
      DATABASE_URL: target.connectionString,
      UPSTASH_REDIS_REST_URL: 'http://127.0.0.1:9',
      UPSTASH_REDIS_REST_TOKEN: 'none',
      PUBLIC_URL: target.url,
      SECRETS_KEYS: `local:${createHash('sha256').update('local sealing key').digest('base64')}`,
      ALLOW_PRIVATE_HOSTS: 'true',
    },
    { name: 'publishing', seals: true },
  ),
  db: createDb(target.connectionString, `${target.neonUrl}/sql`, PATIENCE_MS),
  outbound: () => Promise.reject(new Error('nothing goes out here')),
  media: NO_BUCKET,
  log: () => {},
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  random: () => 0.5,
  wait: async () => {},
  wakeQueue: async () => {},
  texts: textsInProcess,
  toMarkdown: async (html) => toMarkdown(html),
  noteChange: async () => {},
  step: async () => {},
  ...changes,
})

/** Returns the context of a job. Deferred work is not done. */
export const systemFor = (target: Target, accountId: number, changes: Partial<Deps> = {}): Ctx =>
  systemCtx(systemDeps(target, changes), 'job:test', { id: accountId, plan: 'pro', projectSlots: 0 }, () => {})

/** Returns a context that does other work after its first read, before its caller continues. */
export const overtaken = (ctx: Ctx, work: () => Promise<unknown>): Ctx => {
  let isOvertaken = false
  return {
    ...ctx,
    read: async (build) => {
      const rows = await ctx.read(build)
      if (!isOvertaken) {
        isOvertaken = true
        await work()
      }
      return rows
    },
  }
}
