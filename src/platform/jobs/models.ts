import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { lastDayOf } from '../../../schema/values/models.ts'
import { DAY_MS } from '../lib/time.ts'
import { type Deps, sendBatch } from '../runtime/ctx.ts'
import { enqueue } from './enqueue.ts'
import { defineJob } from './job.ts'

/** Model that the settings name, as its provider lists it. */
export const ModelInUse = z.object({
  /** User of the model: `writer`, `images`, or an AI engine. */
  use: z.string(),
  model: z.string(),
  /** Missing if the provider has no list, or its list could not be read. */
  isListed: z.optional(z.boolean()),
  /** Last day of the model, if the list has it. */
  ends: z.optional(z.string()),
})
export type ModelInUse = z.infer<typeof ModelInUse>

/** Looks up every model in use once a day. It has one outbox row at a time. */
export const modelsJob = defineJob({
  name: 'models.look',
  whenClosed: { runs: 'its row belongs to no account' },
  payload: z.object({ run: z.int() }),
  key: 'models',
  id: 'run',
})

/** Queues the daily look at the models. Returns the number of queued rows. */
export const enqueueModels = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const work = { if: 'always', account: sql`null::int`, runAt: now(), open: 'keep', isByClock: true } as const
  const { queued } = await sendBatch(
    db,
    { queued: enqueue(modelsJob, { run: 1 }, work) },
    { unaudited: 'reads lists of providers' },
  )
  return queued.length
}

/** Time before its end from which a model raises the alarm, ms. */
const WARNED_MS = 30 * DAY_MS

/** Logs a model that is no longer listed, or ends within 30 days. The list's day wins over the announced one. */
export const noteModel = ({ log, now }: Pick<Deps, 'log' | 'now'>, found: ModelInUse): void => {
  const { use, model, isListed, ends = lastDayOf(model) } = found
  if (isListed === false) log('error', 'models.unlisted', { use, model })
  if (isListed === undefined) log('warn', 'models.unknown', { use, model })
  if (ends && Date.parse(ends) - now().getTime() <= WARNED_MS) log('error', 'models.ends', { use, model, ends })
}
