import { and, eq, exists, gt, isNull, not, type SQL, sql } from 'drizzle-orm'
import { literals } from '../../../schema/columns.ts'
import { projects } from '../../../schema/projects.ts'
import type { ARTICLE_STATUSES } from '../../../schema/values/articles.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { rowsOf } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, decideOnce } from '../../platform/db/writes.ts'
import { enqueue, finishJob } from '../../platform/jobs/enqueue.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { GRACE_MS, mailsToOwners } from '../people/leaving/delete.ts'
import { dropAll, dropArchives, dropBatch, type EndOutside, releasePartners } from '../people/leaving/erase.ts'
import { OWN_TABLES } from '../people/leaving/tables.ts'
import { checkOwner, ownerRefusal } from '../people/members.ts'
import { PATHS } from '../people/paths.ts'
import type { Person } from '../people/person.ts'
import { isMemberOf } from '../people/roles.ts'
import { queueMail } from '../people/send-mail.ts'
import { archiveProject } from './archive.ts'
import { eraseProjectJob } from './jobs.ts'
import { getProject, getProjectWith } from './read.ts'
import { lockProject } from './writes.ts'

const PUBLISHED = literals(['Published'] satisfies (typeof ARTICLE_STATUSES)[number][])

/** Counts of what is erased with a project. */
export type Erased = { articles: number; published: number; deliveries: number; suggestions: number; posts: number }

/**
 * Returns a project of the account, active or archived, and counts of what is erased with it. Throws 404 and 403.
 */
export const readErased = async (ctx: Ctx, id: number) => {
  const counted = ctx.db.execute<Erased>(sql`select
    (select count(*)::int from articles where project_id = ${id}::int) as articles,
    (select count(*)::int from articles where project_id = ${id}::int and status in ${PUBLISHED}) as published,
    (select count(*)::int from deliveries where project_id = ${id}::int) as deliveries,
    (select count(*)::int from suggestions where project_id = ${id}::int) as suggestions,
    (select count(*)::int from social_posts where project_id = ${id}::int) as posts`)
  const { project, results } = await getProjectWith(ctx, id, counted)
  return { project, counts: results.rows[0] as Erased }
}

/** Condition: an unfinished import reads an archive of the project, or writes the project. */
const isUsedByImport = (id: number): SQL =>
  sql`exists (select 1 from project_imports i where i.account_id = ${projects.accountId} and i.state = 'importing'
    and (i.project_id = ${id}::int or i.name in (select name from project_exports where project_id = ${id}::int)))`

/**
 * Archives a project and schedules its erasure after the days in which an owner may cancel. Queues a mail to every owner.
 *
 * Throws 404, 403 if the person is not an owner, and 409 while something of it is published or imported, or if it is scheduled already.
 */
export const deleteProject = async (ctx: Ctx, by: Person, id: number): Promise<void> => {
  checkOwner(by)
  await archiveProject(ctx, id)
  const project = await getProject(ctx, id)
  const now = ctx.now()
  const eraseAt = new Date(now.getTime() + GRACE_MS)
  const { accountId } = by
  const name = project.businessName || project.websiteUrl
  const mails = await mailsToOwners(ctx, by, eraseAt, { kind: 'site', name, path: PATHS.projects })
  const mine = and(eq(projects.id, id), eq(projects.accountId, accountId))
  const isLeft = and(mine, eq(projects.status, 'Archived'), isNull(projects.eraseAt), not(isUsedByImport(id)))
  const may = decideOnce(
    sql`${exists(ctx.db.select({ id: projects.id }).from(projects).where(isLeft))} and ${isMemberOf(accountId, by.id, 'owner')}`,
  )
  const { asked } = await ctx.batch({
    account: holdAccount(accountId),
    project: lockProject(ctx.db, id),
    decided: may.statement,
    ...when(may.isMet, {
      asked: (isMet) =>
        ctx.db.update(projects).set({ eraseAt, updatedAt: now }).where(and(mine, isMet)).returning({ id: projects.id }),
      eraseJob: enqueue(eraseProjectJob, { project_id: id }, { account: accountId, runAt: eraseAt, open: 'move' }),
      mails: (isMet) => mails.map((mail) => queueMail(mail, { now, if: isMet })),
      audit: audit(ctx, {
        account: accountId,
        action: 'project.delete',
        on: ['project', id],
        detail: { erase_at: eraseAt.toISOString() },
      }),
    }),
  })
  if (asked.length === 0)
    throw await ownerRefusal(ctx, by, 'The site is already scheduled to be erased, or an import uses it.')
  ctx.defer(ctx.wakeQueue())
}

/**
 * Cancels the deletion of a project, which stays archived. Throws 403 if the person is not an owner, and 409 if it is not scheduled
 * or erasing has started.
 */
export const keepProject = async (ctx: Ctx, by: Person, id: number): Promise<void> => {
  checkOwner(by)
  const now = ctx.now()
  const { accountId } = by
  const scheduled = and(eq(projects.id, id), eq(projects.accountId, accountId), gt(projects.eraseAt, now))
  const may = decideOnce(
    sql`${exists(ctx.db.select({ id: projects.id }).from(projects).where(scheduled))} and ${isMemberOf(accountId, by.id, 'owner')}`,
  )
  const { kept } = await ctx.batch({
    account: holdAccount(accountId),
    project: lockProject(ctx.db, id),
    decided: may.statement,
    ...when(may.isMet, {
      endedEraseJob: finishJob(ctx.db, eraseProjectJob, id, { now }),
      audit: audit(ctx, { account: accountId, action: 'project.keep', on: ['project', id] }),
      kept: (isMet) =>
        ctx.db
          .update(projects)
          .set({ eraseAt: null, updatedAt: now })
          .where(and(scheduled, isMet))
          .returning({ id: projects.id }),
    }),
  })
  if (kept.length === 0)
    throw await ownerRefusal(ctx, by, 'The site is not scheduled to be erased, or erasing has started.')
}

/** Pause before the next run if an import still reads an archive of the project. */
const IMPORT_MS = 5 * 60_000

/** Returns the project's account if it must be erased now: an owner asked for it and did not cancel. */
const dueProject = async (ctx: Ctx, id: number) => {
  const [row] = await rowsOf<{ account: number; is_used: boolean }>(
    ctx.db,
    sql`select ${projects.accountId} as account, ${isUsedByImport(id)} as is_used from ${projects}
      where ${eq(projects.id, id)} and ${eq(projects.status, 'Archived')} and ${projects.eraseAt} <= ${ctx.now()}`,
  )
  return row
}

/**
 * Erases a project in batches until the run's time limit. The next run erases the rest. Nothing of the project is left then but the
 * entries of the account's log. Pictures that a site shows stay.
 */
export const eraseProject = async (ctx: Ctx, id: number, endOutside: EndOutside): Promise<JobResult> => {
  const due = await dueProject(ctx, id)
  if (!due) return { kind: 'done' }
  if (due.is_used) return { kind: 'later', at: new Date(ctx.now().getTime() + IMPORT_MS) }
  const owner = { account: due.account, project: id }
  await endOutside(ctx, owner)
  const left = await dropAll(ctx, [
    () => releasePartners(ctx.db, owner),
    () => dropArchives(ctx, owner),
    ...OWN_TABLES.filter((one) => one.isOfProjects).map((one) => () => dropBatch(ctx.db, one, owner)),
  ])
  if (left) return left
  ctx.log('info', 'project.erased', { account: due.account, project: id })
  return { kind: 'done' }
}
