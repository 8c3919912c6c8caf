import { and, asc, eq, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { accounts } from '../../../schema/accounts.ts'
import { hostedImages } from '../../../schema/media.ts'
import { PICTURES, type PictureRule } from '../../../schema/pictures.ts'
import { PICTURE_DAYS } from '../../../schema/values/retention.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { named } from '../../platform/db/retention.ts'
import { enqueue, moveJob } from '../../platform/jobs/enqueue.ts'
import { defineJob, type JobResult } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { emptyPicture, OBJECTS } from '../../platform/runtime/bucket.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { imageName } from './store.ts'

const Place = z.object({
  account_id: id(),
  /** Time at which the look began, and the oldest transaction that was open then. Both are missing before the first batch. */
  since: z.optional(z.iso.datetime()),
  snapshot: z.optional(z.string()),
  /** Table that is searched, by its number, and the last id that was read. */
  table: z._default(z.int(), 0),
  after: z.optional(z.union([z.int(), z.string()])),
})
type Place = z.infer<typeof Place>

/** Looks which pictures of an account are in use, and deletes those that nothing has used for 30 days. */
export const forgetPicturesJob = defineJob({
  name: 'media.forget_pictures',
  payload: Place,
  whenClosed: { runs: 'it sends nothing outside: unused pictures are deleted' },
  key: 'forget_pictures',
  id: 'account_id',
})

/** Days between two looks. */
const LOOK_DAYS = 7
/** Accounts that are queued in an hour. */
const ACCOUNTS = 500
const UNAUDITED = { unaudited: 'nothing that anybody uses is changed' }

/** Queues the accounts whose pictures are due for a look. Returns how many were. */
export const enqueuePictureLooks = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const isDue = lte(accounts.picturesAt, now())
  const due = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(isDue)
    .orderBy(accounts.picturesAt)
    .limit(ACCOUNTS)
  if (due.length === 0) return 0
  const taken = sql`${inArray(
    accounts.id,
    due.map((account) => account.id),
  )} and ${isDue}`
  const hasPictures = sql`exists (select 1 from ${hostedImages} i where i.account_id = ${accounts.id})`
  const work = {
    account: sql`${accounts.id}`,
    from: sql`${accounts}`,
    runAt: now(),
    open: 'keep',
    isByClock: true,
  } as const
  const { queued } = await sendBatch(
    db,
    {
      queued: enqueue(
        forgetPicturesJob,
        { account_id: sql`${accounts.id}` },
        { ...work, if: sql`${taken} and ${hasPictures}` },
      ),
      changedAccounts: db
        .update(accounts)
        .set({ picturesAt: new Date(now().getTime() + LOOK_DAYS * DAY_MS) })
        .where(taken),
    },
    { unaudited: 'the service’s own clock' },
  )
  return queued.length
}

type Searched = Extract<PictureRule, { by: string }> & { table: string }

/** Tables with rows that may name a picture, in the order in which they are searched. */
export const SEARCHED: readonly Searched[] = Object.entries(PICTURES as Record<string, PictureRule>).flatMap(
  ([table, rule]) => ('by' in rule ? [{ ...rule, table: named(table) }] : []),
)

type Key = number | string

const typeOf = ({ ids }: Pick<Searched, 'ids'>): SQL => sql.raw(ids ?? 'bigint')

type Found = { accountId: number; rule: Searched; rows: SQL; now: Date }

/** Returns the next ids of a table's rows, or of their parents. */
export const idsAfter = (rule: Searched, accountId: number, after: Key | undefined): SQL => {
  const { table, parent, by, batch } = rule
  const from = sql.identifier(parent ? named(parent) : table)
  const key = sql.identifier(parent ? 'id' : by)
  const isNext = after === undefined ? sql`true` : sql`${key} > ${after}::${typeOf(rule)}`
  return sql`select ${key} as key from ${from} where account_id = ${accountId}::int and ${isNext} order by ${key} limit ${batch}::int`
}

/**
 * Returns the statement that marks the pictures that some rows name as used now.
 *
 * A picture is found by its hash, which is its name, in any column.
 */
const markUsed = ({ db }: Pick<Ctx, 'db'>, { accountId, rule, rows, now }: Found) => {
  const found = sql`(select m[1] as hash, bool_or(is_sent) as is_sent
    from (select t::text as words, coalesce(${sql.raw(rule.sent ?? 'false')}, false) as is_sent
      from ${sql.identifier(rule.table)} t where ${rows}) named, regexp_matches(words, '[0-9a-f]{64}', 'g') m
    group by 1) found`
  return db
    .update(hostedImages)
    .set({ usedAt: now, sent: sql`${hostedImages.sent} or found.is_sent` })
    .from(found)
    .where(and(eq(hostedImages.accountId, accountId), sql`${hostedImages.hash} = found.hash`))
}

/** Returns the condition that a row of a table belongs to the account. */
const isOf = ({ parent, by }: Searched, accountId: number): SQL =>
  parent
    ? sql`t.${sql.identifier(by)} in (select id from ${sql.identifier(named(parent))} where account_id = ${accountId}::int)`
    : sql`t.account_id = ${accountId}::int`

/** Marks the pictures in the next rows of a table. Returns the last id that was read; undefined if it was the last batch. */
const searchBatch = async (ctx: Ctx, accountId: number, rule: Searched, after: Key | undefined) => {
  const keys = (await rowsOf<{ key: Key }>(ctx.db, idsAfter(rule, accountId, after))).map(({ key }) => key)
  if (keys.length === 0) return undefined
  const rows = sql`t.${sql.identifier(rule.by)} = any(${sql.param(keys)}::${typeOf(rule)}[]) and ${isOf(rule, accountId)}`
  await markUsed(ctx, { accountId, rule, rows, now: ctx.now() })
  return keys.length < rule.batch ? undefined : keys.at(-1)
}

/** Marks the pictures in all rows that were written since the look began, so that none is missed behind it. */
const searchNewRows = async (ctx: Ctx, accountId: number, snapshot: string): Promise<void> => {
  for (const rule of SEARCHED) {
    const isNew = sql`age(t.xmin) <= age(xid(${snapshot}::xid8))`
    await markUsed(ctx, { accountId, rule, rows: sql`${isOf(rule, accountId)} and ${isNew}`, now: ctx.now() })
  }
}

/** Deletes pictures that no look has found in use for 30 days, with their bytes unless another account has them. */
const deleteUnused = async (ctx: Ctx, accountId: number, since: Date): Promise<number> => {
  const { usedAt, hash, extension, sent } = hostedImages
  const isUnused = and(
    eq(hostedImages.accountId, accountId),
    eq(sent, false),
    lt(usedAt, new Date(since.getTime() - PICTURE_DAYS * DAY_MS)),
  )
  const isShared = sql<boolean>`exists (select 1 from ${hostedImages} o where o.hash = ${hostedImages}.hash and o.account_id <> ${accountId}::int)`
  const rows = await ctx.db
    .select({ hash, extension, isShared })
    .from(hostedImages)
    .where(isUnused)
    .orderBy(asc(hash))
    .limit(OBJECTS)
  const gone: string[] = []
  for (const row of rows)
    if (row.isShared || (await emptyPicture(ctx, imageName(row.hash, row.extension)))) gone.push(row.hash)
  if (gone.length === 0) return 0
  // Somebody may have uploaded it again since it was read.
  return (await ctx.db.delete(hostedImages).where(and(isUnused, inArray(hash, gone)))).rowCount ?? 0
}

/** Time after which a run begins no batch, ms. */
const BUDGET_MS = 15_000

/** Returns the place at which a look begins. */
const beginning = async (ctx: Ctx, from: Place): Promise<Place & { since: string; snapshot: string }> => {
  if (from.since !== undefined && from.snapshot !== undefined)
    return { ...from, since: from.since, snapshot: from.snapshot }
  const [row] = await rowsOf<{ snapshot: string }>(
    ctx.db,
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as snapshot`,
  )
  if (!row) throw new Error('no snapshot')
  return { account_id: from.account_id, table: 0, since: ctx.now().toISOString(), snapshot: row.snapshot }
}

/**
 * Searches all rows of an account for its pictures, in batches, then deletes those that nothing has used for 30 days.
 *
 * A run lasts some seconds, and the next one continues. A second run of the same payload changes nothing more.
 */
export const forgetPictures = async (ctx: Ctx, from: Place): Promise<JobResult> => {
  const endsAt = ctx.now().getTime() + BUDGET_MS
  let place = await beginning(ctx, from)
  const { account_id: accountId, since, snapshot } = place
  for (let rule = SEARCHED[place.table]; rule !== undefined; rule = SEARCHED[place.table]) {
    if (ctx.now().getTime() > endsAt) {
      const moved = moveJob(ctx.db, forgetPicturesJob, accountId, { if: 'always', runAt: ctx.now(), payload: place })
      await ctx.batch({ moved }, UNAUDITED)
      return { kind: 'settled' }
    }
    const after = await searchBatch(ctx, accountId, rule, place.after)
    place = { account_id: accountId, since, snapshot, table: place.table, ...(after === undefined ? {} : { after }) }
    if (after === undefined) place.table += 1
  }
  // What does not fit into the time of the run is deleted after the next look.
  for (let pictures = OBJECTS; pictures === OBJECTS && ctx.now().getTime() <= endsAt; ) {
    await searchNewRows(ctx, accountId, snapshot)
    pictures = await deleteUnused(ctx, accountId, new Date(since))
    if (pictures > 0) ctx.log('info', 'media.forgotten', { account: accountId, pictures })
  }
  return { kind: 'done' }
}
