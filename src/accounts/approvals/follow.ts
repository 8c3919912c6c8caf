import { and, eq, exists, isNull } from 'drizzle-orm'
import { approvals } from '../../../schema/approvals.ts'
import type { JobResult } from '../../platform/jobs/handler.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { queueMail, sealMail } from '../people/queue-mail.ts'
import { expire, type Follow } from './decide.ts'
import { changesInWords } from './difference.ts'
import { approvalWanted, type Wanted } from './mail.ts'
import { liveOf } from './present.ts'
import { approvalForJob, deciders } from './queries.ts'
import { approveUrl, EXPIRED, REMIND_AFTER_MS } from './rules.ts'

type Row = Awaited<ReturnType<typeof approvalForJob>>[number]
type Person = Awaited<ReturnType<typeof deciders>>[number]

/** Notes that people were told, and queues a mail to each, unless that was noted before. */
const tell = async (
  ctx: Ctx,
  row: Row,
  column: 'toldAt' | 'remindedAt',
  people: readonly Person[],
  about: Wanted,
): Promise<void> => {
  const now = ctx.now()
  const isDue = and(eq(approvals.id, row.id), isNull(approvals[column]))
  const due = () => ctx.db.select({ id: approvals.id }).from(approvals).where(isDue)
  const mails = await Promise.all(
    people.map((person) => {
      const mail = approvalWanted(ctx.settings.serviceName, person.email, about, column === 'remindedAt')
      const id = `approval-${row.id}-${column === 'toldAt' ? 'asked' : 'reminded'}-${person.id}`
      return sealMail(ctx, mail, row.expiresAt, id)
    }),
  )
  await ctx.batch(
    [
      due().for('no key update'),
      ...mails.map((mail) => queueMail(mail, { if: exists(due()), now })),
      ctx.db
        .update(approvals)
        .set({ [column]: now })
        .where(isDue),
    ],
    { unaudited: 'people are told of what the log has' },
  )
  ctx.defer(ctx.wakeQueue())
}

/** Returns the owner who is reminded: another than the first, if there is one. */
const secondOwner = (people: readonly Person[]): Person[] => {
  const owners = people.filter(({ role }) => role === 'owner')
  return owners.slice(1, 2)
}

/** Does what a question needs by now, and returns when it needs something again. `go`: what becomes of its article. */
export const followApproval = async (ctx: Ctx, go: Follow, id: number): Promise<JobResult> => {
  const [[row], people] = await ctx.read((owner) => [approvalForJob(ctx.db, owner, id), deciders(ctx.db, owner, id)])
  if (!row || (row.status !== 'awaiting' && row.status !== 'approved')) return { kind: 'done' }
  const now = ctx.now()
  if (row.expiresAt <= now) {
    await expire(ctx, go, id, EXPIRED)
    return { kind: 'done' }
  }
  const isAwaiting = row.status === 'awaiting'
  const changes = changesInWords(row.proposed, liveOf(row))
  const about = { ...row, changes, url: approveUrl(ctx.settings.publicUrl, row) }
  if (isAwaiting && row.toldAt === null) await tell(ctx, row, 'toldAt', people, about)
  const remindAt = new Date(row.createdAt.getTime() + REMIND_AFTER_MS / ctx.settings.retryTimeScale)
  if (isAwaiting && row.remindedAt === null) {
    if (remindAt > now) return { kind: 'later', at: remindAt < row.expiresAt ? remindAt : row.expiresAt }
    await tell(ctx, row, 'remindedAt', secondOwner(people), about)
  }
  return { kind: 'later', at: row.expiresAt }
}
