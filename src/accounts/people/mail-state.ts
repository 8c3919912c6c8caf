import { and, desc, eq, exists, sql } from 'drizzle-orm'
import { isMail, outbox } from '../../../schema/kernel.ts'
import { hasPayloadField, removePayloadField } from '../../platform/jobs/outbox.ts'
import { unseal } from '../../platform/lib/crypto.ts'
import { type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { MailPayload, mailJob } from './jobs.ts'
import type { Mail } from './mail.ts'
import { mailContext, queueMail, type SealedMail, sealMail } from './queue-mail.ts'

type Needed = Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>

/** State of a mail as a person is told it. `canRepeat`: it was not taken, and its token still works. */
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

/** Returns how far a mail is; undefined if there is none by that id. */
export const readMail = async (deps: Needed, id: string): Promise<MailState | undefined> => {
  const row = await readRow(deps, id)
  return row && stateOf(row, deps.now())
}

/** Returns a mail that was not taken and may be sent again; undefined if it may not. */
export const mailToRepeat = async (deps: Needed, id: string): Promise<{ mail: Mail; until: Date } | undefined> => {
  const row = await readRow(deps, id)
  if (!row?.payload.sealed || !stateOf(row, deps.now()).canRepeat) return undefined
  const text = await unseal(deps.settings.secretsKeys, row.payload.sealed, mailContext(id)).catch(() => undefined)
  return text === undefined ? undefined : { mail: JSON.parse(text) as Mail, until: new Date(row.payload.until) }
}

/** Queues a mail that was not taken once more, as a row of its own. Undefined if another request did so before. */
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
