import { and, eq, inArray, not, type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys } from '../../../../schema/accounts.ts'
import { projectExports, projectImports } from '../../../../schema/archives.ts'
import { exchangeLedger, exchangeLinks } from '../../../../schema/exchange.ts'
import { hostedImages, hostedVideos } from '../../../../schema/media.ts'
import { accountDeletions, accountExports, memberships, oauthGrants, people } from '../../../../schema/people.ts'
import { projects } from '../../../../schema/projects.ts'
import { forgetGrants, type Owner } from '../../../platform/accounts/parts.ts'
import type { Db } from '../../../platform/db/client.ts'
import type { JobResult } from '../../../platform/jobs/job.ts'
import { deleteParts, emptiedFrom, emptyPicture, OBJECTS } from '../../../platform/runtime/bucket.ts'
import { type Ctx, sendBatch } from '../../../platform/runtime/ctx.ts'
import { OWN_TABLES, type OwnTable } from './tables.ts'
import { leaveTombstone } from './tombstones.ts'

const BATCH = 500
/** Time limit of one run; the next one follows at once. */
const RUN_MS = 45_000

const UNAUDITED = { unaudited: 'the account is erased, and its log with it' }

/** Returns a condition that selects a batch of rows by their place in the table (`ctid`), so that it works with any primary key. */
const batchOf = (table: SQL, where: SQL, limit = BATCH): SQL =>
  sql`${table}.ctid = any(array(select ctid from ${table} where ${where} limit ${limit}::int))`

/** Deletes a batch of the owner's rows of a table. Returns their number. */
export const dropBatch = async (db: Db, { table, isOf }: OwnTable, owner: Owner): Promise<number> =>
  (await db.delete(table).where(batchOf(sql`${table}`, isOf(owner)))).rowCount

/** Removes the owner's links from the ledger entries of its partners, who keep their credits. Returns the number of entries. */
export const releasePartners = async (db: Db, { account, project }: Owner): Promise<number> => {
  const own =
    project === undefined
      ? sql`select id from ${projects} where ${eq(projects.accountId, account)}`
      : sql`select ${project}::int`
  const links = sql`select ${exchangeLinks.id} from ${exchangeLinks} where ${exchangeLinks.fromProjectId} in (${own}) or ${exchangeLinks.toProjectId} in (${own})`
  const isTheirs = sql`link_id in (${links}) and project_id not in (${own})`
  const batch = batchOf(sql`${exchangeLedger}`, isTheirs)
  return (await db.update(exchangeLedger).set({ linkId: null }).where(batch)).rowCount
}

/** Deletes a batch of grants of applications, with their tokens. */
const dropGrants = async (db: Db, accountId: number): Promise<number> => {
  const batch = sql`select ${oauthGrants.keyId} from ${oauthGrants} where ${oauthGrants.keyId} in
    (select ${apiKeys.id} from ${apiKeys} where ${eq(apiKeys.accountId, accountId)}) order by ${oauthGrants.keyId} limit ${BATCH}::int`
  const { grants } = await sendBatch(
    db,
    {
      forgetGrants: forgetGrants(db, batch),
      grants: db.delete(oauthGrants).where(sql`${oauthGrants.keyId} in (${batch})`),
    },
    UNAUDITED,
  )
  return grants.rowCount
}

/**
 * Erases images that no other account has from the bucket, then the account's rows for its images.
 *
 * Returns `later` if only images are left that were stored just now.
 */
const dropImages = async (ctx: Ctx, accountId: number): Promise<number | 'later'> => {
  const other = sql`exists (select 1 from ${hostedImages} o where o.hash = ${hostedImages.hash} and o.account_id <> ${accountId}::int)`
  const rows = await ctx.db
    .select({ hash: hostedImages.hash, extension: hostedImages.extension, isShared: sql<boolean>`${other}` })
    .from(hostedImages)
    .where(eq(hostedImages.accountId, accountId))
    .limit(OBJECTS)
  if (rows.length === 0) return 0
  const gone: string[] = []
  for (const { hash, extension, isShared } of rows)
    if (isShared || (await emptyPicture(ctx, `${hash}.${extension}`))) gone.push(hash)
  if (gone.length === 0) return 'later'
  await ctx.db.delete(hostedImages).where(and(eq(hostedImages.accountId, accountId), inArray(hostedImages.hash, gone)))
  return gone.length
}

/** Deletes videos from the bucket, then their rows. Accounts do not share videos. */
const dropVideos = async (ctx: Ctx, accountId: number): Promise<number> => {
  const rows = await ctx.db
    .select({ name: hostedVideos.name, extension: hostedVideos.extension })
    .from(hostedVideos)
    .where(eq(hostedVideos.accountId, accountId))
    .limit(OBJECTS)
  if (rows.length === 0) return 0
  await ctx.media.delete(rows.map(({ name, extension }) => `${name}.${extension}`))
  const names = rows.map(({ name }) => name)
  await ctx.db.delete(hostedVideos).where(inArray(hostedVideos.name, names))
  return rows.length
}

/** Deletes one of the copies that were made of the account. */
const dropExports = async (ctx: Ctx, accountId: number): Promise<number> => {
  const [one] = await ctx.db.select().from(accountExports).where(eq(accountExports.accountId, accountId)).limit(1)
  if (!one) return 0
  await deleteParts(ctx.media, 'exports', one)
  await ctx.db.delete(accountExports).where(eq(accountExports.id, one.id))
  return 1
}

/** Deletes one of the archives kept for the owner, with its row. Returns 0 if there is none. */
export const dropArchives = async (ctx: Ctx, { account, project }: Owner): Promise<number> => {
  const kept = [
    ['project-exports', projectExports],
    ['project-imports', projectImports],
  ] as const
  for (const [folder, table] of kept) {
    const isOf = and(eq(table.accountId, account), project === undefined ? undefined : eq(table.projectId, project))
    const [one] = await ctx.db.select().from(table).where(isOf).limit(1)
    if (!one) continue
    if (!('folder' in one) || one.folder === folder) await deleteParts(ctx.media, folder, one)
    await ctx.db.delete(table).where(eq(table.id, one.id))
    return 1
  }
  return 0
}

/** Deletes the account, its memberships, and the people who work in no other. This comes last, since it deletes the job's own row. */
const dropAccount = async (db: Db, accountId: number): Promise<number> => {
  const worksElsewhere = sql`exists (select 1 from ${memberships} m where m.person_id = ${people.id} and m.account_id <> ${accountId}::int)`
  const worksHere = sql`${people.id} in (select ${memberships.personId} from ${memberships} where ${eq(memberships.accountId, accountId)})`
  const isLookedAt = sql`exists (select 1 from ${people} where ${eq(people.accountId, accountId)} and ${worksElsewhere})`
  const { gone } = await sendBatch(
    db,
    {
      deletedPeople: db.delete(people).where(and(worksHere, not(worksElsewhere))),
      gone: db.delete(accounts).where(and(eq(accounts.id, accountId), not(isLookedAt))),
    },
    UNAUDITED,
  )
  return gone.rowCount
}

/** Returns the account if it must be erased now: an owner asked for it and did not cancel. */
const dueAccount = async (db: Db, accountId: number, now: Date) => {
  const [row] = await db
    .select({ id: accounts.id, createdAt: accounts.createdAt })
    .from(accountDeletions)
    .innerJoin(accounts, eq(accounts.id, accountDeletions.accountId))
    .where(and(eq(accountDeletions.accountId, accountId), sql`${accountDeletions.eraseAt} <= ${now}`))
  return row
}

/** Function that ends what the owner has at others, before its secrets are erased. If it throws, the run erases nothing. */
export type EndOutside = (ctx: Ctx, owner: Owner) => Promise<void>

/** A step of an erasure: deletes a batch and returns its size, or `later` if what is left was stored just now. */
type DropStep = () => Promise<number | 'later'>

/** Runs each step until it deletes nothing. Returns when the next run continues; undefined if everything is deleted. */
export const dropAll = async (ctx: Ctx, steps: readonly DropStep[]): Promise<JobResult | undefined> => {
  const endsAt = ctx.now().getTime() + RUN_MS
  for (const step of steps)
    for (let dropped = await step(); dropped !== 0; dropped = await step()) {
      if (dropped === 'later') return { kind: 'later', at: emptiedFrom(ctx) }
      if (ctx.now().getTime() > endsAt) return { kind: 'later', at: ctx.now() }
    }
  return undefined
}

/**
 * Erases an account in batches until the run's time limit. The next run erases the rest. In the end nothing is left of the account,
 * or of people who worked in no other. A tombstone in the bucket erases it again after a restore of the database.
 */
export const eraseAccount = async (ctx: Ctx, accountId: number, endOutside: EndOutside): Promise<JobResult> => {
  const due = await dueAccount(ctx.db, accountId, ctx.now())
  if (!due) return { kind: 'done' }
  await leaveTombstone(ctx, due)
  const owner = { account: accountId }
  await endOutside(ctx, owner)
  const left = await dropAll(ctx, [
    () => releasePartners(ctx.db, owner),
    () => dropGrants(ctx.db, accountId),
    () => dropImages(ctx, accountId),
    () => dropVideos(ctx, accountId),
    () => dropExports(ctx, accountId),
    () => dropArchives(ctx, owner),
    ...OWN_TABLES.map((one) => () => dropBatch(ctx.db, one, owner)),
  ])
  if (left) return left
  // People who also work in other accounts are switched to one of those.
  await ctx.db.update(people).set({ accountId: null }).where(eq(people.accountId, accountId))
  if ((await dropAccount(ctx.db, accountId)) === 0) return { kind: 'again', reason: 'people of the account came back' }
  ctx.log('info', 'account.erased', { account: accountId })
  return { kind: 'done' }
}
