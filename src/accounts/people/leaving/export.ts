import { and, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { accountExports } from '../../../../schema/people.ts'
import { holdAccount } from '../../../platform/accounts/parts.ts'
import { type Db, rowsOf } from '../../../platform/db/client.ts'
import { when } from '../../../platform/db/steps.ts'
import { audit, insertWhere } from '../../../platform/db/writes.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { makeInParts } from '../../../platform/jobs/file-in-parts.ts'
import type { JobResult } from '../../../platform/jobs/job.ts'
import { base64Url } from '../../../platform/lib/crypto.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import { partName } from '../../../platform/runtime/bucket.ts'
import { type Ctx, sendBatch } from '../../../platform/runtime/ctx.ts'
import { exportJob } from '../jobs.ts'
import { MAILS } from '../mail.ts'
import { checkOwner, ownerRefusal } from '../members.ts'
import { PATHS } from '../paths.ts'
import type { Person } from '../person.ts'
import { type Administrator, isMemberOf } from '../roles.ts'
import { queueMail, type SealedMail, sealMail } from '../send-mail.ts'
import { OWN_TABLES, type OwnTable } from './tables.ts'

const KEPT_MS = 7 * 86_400_000
/** Shortest time between two copies. */
const APART_MS = 3_600_000
/** Uncompressed bytes of a part. A run has one part in memory. */
const PART_BYTES = 4 * 1024 * 1024
const [FIRST_PAGE, LONGEST_PAGE] = [20, 1_000]

type Export = typeof accountExports.$inferSelect
type Position = NonNullable<Export['position']>

/** Returns the copies of an account that are being made or kept, newest first. */
export const listExports = async ({ db, now }: Pick<Ctx, 'db' | 'now'>, accountId: number) =>
  await db
    .select()
    .from(accountExports)
    .where(and(eq(accountExports.accountId, accountId), gt(accountExports.expiresAt, now())))
    .orderBy(desc(accountExports.id))
    .limit(10)

/** Starts a copy of the account. Throws if the caller is not an owner, or within an hour of another copy. */
export const askExport = async (ctx: Ctx, by: Administrator): Promise<{ id: number; expiresAt: Date }> => {
  checkOwner(by)
  const name = base64Url(crypto.getRandomValues(new Uint8Array(24)))
  const expiresAt = new Date(ctx.now().getTime() + KEPT_MS)
  const now = ctx.now()
  const { accountId } = by
  const since = new Date(now.getTime() - APART_MS)
  const isLate = and(eq(accountExports.accountId, accountId), gt(accountExports.createdAt, since))
  const row = { accountId, name, requestedBy: by.email, state: 'making' as const, createdAt: now, expiresAt }
  // The name is random, so only this call inserts a row with it.
  const isMade = eq(accountExports.name, name)
  const from = sql`${accountExports}`
  const exportId = sql`${accountExports.id}`
  const {
    accountExports: [made],
  } = await ctx.batch({
    account: holdAccount(accountId),
    accountExports: insertWhere(accountExports, row, {
      if: sql`not exists (select 1 from ${accountExports} where ${isLate}) and ${isMemberOf(accountId, by.id, 'owner')}`,
      onConflict: sql`do nothing`,
      returning: { id: accountExports.id },
    }),
    ...when(isMade, {
      exportJob: enqueue(exportJob, { export_id: exportId }, { account: accountId, runAt: now, open: 'keep', from }),
      audit: audit(ctx, { account: accountId, action: 'account.export', on: ['export', exportId], from }),
    }),
  })
  if (!made)
    throw await ownerRefusal(
      ctx,
      by,
      'A copy was requested within the last hour, so no other was started. Wait until it is ready.',
    )
  ctx.defer(ctx.wakeQueue())
  return { id: Number(made.id), expiresAt }
}

const COPIED = OWN_TABLES.filter(({ order }) => order !== undefined)

/** Returns the account's rows of a table after a position, as JSON text, each with its own position. */
const pageOf = (
  { table, isOf, order = [], without = [] }: OwnTable,
  accountId: number,
  after: readonly unknown[],
  limit: number,
): SQL => {
  const types = new Map(Object.values(getTableColumns(table)).map((one) => [one.name, one.getSQLType()]))
  const names = order.map((name) => sql.raw(`"${name}"`))
  const columns = sql.join(names, sql`, `)
  const values = sql.join(
    after.map((value, n) => sql`${String(value)}::${sql.raw(types.get(order[n] ?? '') ?? 'text')}`),
    sql`, `,
  )
  const behind = after.length === 0 ? sql`` : sql` and (${columns}) > (${values})`
  const place = sql`jsonb_build_array(${sql.join(
    names.map((name) => sql`${name}::text`),
    sql`, `,
  )})`
  return sql`select (to_jsonb(t) - ${sql.param([...without])}::text[])::text as row, ${place} as place
    from (select * from ${table} where ${isOf({ account: accountId })}${behind} order by ${columns} limit ${limit}::int) t`
}

const gzipped = async (text: string): Promise<Uint8Array<ArrayBuffer>> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

type Reading = { position: Position | undefined; limit: number }

/** Reads rows from a position until a part is full or all are read. Returns the lines and the next position, null at the end. */
const readPart = async (db: Db, accountId: number, start: Position | null) => {
  const lines: string[] = []
  let bytes = 0
  let reading: Reading = { position: start ?? { table: COPIED[0]?.name ?? '', after: [] }, limit: FIRST_PAGE }
  while (reading.position && bytes < PART_BYTES) {
    const { table: name, after } = reading.position
    const at = COPIED.findIndex((one) => one.name === name)
    const own = COPIED[at]
    if (!own) throw new Error(`no table ${name}`)
    const { limit } = reading
    const rows = await rowsOf<{ row: string; place: unknown[] }>(db, pageOf(own, accountId, after, limit))
    const read = rows.reduce((sum, { row }) => sum + row.length, 0)
    lines.push(...rows.map(({ row }) => `{"table":${JSON.stringify(own.name)},"row":${row}}\n`))
    bytes += read
    const next = COPIED[at + 1]?.name
    const isThrough = rows.length < limit
    // Number of rows that fit into a part, estimated from the last page of this table.
    const fitting = Math.floor(PART_BYTES / Math.max(1, read / Math.max(1, rows.length)))
    reading = isThrough
      ? { position: next === undefined ? undefined : { table: next, after: [] }, limit: FIRST_PAGE }
      : {
          position: { table: name, after: rows.at(-1)?.place ?? [] },
          limit: Math.min(Math.max(fitting, 1), LONGEST_PAGE, limit * 4),
        }
  }
  return { lines, position: reading.position ?? null }
}

/** Saves the progress of a copy, and queues the mail when it is ready. Does nothing if another run saved the same part. */
const save = (ctx: Ctx, one: Export, changes: Partial<Export>, mail: SealedMail | undefined) => {
  const isNext = and(eq(accountExports.id, one.id), eq(accountExports.parts, one.parts))
  const isMine = sql`exists (select 1 from ${accountExports} where ${isNext})`
  const { db } = ctx
  return sendBatch(
    db,
    {
      accountExports: db
        .select({ id: accountExports.id })
        .from(accountExports)
        .where(eq(accountExports.id, one.id))
        .for('update'),
      queueMail: mail && queueMail(mail, { now: ctx.now(), if: isMine }),
      changedAccountExports: db.update(accountExports).set(changes).where(isNext),
    },
    { unaudited: 'how far a copy is' },
  )
}

/** Returns the mail that tells the owner who asked for a copy that it is ready. */
const readyMail = async (ctx: Ctx, one: Export): Promise<SealedMail> => {
  const { serviceName, publicUrl } = ctx.settings
  const about = { link: `${publicUrl}${PATHS.leaving}`, until: one.expiresAt }
  return await sealMail(ctx, MAILS.exported(serviceName, one.requestedBy, about), one.expiresAt)
}

const isNotStarted = (one: Export): boolean => one.parts === 0 && one.position === null

/**
 * Makes a copy part by part. Each part is a gzip file, and so is the sequence of all parts (RFC 1952, 2.2).
 *
 * Mails the owner when the copy is ready. Deletes the copy when it is too old.
 */
export const runExport = (ctx: Ctx, exportId: number): Promise<JobResult> =>
  makeInParts(ctx, {
    folder: 'exports',
    contentType: 'application/gzip',
    read: async () => (await ctx.db.select().from(accountExports).where(eq(accountExports.id, exportId)))[0],
    next: async (one) => {
      const { lines, position } = await readPart(ctx.db, one.accountId, isNotStarted(one) ? null : one.position)
      const bytes = await gzipped(lines.join(''))
      const progress = {
        position,
        parts: one.parts + 1,
        rows: one.rows + lines.length,
        bytes: one.bytes + bytes.length,
        ...(position === null ? { state: 'ready' as const } : {}),
      }
      return { bytes, progress }
    },
    save: async (one, progress) =>
      await save(ctx, one, progress, progress.position === null ? await readyMail(ctx, one) : undefined),
    drop: async ({ id }) => await ctx.db.delete(accountExports).where(eq(accountExports.id, id)),
  })

/** Marks a copy as failed. */
export const giveUpExport = async (ctx: Ctx, exportId: number): Promise<void> => {
  await ctx.db.update(accountExports).set({ state: 'failed' }).where(eq(accountExports.id, exportId))
}

/** Returns a finished copy as a stream that reads one part at a time. Throws if the person is not an owner, and 404. */
export const readExport = async (
  ctx: Ctx,
  by: Person,
  exportId: number,
): Promise<{ bytes: number; body: ReadableStream }> => {
  checkOwner(by)
  const one = (await listExports(ctx, by.accountId)).find(({ id, state }) => id === exportId && state === 'ready')
  if (!one) throw new ApiError('not_found', 'There is no such copy: it is not ready yet, or it was deleted.')
  const { readable, writable } = new FixedLengthStream(one.bytes)
  const pass = async () => {
    for (let n = 0; n < one.parts; n += 1) {
      const part = await ctx.media.get(partName('exports', one.name, n))
      if (!part) throw new Error(`part ${n} of the copy is missing`)
      await part.body.pipeTo(writable, { preventClose: true })
    }
    await writable.close()
  }
  ctx.defer(pass().catch((error: unknown) => writable.abort(error)))
  return { bytes: one.bytes, body: readable }
}
