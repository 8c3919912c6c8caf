import { and, asc, eq, exists, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { oneOf } from '../../../schema/columns.ts'
import { memberships, people } from '../../../schema/people.ts'
import { projects } from '../../../schema/projects.ts'
import { reportMailings as mailings, monthlyReports } from '../../../schema/reports.ts'
import { foreign } from '../../accounts/people/letter.ts'
import type { Mail } from '../../accounts/people/mail.ts'
import { queueMail, sealMail } from '../../accounts/people/send-mail.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import type { Db } from '../../platform/db/client.ts'
import { at } from '../../platform/db/instant.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { defineJob, type JobResult } from '../../platform/jobs/job.ts'
import { id } from '../../platform/lib/fields.ts'
import { DAY_MS } from '../../platform/lib/time.ts'
import { type Ctx, type Deps, sendBatch } from '../../platform/runtime/ctx.ts'
import { monthOf } from './queries.ts'
import { figureRows, monthText } from './words.ts'

/** Mails the report of the last month of a project to the people who want it. */
export const reportJob = defineJob({
  name: 'reports.mail',
  whenClosed: 'ends',
  payload: z.object({ project_id: id() }),
  key: 'report_mail',
  id: 'project_id',
})

/** Most projects queued in a minute. */
const DUE_BATCH = 200
/** Time for which a mail may be tried. */
const TRIED_MS = 7 * DAY_MS

/** Expression: 8 o'clock on the first of the next month, in the time zone of the project. */
const nextMonth = (now: Date): SQL => {
  const zone = sql`(select ${projects.timezone} from ${projects} where ${eq(projects.id, mailings.projectId)})`
  return sql`((date_trunc('month', ${at(now)} at time zone ${zone}) + interval '1 month 8 hours') at time zone ${zone})`
}

/** Queues a batch of the mailings that are due, and moves them to the next month; returns how many. A missed month is not made up for. */
export const enqueueDueReports = async ({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<number> => {
  const runAt = now()
  const due = await db
    .select({ id: mailings.projectId })
    .from(mailings)
    .where(lte(mailings.nextAt, runAt))
    .orderBy(asc(mailings.nextAt))
    .limit(DUE_BATCH)
  if (due.length === 0) return 0
  const isDue = and(
    inArray(
      mailings.projectId,
      due.map((one) => one.id),
    ),
    lte(mailings.nextAt, runAt),
  ) as SQL
  const { queued } = await sendBatch(
    db,
    {
      queued: enqueue(
        reportJob,
        { project_id: sql`${mailings.projectId}` },
        { from: sql`${mailings}`, if: isDue, account: sql`${mailings.accountId}`, runAt, open: 'keep' },
      ),
      moved: db
        .update(mailings)
        .set({ nextAt: nextMonth(runAt) })
        .where(isDue),
    },
    { unaudited: 'the service’s own clock' },
  )
  return queued.length
}

/** Selects the people of an account who may read a project. `wants`: they get its reports. */
const readersOf = (db: Db, owner: SQL, projectId: number) =>
  db
    .select({
      id: people.id,
      email: people.email,
      wants: sql<boolean>`exists (select 1 from ${mailings} where ${and(
        eq(mailings.projectId, projectId),
        eq(mailings.accountId, owner),
        sql`${people.id} = any(${mailings.personIds})`,
      )})`,
    })
    .from(memberships)
    .innerJoin(people, eq(people.id, memberships.personId))
    .where(
      and(
        eq(memberships.accountId, owner),
        eq(people.emailVerified, true),
        or(oneOf(memberships.role, ['owner', 'member']), eq(memberships.projectId, projectId)),
      ),
    )
    .orderBy(memberships.createdAt, people.id)
    .limit(50)

/** Returns the people who may get the reports of a project by mail. Throws 404, 403. */
export const listReaders = async (ctx: Ctx, projectId: number) => {
  const { results } = await readWithProject(ctx, projectId, (owner: SQL) => ({
    readers: readersOf(ctx.db, owner, projectId),
  }))
  return results.readers
}

/** Stores who gets the reports of a project by mail; nobody, if none of them may read it. Throws 404, 403. */
export const mailReportsTo = async (ctx: Ctx, projectId: number, wanted: readonly string[]): Promise<number> => {
  const readers = await listReaders(ctx, projectId)
  const { id: accountId } = await ctx.account()
  const personIds = readers.map((one) => one.id).filter((one) => wanted.includes(one))
  const nextAt = sql`(select (date_trunc('month', ${at(ctx.now())} at time zone ${projects.timezone}) + interval '1 month 8 hours') at time zone ${projects.timezone}
    from ${projects} where ${eq(projects.id, projectId)})`
  await ctx.batch({
    stored:
      personIds.length === 0
        ? ctx.db.delete(mailings).where(eq(mailings.projectId, projectId))
        : insertWhere(
            mailings,
            { projectId, accountId, personIds: sql`${sql.param(personIds)}::text[]`, nextAt },
            { if: 'always', onConflict: sql`(project_id) do update set person_ids = excluded.person_ids` },
          ),
    ...when(sql`true`, {
      audit: audit(ctx, {
        account: accountId,
        action: 'report.recipients',
        on: ['project', projectId],
        detail: { people: personIds.length },
      }),
    }),
  })
  return personIds.length
}

type Written = { service: string; publicUrl: string; projectId: number; site: string; month: string; lines: string }

const letter = (to: string, { service, publicUrl, projectId, site, month, lines }: Written): Mail => ({
  to,
  subject: `${monthText(month)}: ${foreign(site)}`,
  text: `The figures of ${monthText(month)}.\n\n${lines}\n\nThey stay as they are. The report, and a link to it for others:\n\n${publicUrl}/p/${projectId}/reports\n\nWho gets this mail is set on the same page.\n\n${service}`,
})

/**
 * Makes the report of the last month unless it exists, and queues a mail to each person who wants it and may still read the project.
 *
 * The report, its mark and the mails are one transaction, so that a month is mailed once.
 */
export const mailReport = async (ctx: Ctx, projectId: number): Promise<JobResult> => {
  const now = ctx.now()
  const { found, readers, sites } = await ctx.read((owner) => ({
    found: monthOf(ctx.db, projectId, null, now),
    readers: readersOf(ctx.db, owner, projectId),
    sites: ctx.db
      .select({ name: projects.businessName, url: projects.websiteUrl, accountId: projects.accountId })
      .from(projects)
      .where(and(eq(projects.id, projectId), eq(projects.accountId, owner), eq(projects.status, 'Active'))),
  }))
  const [[month], [site]] = [found.rows, sites]
  const wanting = readers.filter(({ wants }) => wants)
  if (!month || !site || wanting.length === 0) return { kind: 'done' }
  const lines = figureRows(month.figures)
    .map(([name, value, basis]) => `${name}: ${value}${basis === '' ? '' : ` (${basis})`}`)
    .join('\n')
  const { serviceName, publicUrl } = ctx.settings
  const written = { service: serviceName, publicUrl, projectId, site: site.name || site.url, month: month.month, lines }
  const until = new Date(now.getTime() + TRIED_MS)
  const mails = await Promise.all(
    wanting.map(({ id: person, email }) =>
      sealMail(ctx, letter(email, written), until, `report-${projectId}-${month.month}-${person}`),
    ),
  )
  const isDue = and(
    eq(monthlyReports.projectId, projectId),
    eq(monthlyReports.month, month.first),
    isNull(monthlyReports.mailedAt),
  )
  const due = () => ctx.db.select({ id: monthlyReports.id }).from(monthlyReports).where(isDue)
  await ctx.batch(
    {
      made: insertWhere(
        monthlyReports,
        { projectId, month: month.first, figures: month.figures, createdAt: now },
        { if: 'always', onConflict: sql`(project_id, month) do nothing` },
      ),
      due: due().for('no key update'),
      mails: mails.map((mail) => queueMail(mail, { if: exists(due()), now, account: site.accountId })),
      marked: ctx.db.update(monthlyReports).set({ mailedAt: now }).where(isDue),
    },
    { unaudited: 'figures of the account for its own people' },
  )
  return { kind: 'done' }
}
