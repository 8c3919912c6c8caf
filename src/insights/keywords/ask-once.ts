import type { SQL } from 'drizzle-orm'
import type { KeptKeyword } from '../../../schema/values/keywords.ts'
import type { ProviderFailure } from '../../accounts/provider-keys/port.ts'
import { type Ctx, guardDatabase } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import type { KeywordsFound } from './port.ts'
import { type KeptAnswer, keptOf, type Question } from './queries.ts'
import { beginAsking, endAsking, keepAnswer } from './statements.ts'

const KEPT_MS = 7 * 86_400_000
/** Longer than a provider is given to answer; afterwards somebody else may ask. */
const LEASE_MS = 40_000
/** Delays between looks for the answer to a question that another call is asking, ms: 28 s in all. */
const WAITS_MS = [300, 500, 700, 1_000, 1_500, 2_000, 2_000, 3_000, 3_000, 3_500, 3_500, 3_500, 3_500]

/** Keywords for a question: as they are kept, or as the provider has just said. */
export type Asked = { kind: 'answered'; rows: KeptKeyword[]; country: string | null; cached: boolean }

/** Returns a kept answer if it has that many keywords, or was complete with fewer. */
export const usableOf = (kept: KeptAnswer | undefined, wanted: number): Asked | undefined =>
  kept?.rows && kept.is_fresh && (kept.asked >= wanted || kept.rows.length < kept.asked)
    ? { kind: 'answered', rows: kept.rows.slice(0, wanted), country: kept.country, cached: true }
    : undefined

type Ask = () => Promise<KeywordsFound | ProviderFailure>

/** Asks the provider and keeps what it says; an answer that cannot be kept is an answer all the same. */
const askAndKeep = async (
  ctx: Ctx,
  question: Question,
  { wanted, lease }: { wanted: number; lease: Date },
  ask: Ask,
): Promise<Asked | ProviderFailure> => {
  const startedAt = ctx.now().getTime()
  const found = await ask()
  ctx.log(found.kind === 'failed' ? 'warn' : 'info', 'keywords.asked', {
    provider: question.provider,
    ms: ctx.now().getTime() - startedAt,
    ...(found.kind === 'failed' ? { code: found.code, status: found.status } : { cost_usd: found.costUsd }),
  })
  const save = (statement: SQL) =>
    ctx.write(statement).catch((error: unknown) => ctx.log('warn', 'keywords.not_kept', errorFields(error)))
  if (found.kind === 'failed') {
    await save(endAsking(question, lease))
    return found
  }
  const { rows, country } = found
  const expiresAt = new Date(ctx.now().getTime() + KEPT_MS)
  await save(keepAnswer(question, lease, { asked: wanted, rows, country, expiresAt }))
  return { kind: 'answered', rows, country, cached: false }
}

/**
 * Keywords for a question that no kept answer serves. Calls for the same at the same time ask the provider once: one asks,
 * the others wait for what it keeps.
 */
export const askOnce = async (
  ctx: Ctx,
  question: Question,
  wanted: number,
  ask: Ask,
): Promise<Asked | ProviderFailure> => {
  const begin = async (): Promise<Date | undefined> => {
    const now = ctx.now()
    const lease = new Date(now.getTime() + LEASE_MS)
    const rows = await ctx.write(beginAsking(question, wanted, now, lease))
    return rows.length > 0 ? lease : undefined
  }
  const first = await begin()
  if (first) return await askAndKeep(ctx, question, { wanted, lease: first }, ask)
  for (const waitMs of WAITS_MS) {
    await ctx.wait(waitMs)
    const [kept] = (await guardDatabase(Promise.resolve(keptOf(ctx.db, question, ctx.now())))).rows
    const usable = usableOf(kept, wanted)
    if (usable) return usable
    const lease = kept?.is_asked_now ? undefined : await begin()
    if (lease) return await askAndKeep(ctx, question, { wanted, lease }, ask)
  }
  return { kind: 'failed', code: 'transient', reason: 'Another call is still waiting for the same keywords.' }
}
