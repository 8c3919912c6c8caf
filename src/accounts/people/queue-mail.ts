import { and, desc, eq, exists, type SQL, sql } from 'drizzle-orm'
import { isMail, outbox } from '../../../schema/kernel.ts'
import type { If } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { hasPayloadField, removePayloadField } from '../../platform/jobs/outbox.ts'
import { seal, unseal } from '../../platform/lib/crypto.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { MailPayload, mailJob } from './jobs.ts'
import type { Mail } from './mail.ts'

/** A mail ready for the outbox. */
export type SealedMail = { id: string; sealed: string; until: Date }

/** Returns the context that a mail is sealed with. */
export const mailContext = (id: string): string => `mail:${id}`

type Sealing = Pick<Deps, 'newId' | 'settings'>

/** Seals a mail for the outbox. If a statement chooses between mails, they need the same id. */
export const sealMail = async (
  { newId, settings }: Sealing,
  mail: Mail,
  until: Date,
  id = newId(),
): Promise<SealedMail> => ({
  id,
  sealed: await seal(settings.secretsKeys, JSON.stringify(mail), mailContext(id)),
  until,
})

/** Returns the statement that queues a mail, for a batch. `sealed` chooses between mails with the same id. */
export const queueMail = (mail: SealedMail, options: { now: Date; if: If; sealed?: SQL }): SQL =>
  enqueue(
    mailJob,
    {
      mail: sql`${mail.id}::text`,
      since: options.now.toISOString(),
      until: mail.until.toISOString(),
      sealed: options.sealed ?? mail.sealed,
    },
    { account: sql`null::int`, runAt: options.now, open: 'keep', if: options.if },
  )

/** Queues a mail in a batch of its own, if its token was stored before. */
export const queueAlone = async (
  deps: Sealing & Pick<Deps, 'db' | 'now'>,
  mail: Mail,
  until: Date,
  id: string,
): Promise<void> => {
  const queued = queueMail(await sealMail(deps, mail, until, id), { now: deps.now(), if: 'always' })
  await sendBatch(deps.db, [queued], { unaudited: 'a mail to somebody who signs in' })
}

type Needed = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>

/** State of a mail for the person who waits for it. `canRepeat` is true if it was not accepted and its token is still valid. */
export type MailState = {
  state: 'waiting' | 'taken' | 'refused' | 'unknown'
  until: Date
  canRepeat: boolean
}

const isOf = (id: string) => and(isMail(outbox.job), eq(outbox.key, mailJob.keyOf(sql`${id}::text`)))

type Row = { payload: MailPayload; isDead: boolean }

const readRow = async ({ db }: Pick<Deps, 'db'>, id: string): Promise<Row | undefined> => {
  const [row] = await db
    .select({ payload: outbox.payload, deadAt: outbox.deadAt })
    .from(outbox)
    .where(isOf(id))
    .orderBy(desc(outbox.id))
    .limit(1)
  const payload = row && MailPayload.safeParse(row.payload).data
  return payload && { payload, isDead: row.deadAt !== null }
}

const stateOf = ({ payload, isDead }: Row, now: Date): MailState => {
  const state = payload.end ?? (isDead ? 'refused' : 'waiting')
  const until = new Date(payload.until)
  const canRepeat = state !== 'waiting' && state !== 'taken' && payload.sealed !== undefined && until > now
  return { state, until, canRepeat }
}

/** Returns the state of a mail; undefined if the id is unknown. */
export const readMail = async (deps: Needed, id: string): Promise<MailState | undefined> => {
  const row = await readRow(deps, id)
  return row && stateOf(row, deps.now())
}

/** Returns a mail that was not accepted and may be sent again; undefined if it may not. */
export const mailToRepeat = async (deps: Needed, id: string): Promise<{ mail: Mail; until: Date } | undefined> => {
  const row = await readRow(deps, id)
  if (!row?.payload.sealed || !stateOf(row, deps.now()).canRepeat) return undefined
  const text = await unseal(deps.settings.secretsKeys, row.payload.sealed, mailContext(id)).catch(() => undefined)
  return text === undefined ? undefined : { mail: JSON.parse(text) as Mail, until: new Date(row.payload.until) }
}

/** Queues a mail that was not accepted again, under a new id. Undefined if another request has already done so. */
export const repeatMail = async (
  deps: Needed,
  id: string,
  { mail, until }: { mail: Mail; until: Date },
): Promise<SealedMail | undefined> => {
  const next = await sealMail(deps, mail, until)
  const mayRepeat = hasPayloadField(sql`${isOf(id)}`, 'sealed')
  const isUnspent = exists(deps.db.select({ id: outbox.id }).from(outbox).where(mayRepeat))
  const [, , spent] = await sendBatch(
    deps.db,
    [
      deps.db.select({ id: outbox.id }).from(outbox).where(isOf(id)).for('update'),
      queueMail(next, { now: deps.now(), if: isUnspent }),
      removePayloadField(deps.db, mayRepeat, 'sealed'),
    ],
    { unaudited: 'the same mail' },
  )
  return spent.length > 0 ? next : undefined
}
