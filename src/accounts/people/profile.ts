import { and, eq, exists, ne, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import {
  invitations,
  mailedTo,
  memberships,
  people,
  personCredentials,
  personSessions,
  personVerifications,
} from '../../../schema/people.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { decideOnce, insertWhere } from '../../platform/db/writes.ts'
import { base64Url, sha256 } from '../../platform/lib/crypto.ts'
import { sendBatch } from '../../platform/runtime/ctx.ts'
import { MAILS, mailedLink } from './mail.ts'
import { hashPassword, verifiedHash } from './password.ts'
import { PATHS } from './paths.ts'
import { auditEverywhere, type Me, mailSecurity, type Needed } from './person.ts'
import { queueMail, sealMail } from './send-mail.ts'

const HOLDS_MS = 3_600_000

/** Saves a person's name for pages. If it is empty, pages show their address. */
export const saveName = async ({ db, now }: Needed, { id }: Me, name: string): Promise<void> => {
  await db.update(people).set({ name, updatedAt: now() }).where(eq(people.id, id))
}

/**
 * Changes a person's password, ends all their sessions except the named one, and notifies them by mail. Returns false if the
 * present password is wrong.
 */
export const changePassword = async (
  deps: Needed,
  me: Me & { session: string },
  { present, wanted }: { present: string; wanted: string },
): Promise<boolean> => {
  const { db, now } = deps
  const hash = await verifiedHash(db, me.id, present)
  if (hash === undefined) return false
  const password = await hashPassword(wanted)
  const { userId, id } = personCredentials
  // Each hash has its own salt, so only this change can have written it.
  const isChanged = exists(
    db
      .select({ id })
      .from(personCredentials)
      .where(and(eq(userId, me.id), eq(personCredentials.password, password))),
  )
  const { changed } = await sendBatch(db, {
    changed: db
      .update(personCredentials)
      .set({ password, updatedAt: now() })
      .where(and(eq(userId, me.id), eq(personCredentials.password, hash)))
      .returning({ id }),
    ...when(isChanged, {
      deletedPersonSessions: (isMet) =>
        db
          .delete(personSessions)
          .where(and(eq(personSessions.userId, me.id), ne(personSessions.id, me.session), isMet)),
      auditEverywhere: (isMet) => auditEverywhere(deps, me, 'person.password', isMet),
    }),
    mailSecurity: await mailSecurity(deps, me, { what: 'Your password was changed', if: isChanged }),
  })
  return changed.length > 0
}

/** Returns the identifier of a person's pending change of address. A person has at most one. */
const waitingOf = ({ id }: Me): string => `address:${id}`

/** Returns a part of its value: 1 is the hash of the mailed token, 2 the new address. */
const part = (n: 1 | 2): SQL => sql`split_part(${personVerifications.value}, ' ', ${sql.raw(String(n))})`

const isWaiting = (me: Me, hash: string, now: Date): SQL =>
  sql`${personVerifications.identifier} = ${waitingOf(me)} and ${part(1)} = ${hash} and ${personVerifications.expiresAt} > ${now.toISOString()}::timestamptz`

/**
 * Mails a confirmation link to a person's new address, and a notice to the present one. An earlier link ends. Returns the id of the
 * mail to the new address.
 *
 * If another person has the address, it gets a mail about that instead of the link. The answer does not reveal which.
 */
export const askForAddress = async (deps: Needed, me: Me, email: string): Promise<string> => {
  const { db, newId, settings } = deps
  const { serviceName, publicUrl } = settings
  const token = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  const at = deps.now()
  const expiresAt = new Date(at.getTime() + HOLDS_MS)
  const value = `${await sha256(token)} ${email}`
  const row = { id: newId(), identifier: waitingOf(me), value, expiresAt, createdAt: at, updatedAt: at }
  const link = mailedLink(publicUrl, PATHS.profileAddress, { token })
  const mail = await sealMail(deps, MAILS.newAddress(serviceName, email, { link, from: me.email }), expiresAt)
  const taken = MAILS.takenAddress(serviceName, email, `${publicUrl}${PATHS.signIn}`)
  const other = await sealMail(deps, taken, expiresAt, mail.id)
  const about = { link: `${publicUrl}${PATHS.reset}`, wanted: email }
  const notice = await sealMail(deps, MAILS.addressAsked(serviceName, me.email, about), expiresAt)
  const isMade = sql`exists (select 1 from ${personVerifications} where ${eq(personVerifications.id, row.id)})`
  const sealed = sql`case when ${isMade} then ${mail.sealed}::text else ${other.sealed}::text end`
  await sendBatch(
    db,
    {
      oldLinks: db.delete(personVerifications).where(eq(personVerifications.identifier, row.identifier)),
      link: insertWhere(personVerifications, row, {
        if: sql`not exists (select 1 from ${people} where ${eq(people.email, email)})`,
      }),
      mail: queueMail(mail, { now: at, if: 'always', sealed }),
      notice: queueMail(notice, { now: at, if: 'always' }),
    },
    { unaudited: 'nothing is changed yet' },
  )
  return mail.id
}

/** Returns the new address that a person's link confirms; undefined if the link was used, has ended or is somebody else's. */
export const addressAsked = async ({ db, now }: Needed, me: Me, token: string): Promise<string | undefined> => {
  const [row] = await db
    .select({ email: sql<string>`${part(2)}` })
    .from(personVerifications)
    .where(isWaiting(me, await sha256(token), now()))
  return row?.email
}

/**
 * Changes a person's address to the one that a link was mailed to. Also changes it in their invitations, and in an account of theirs
 * with the old address.
 *
 * Links mailed to the old address end. Returns false if the link has ended, or somebody else has the address by now.
 */
export const takeAddress = async (deps: Needed, me: Me, token: string): Promise<boolean> => {
  const { db, now } = deps
  const waiting = isWaiting(me, await sha256(token), now())
  const wanted = sql`(select ${part(2)} from ${personVerifications} where ${waiting})`
  const may = decideOnce(
    sql`${wanted} is not null and not exists (select 1 from ${people} where ${people.email} = ${wanted})`,
  )
  const mine = sql`(select ${memberships.accountId} from ${memberships} where ${eq(memberships.personId, me.id)})`
  const owned = sql`(select ${memberships.accountId} from ${memberships} where ${and(eq(memberships.personId, me.id), eq(memberships.role, 'owner'))})`
  const present = sql`(select ${people.email} from ${people} where ${eq(people.id, me.id)})`
  try {
    const { changed } = await sendBatch(db, {
      account: db
        .select({ id: accounts.id })
        .from(accounts)
        .where(sql`${accounts.id} in ${mine}`)
        .orderBy(accounts.id)
        .for('no key update'),
      person: db.select({ id: people.id }).from(people).where(eq(people.id, me.id)).for('no key update'),
      decided: may.statement,
      ...when(may.isMet, {
        audit: (isMet) => auditEverywhere(deps, me, 'person.address', isMet),
        changedInvitations: (isMet) =>
          db
            .update(invitations)
            .set({ invitedBy: wanted })
            .where(and(sql`${invitations.accountId} in ${mine}`, sql`${invitations.invitedBy} = ${present}`, isMet)),
        changedAccounts: (isMet) =>
          db
            .update(accounts)
            .set({ email: wanted, updatedAt: now() })
            .where(
              and(
                sql`${accounts.id} in ${owned}`,
                sql`lower(${accounts.email}) = lower(${present})`,
                sql`not exists (select 1 from ${accounts} other where lower(other.email) = lower(${wanted}))`,
                isMet,
              ),
            ),
        deletedPersonVerifications: (isMet) =>
          db.delete(personVerifications).where(and(sql`${mailedTo(personVerifications.value)} = ${present}`, isMet)),
        changed: (isMet) =>
          db
            .update(people)
            .set({ email: wanted, updatedAt: now() })
            .where(and(eq(people.id, me.id), isMet))
            .returning({ id: people.id }),
        link: (isMet) =>
          db.delete(personVerifications).where(and(eq(personVerifications.identifier, waitingOf(me)), isMet)),
      }),
    })
    return changed.length > 0
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error
    return false
  }
}
