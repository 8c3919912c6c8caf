import { and, eq, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { keywordAnswers as answers } from '../../../schema/keywords.ts'
import type { KeptKeyword } from '../../../schema/values/keywords.ts'
import type { ProviderFailure } from '../../accounts/provider-keys/port.ts'
import { chargeDollars } from '../../platform/accounts/provider-dollars.ts'
import type { Db } from '../../platform/db/client.ts'
import type { Statement } from '../../platform/db/steps.ts'
import { WORLDWIDE } from '../../platform/lib/countries.ts'
import { DEFAULT_LANGUAGE } from '../../platform/lib/languages.ts'
import { type Ctx, guardDatabase } from '../../platform/runtime/ctx.ts'
import { errorFields } from '../../platform/runtime/log.ts'
import type { KeywordsFound } from './market.ts'

/** Longer names of regions are cut. No country has one. */
const MAX_REGION = 100

/** Place of a question. `region_key` is the region in the form that is stored with answers. */
export type Place = { language: string; region: string; region_key: string }

/** Returns the language and region of a project, or the defaults without a project. */
export const placeOf = (db: Db, projectId: number | undefined) => {
  const key = (region: SQL) => sql`left(lower(${region}), ${MAX_REGION}::int) as region_key`
  return projectId === undefined
    ? db.execute<Place>(
        sql`select ${DEFAULT_LANGUAGE}::text as language, ${WORLDWIDE}::text as region, ${key(sql`${WORLDWIDE}::text`)}`,
      )
    : db.execute<Place>(
        sql`select language, keyword_region as region, ${key(sql`keyword_region`)} from projects where id = ${projectId}::int`,
      )
}

/** A stored answer. `is_mine` is true if the account's own keys paid for it. */
export type KeptAnswer = {
  provider: string
  is_mine: boolean
  asked: number
  rows: KeptKeyword[] | null
  country: string | null
  is_fresh: boolean
  is_asked_now: boolean
}

const COLUMNS = (now: Date) => sql`a.provider, a.account_id is not null as is_mine, a.asked, a.rows, a.country,
  a.expires_at > ${now.toISOString()}::timestamptz as is_fresh,
  coalesce(a.lease_until > ${now.toISOString()}::timestamptz, false) as is_asked_now`

/** Selects the stored answers to a keyword in a project's language and region: the shared ones and the account's own. */
export const keptFor = (db: Db, owner: SQL, keyword: string, projectId: number | undefined, now: Date) =>
  projectId === undefined
    ? db.execute<KeptAnswer>(sql`select ${COLUMNS(now)} from keyword_answers a
        where a.keyword = ${keyword} and a.language = ${DEFAULT_LANGUAGE} and a.region = lower(${WORLDWIDE}::text)
          and (a.account_id is null or a.account_id = ${owner})`)
    : db.execute<KeptAnswer>(sql`select ${COLUMNS(now)} from keyword_answers a
        join projects p on p.id = ${projectId}::int and p.language = a.language and left(lower(p.keyword_region), ${MAX_REGION}::int) = a.region
        where a.keyword = ${keyword} and (a.account_id is null or a.account_id = ${owner})`)

/** A question to a provider. Its answer is stored under these fields. */
export type Question = { keyword: string; language: string; region: string; provider: string; accountId: number | null }

/** Selects the stored answer of a question, or the lease of the call that is fetching it. */
export const keptOf = (db: Db, q: Question, now: Date) =>
  db.execute<KeptAnswer>(sql`select ${COLUMNS(now)} from keyword_answers a
    where a.keyword = ${q.keyword} and a.language = ${q.language} and a.region = ${q.region} and a.provider = ${q.provider}
      and a.account_id is not distinct from ${q.accountId}::int`)

const KEPT_MS = 7 * 86_400_000
/** Longer than a provider may take to answer. After this time another call may ask. */
const LEASE_MS = 40_000
/** Delays between checks for an answer that another call is fetching, ms: 28 s in total. */
const WAITS_MS = [300, 500, 700, 1_000, 1_500, 2_000, 2_000, 3_000, 3_000, 3_500, 3_500, 3_500, 3_500]

/** Keywords for a question. `cached` is true if they were stored, and false if the provider has just sent them. */
export type Asked = { kind: 'answered'; rows: KeptKeyword[]; country: string | null; cached: boolean }

/** Returns a stored answer if it is fresh and has enough keywords, or the provider had no more. */
export const usableOf = (kept: KeptAnswer | undefined, wanted: number): Asked | undefined =>
  kept?.rows && kept.is_fresh && (kept.asked >= wanted || kept.rows.length < kept.asked)
    ? { kind: 'answered', rows: kept.rows.slice(0, wanted), country: kept.country, cached: true }
    : undefined

const UNAUDITED = { unaudited: 'a search changes nothing of the account' }

const isOf = (q: Question) =>
  and(
    eq(answers.keyword, q.keyword),
    eq(answers.language, q.language),
    eq(answers.region, q.region),
    eq(answers.provider, q.provider),
    q.accountId === null ? isNull(answers.accountId) : eq(answers.accountId, q.accountId),
  )

/** Number of keywords that a call wants, and the account that its charges at the service's own provider are counted for. */
type Wish = { wanted: number; payer: number | undefined }

type Ask = () => Promise<KeywordsFound | ProviderFailure>

/** Asks the provider and stores the answer. An answer that cannot be stored is still returned. */
const askAndKeep = async (
  ctx: Ctx,
  question: Question,
  { wanted, payer, lease }: Wish & { lease: Date },
  ask: Ask,
): Promise<Asked | ProviderFailure> => {
  const startedAt = ctx.now().getTime()
  const found = await ask()
  ctx.log(found.kind === 'failed' ? 'warn' : 'info', 'keywords.asked', {
    provider: question.provider,
    ms: ctx.now().getTime() - startedAt,
    ...(found.kind === 'failed' ? { code: found.code, status: found.status } : { cost_usd: found.costUsd }),
  })
  const usd = found.costUsd ?? 0
  const charge = payer !== undefined && usd > 0 && chargeDollars(ctx.db, payer, ctx.now(), usd)
  const save = (statement: Statement) =>
    ctx
      .batch({ charge, statement }, UNAUDITED)
      .catch((error: unknown) => ctx.log('warn', 'keywords.not_kept', errorFields(error)))
  const isMine = eq(answers.leaseUntil, lease)
  if (found.kind === 'failed') {
    await save(
      ctx.db
        .update(answers)
        .set({ leaseUntil: null })
        .where(and(isOf(question), isMine)),
    )
    return found
  }
  const { rows, country } = found
  const kept = { asked: wanted, rows, country, expiresAt: new Date(ctx.now().getTime() + KEPT_MS) }
  // An answer that arrives after its lease does not end the lease of another call. It does not replace an answer with more
  // keywords.
  await save(
    ctx.db
      .update(answers)
      .set({ ...kept, leaseUntil: sql`case when ${isMine} then null else ${answers.leaseUntil} end` })
      .where(and(isOf(question), or(isMine, isNull(answers.rows), lte(answers.asked, wanted)))),
  )
  return { kind: 'answered', rows, country, cached: false }
}

/**
 * Returns keywords for a question that no stored answer serves.
 *
 * Simultaneous calls for the same question ask the provider once: one call asks, the others wait for the answer it stores.
 */
export const askOnce = async (ctx: Ctx, question: Question, wish: Wish, ask: Ask): Promise<Asked | ProviderFailure> => {
  const { wanted } = wish
  /**
   * Claims the question for this call and returns the end of the lease. Undefined if another call has it or has just stored an
   * answer.
   */
  const begin = async (): Promise<Date | undefined> => {
    const now = ctx.now()
    const lease = new Date(now.getTime() + LEASE_MS)
    const nobodyAsks = or(isNull(answers.leaseUntil), lte(answers.leaseUntil, now))
    const isNeeded = or(isNull(answers.rows), lte(answers.expiresAt, now), lt(answers.asked, wanted))
    const { begun } = await ctx.batch(
      {
        begun: ctx.db
          .insert(answers)
          .values({ ...question, leaseUntil: lease, expiresAt: lease })
          .onConflictDoUpdate({
            target: [answers.keyword, answers.language, answers.region, answers.provider, answers.accountId],
            set: { leaseUntil: lease },
            setWhere: sql`${and(nobodyAsks, isNeeded)}`,
          })
          .returning({ id: answers.id }),
      },
      UNAUDITED,
    )
    return begun.length > 0 ? lease : undefined
  }
  const first = await begin()
  if (first) return await askAndKeep(ctx, question, { ...wish, lease: first }, ask)
  for (const waitMs of WAITS_MS) {
    await ctx.wait(waitMs)
    const [kept] = (await guardDatabase(Promise.resolve(keptOf(ctx.db, question, ctx.now())))).rows
    const usable = usableOf(kept, wanted)
    if (usable) return usable
    const lease = kept?.is_asked_now ? undefined : await begin()
    if (lease) return await askAndKeep(ctx, question, { ...wish, lease }, ask)
  }
  return { kind: 'failed', code: 'transient', reason: 'Another call is still waiting for the same keywords.' }
}
