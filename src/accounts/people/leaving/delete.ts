import { and, eq, gt, sql } from 'drizzle-orm'
import { accounts } from '../../../../schema/accounts.ts'
import { accountDeletions } from '../../../../schema/people.ts'
import { holdAccount, isServed } from '../../../platform/accounts/parts.ts'
import { when } from '../../../platform/db/steps.ts'
import { audit, decideOnce, insertWhere } from '../../../platform/db/writes.ts'
import { enqueue, finishJob } from '../../../platform/jobs/enqueue.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { eraseJob } from '../jobs.ts'
import { MAILS } from '../mail.ts'
import { checkOwner, listPeople, ownerRefusal } from '../members.ts'
import { PATHS } from '../paths.ts'
import { accountNameOf, type Person } from '../person.ts'
import { isMemberOf } from '../roles.ts'
import { queueMail, type SealedMail, sealMail } from '../send-mail.ts'

/** Days for which an owner may cancel a deletion. */
export const GRACE_DAYS = 14
export const GRACE_MS = GRACE_DAYS * 86_400_000

/** Thing that is deleted, and the page on which an owner cancels the deletion. */
type Leaving = { kind: 'account' | 'site'; name: string; path: string }

/** Returns a sealed mail about a deletion for every owner. */
export const mailsToOwners = async (
  ctx: Ctx,
  by: Person,
  eraseAt: Date,
  { path, ...leaving }: Leaving,
): Promise<SealedMail[]> => {
  const { serviceName, publicUrl } = ctx.settings
  const { members } = await listPeople(ctx)
  const about = { ...leaving, by: by.email, eraseAt, link: `${publicUrl}${path}` }
  const owners = members.filter(({ role }) => role === 'owner')
  return await Promise.all(owners.map(({ email }) => sealMail(ctx, MAILS.deletion(serviceName, email, about), eraseAt)))
}

/**
 * Schedules an account to be erased after the days in which an owner may cancel. From now on its keys and applications do not work,
 * and nothing of it is published.
 *
 * Queues a mail to every owner. Throws if the person is not an owner, or the account is already scheduled or not active.
 */
export const deleteAccount = async (ctx: Ctx, by: Person): Promise<void> => {
  checkOwner(by)
  const eraseAt = new Date(ctx.now().getTime() + GRACE_MS)
  const name = await accountNameOf(ctx.db, by)
  const mails = await mailsToOwners(ctx, by, eraseAt, { kind: 'account', name, path: PATHS.leaving })
  const now = ctx.now()
  const { accountId } = by
  const isAsked = sql`exists (select 1 from ${accountDeletions} where ${eq(accountDeletions.accountId, accountId)})`
  const may = decideOnce(sql`${isServed(accountId)} and not ${isAsked} and ${isMemberOf(accountId, by.id, 'owner')}`)
  const { asked } = await ctx.batch({
    account: holdAccount(accountId),
    decided: may.statement,
    ...when(may.isMet, {
      asked: (isMet) =>
        insertWhere(accountDeletions, { accountId, requestedBy: by.email, requestedAt: now, eraseAt }, { if: isMet }),
      changedAccounts: (isMet) =>
        ctx.db
          .update(accounts)
          .set({ suspendedAt: now, updatedAt: now })
          .where(and(eq(accounts.id, accountId), isMet)),
      eraseJob: enqueue(eraseJob, { account_id: accountId }, { account: accountId, runAt: eraseAt, open: 'move' }),
      map: (isMet) => mails.map((mail) => queueMail(mail, { now, if: isMet })),
      audit: audit(ctx, {
        account: accountId,
        action: 'account.delete',
        on: ['account', accountId],
        detail: { erase_at: eraseAt.toISOString() },
      }),
    }),
  })
  if (asked.length === 0)
    throw await ownerRefusal(ctx, by, 'The account is already scheduled to be erased, or it is not active.')
  ctx.defer(ctx.wakeQueue())
}

/** Cancels a deletion: keys and applications work again. Throws if the person is not an owner, or erasing has started. */
export const keepAccount = async (ctx: Ctx, by: Person): Promise<void> => {
  checkOwner(by)
  const now = ctx.now()
  const { accountId } = by
  const deletion = and(eq(accountDeletions.accountId, accountId), gt(accountDeletions.eraseAt, now))
  const may = decideOnce(
    sql`exists (select 1 from ${accountDeletions} where ${deletion}) and ${isMemberOf(accountId, by.id, 'owner')}`,
  )
  const requestedAt = sql`(select ${accountDeletions.requestedAt} from ${accountDeletions} where ${deletion})`
  const { deletion: ended } = await ctx.batch({
    account: holdAccount(accountId),
    decided: may.statement,
    ...when(may.isMet, {
      changedAccounts: (isMet) =>
        ctx.db
          .update(accounts)
          .set({ suspendedAt: null, updatedAt: now })
          .where(and(eq(accounts.id, accountId), eq(accounts.suspendedAt, requestedAt), isMet)),
      endedEraseJob: finishJob(ctx.db, eraseJob, accountId, { now }),
      audit: audit(ctx, { account: accountId, action: 'account.keep', on: ['account', accountId] }),
      deletion: (isMet) =>
        ctx.db.delete(accountDeletions).where(and(deletion, isMet)).returning({ id: accountDeletions.accountId }),
    }),
  })
  if (ended.length === 0)
    throw await ownerRefusal(ctx, by, 'The account is not scheduled to be erased, or erasing has started.')
}
