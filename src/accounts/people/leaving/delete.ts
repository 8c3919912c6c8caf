import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../../schema/accounts.ts'
import { accountDeletions } from '../../../../schema/people.ts'
import { holdAccount } from '../../../platform/accounts/parts.ts'
import { audit } from '../../../platform/db/audit.ts'
import { statement } from '../../../platform/db/statement.ts'
import { insert, remove, update } from '../../../platform/db/write-parts.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { eraseJob } from '../jobs.ts'
import { MAILS } from '../mail.ts'
import { checkOwner, listPeople, notDone } from '../members.ts'
import { PATHS } from '../paths.ts'
import { calledBy, type Person } from '../person.ts'
import { queueMail, type SealedMail, sealMail } from '../queue-mail.ts'
import { worksIn } from '../works-in.ts'

/** Days for which an owner may cancel a deletion. */
export const GRACE_DAYS = 14
const GRACE_MS = GRACE_DAYS * 86_400_000

const requested = (ctx: Ctx, by: Person, eraseAt: Date, mails: readonly SealedMail[]): SQL => {
  const now = ctx.now()
  const asked = insert(
    'asked',
    accountDeletions,
    { accountId: by.accountId, requestedBy: by.email, requestedAt: now, eraseAt },
    {
      where: sql`exists (select 1 from ${accounts} where ${and(eq(accounts.id, by.accountId), isNull(accounts.suspendedAt))})
        and ${worksIn(by.accountId, by.id, 'owner')}`,
      onConflict: { columns: [accountDeletions.accountId] },
      returning: { account_id: accountDeletions.accountId },
    },
  )
  const closed = update(
    'closed',
    accounts,
    { suspendedAt: now, updatedAt: now },
    { from: [asked], where: eq(accounts.id, asked.c.account_id) },
  )
  return statement({
    parts: [
      asked,
      closed,
      eraseJob.enqueue({
        from: asked,
        account: asked.c.account_id,
        payload: { account_id: asked.c.account_id },
        runAt: eraseAt,
        open: 'move',
      }),
      mails.map((mail, n) => queueMail(mail, { from: asked, now, name: `mail_${n}` })),
    ],
    audit: audit(ctx, {
      of: asked,
      account: by.accountId,
      action: 'account.delete',
      on: ['account', asked.c.account_id],
      detail: { erase_at: eraseAt.toISOString() },
    }),
    answer: asked.c,
  })
}

/** A mail to every owner. */
const mailsToOwners = async (ctx: Ctx, by: Person, eraseAt: Date): Promise<SealedMail[]> => {
  const { serviceName, publicUrl } = ctx.settings
  const [{ members }, account] = await Promise.all([listPeople(ctx), calledBy(ctx.db, by)])
  const about = { account, by: by.email, eraseAt, link: `${publicUrl}${PATHS.leaving}` }
  const owners = members.filter(({ role }) => role === 'owner')
  return await Promise.all(owners.map(({ email }) => sealMail(ctx, MAILS.deletion(serviceName, email, about), eraseAt)))
}

/**
 * Has an account erased after the days in which an owner may take that back. From this moment on its keys and applications open
 * nothing and nothing of it is published. Its owners are mailed. Throws for who is no owner, and where it was asked before.
 */
export const deleteAccount = async (ctx: Ctx, by: Person): Promise<void> => {
  checkOwner(by)
  const eraseAt = new Date(ctx.now().getTime() + GRACE_MS)
  const mails = await mailsToOwners(ctx, by, eraseAt)
  const [done] = await ctx.write(requested(ctx, by, eraseAt, mails), [holdAccount(by.accountId)])
  if (!done) throw await notDone(ctx, by, 'The account is already scheduled to be erased, or it is not active.')
  ctx.defer(ctx.wakeQueue())
}

const takenBack = (ctx: Ctx, { accountId, id }: Person): SQL => {
  const now = ctx.now()
  const gone = remove('gone', accountDeletions, {
    where: sql`${and(eq(accountDeletions.accountId, accountId), gt(accountDeletions.eraseAt, now))}
      and ${worksIn(accountId, id, 'owner')}`,
    returning: { account_id: accountDeletions.accountId, requested_at: accountDeletions.requestedAt },
  })
  const opened = update(
    'opened',
    accounts,
    { suspendedAt: null, updatedAt: now },
    {
      from: [gone],
      where: sql`${eq(accounts.id, gone.c.account_id)} and ${eq(accounts.suspendedAt, gone.c.requested_at)}`,
    },
  )
  return statement({
    parts: [gone, opened, eraseJob.finish(accountId, now, { from: [gone] })],
    audit: audit(ctx, {
      of: gone,
      account: accountId,
      action: 'account.keep',
      on: ['account', gone.c.account_id],
    }),
    answer: { account_id: gone.c.account_id },
  })
}

/** Takes a deletion back: keys and applications work again. Throws for who is no owner, and where it is too late. */
export const keepAccount = async (ctx: Ctx, by: Person): Promise<void> => {
  checkOwner(by)
  const [done] = await ctx.write(takenBack(ctx, by), [holdAccount(by.accountId)])
  if (!done) throw await notDone(ctx, by, 'The account is not scheduled to be erased, or erasing has started.')
}
