import { and, eq, lt, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { projects } from '../../../schema/projects.ts'
import { includedCredits } from '../../platform/accounts/credits.ts'
import { audit } from '../../platform/db/audit.ts'
import { jsonText } from '../../platform/db/json-text.ts'
import type { AnyPart, Part } from '../../platform/db/part.ts'
import { countOf, statement } from '../../platform/db/statement.ts'
import { type Changes, insert, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { postJob, queueScan, restartScan, SCAN_ASKED } from './jobs.ts'
import { articlesReadOtherwise, moveArticles, movePosts, postsReadOtherwise } from './planned-days.ts'
import { SETTINGS } from './settings.ts'

type Columns = Partial<typeof projects.$inferInsert>
type Patches = Partial<Record<'articleQualitySettings' | 'imagePreferences', Record<string, unknown>>>

/**
 * Stored columns of settings: plain ones as they are, merged ones gathered into one patch for each jsonb column. Null: what
 * holds by default.
 */
export const columnsOf = (settings: Record<string, unknown>): { columns: Columns; patches: Patches } => {
  const columns: Record<string, unknown> = {}
  const patches: Patches = {}
  for (const [name, value] of Object.entries(settings)) {
    const place = SETTINGS[name]?.place
    if (!place) continue
    if ('merged' in place) patches[place.merged] = { ...patches[place.merged], [name]: value ?? place.cleared }
    else columns[place.column] = value ?? sql`default`
  }
  return { columns: columns as Columns, patches }
}

/** First state of the scan of a new project's site; `failed` with the reason if it cannot be scanned. */
export type Scanning = { state: 'pending' | 'failed'; error: string | null }

export type NewProject = {
  id: number
  websiteUrl: string
  websiteKey: string
  settings: Record<string, unknown>
  scanning: Scanning
}

/** Parts that give a new project its first backlink credits. They are passed in, because the exchange is above projects. */
export type Welcome = {
  credits: (whose: { accountId: number; websiteKey: string }, slot: Part<'total'>) => Part<'credits'>
  book: (
    whose: { accountId: number; websiteKey: string },
    made: Part<'id'>,
    credits: Part<'credits'>,
    now: Date,
  ) => AnyPart
}

/**
 * The article credits that come with a new project: those of its plan, for no more projects a month than the account has slots.
 * Projects that had the month's share are the active ones and those changed, and so archived, since it was given out.
 */
const creditsOfNew = (accountId: number): SQL => {
  const had = sql`(select count(*) from ${projects} where ${projects.accountId} = ${accountId}::int
    and (${projects.status} = 'Active' or ${projects.updatedAt} >= ${accounts.creditsFilledAt}))`
  return sql`case when ${had} < ${accounts.projectSlots} then ${includedCredits(sql`${accounts.plan}`)} else 0 end`
}

/** Claims a free slot of the account, and grants the plan's article credits of a project. */
const claimSlot = (accountId: number) =>
  update(
    'slot',
    accounts,
    {
      activeProjects: sql`${accounts.activeProjects} + 1`,
      articleCredits: sql`${accounts.articleCredits} + ${creditsOfNew(accountId)}`,
    },
    {
      where: sql`${and(eq(accounts.id, accountId), lt(accounts.activeProjects, accounts.projectSlots))}`,
      returning: { used: accounts.activeProjects, total: accounts.projectSlots },
    },
  )

/**
 * Takes a slot, creates the project and asks for its site's scan in one statement. No row when every slot is taken. A second
 * project for the same site violates `projects_active_website_unique` and undoes the whole statement.
 *
 * `answer`: what is answered, with the numbers that only the statement knows.
 */
export const insertProject = (
  ctx: Ctx,
  accountId: number,
  { id, websiteUrl, websiteKey, settings, scanning }: NewProject,
  welcome: Welcome,
  answer: (known: { used: SQL; total: SQL; credits: SQL }) => Record<string, unknown>,
): SQL => {
  const { columns, patches } = columnsOf(settings)
  const sentFields = Object.keys(settings)
  const slot = claimSlot(accountId)
  const credits = welcome.credits({ accountId, websiteKey }, slot)
  const made = insert(
    'made',
    projects,
    {
      ...columns,
      ...patches,
      id,
      accountId,
      websiteUrl,
      websiteKey,
      sentFields,
      siteScanState: scanning.state,
      siteScanError: scanning.error,
      backlinkCredits: credits.c.credits,
    },
    { from: [credits], returning: { id: projects.id, credits: projects.backlinkCredits } },
  )
  return statement({
    parts: [
      slot,
      credits,
      made,
      welcome.book({ accountId, websiteKey }, made, credits, ctx.now()),
      scanning.state === 'pending' && queueScan({ from: made, account: accountId, now: ctx.now() }),
      ctx.keep.answer([made, slot], jsonText(answer({ ...slot.c, credits: made.c.credits }))),
    ],
    audit: audit(ctx, {
      of: made,
      account: accountId,
      action: 'project.create',
      on: ['project', made.c.id],
      detail: { fields: sentFields },
    }),
    answer: { id: made.c.id, credits: made.c.credits, used: slot.c.used, total: slot.c.total },
  })
}

/** Changes a project of the account, says so in the audit log, and keeps the answer. No row when it is not the account's. */
const changeProject = (
  ctx: Ctx,
  { accountId, id, version }: { accountId: number; id: number; version?: ProjectVersion },
  changes: Changes<typeof projects>,
  deed: { action: string; detail: Record<string, unknown> },
  { scan = false, clock = false }: { scan?: boolean; clock?: boolean } = {},
): SQL => {
  const changed = update(
    'changed',
    projects,
    { ...changes, ...(scan ? SCAN_ASKED : {}), updatedAt: version?.savedAt ?? ctx.now() },
    {
      where: sql`${and(
        eq(projects.id, id),
        eq(projects.accountId, accountId),
        version?.changedAt && eq(projects.updatedAt, version.changedAt),
      )}`,
      returning: { id: projects.id, timezone: projects.timezone, publishTime: projects.publishTime },
    },
  )
  const now = ctx.now()
  const times = { savedAt: version?.savedAt ?? now, now }
  const moved = clock && { articles: moveArticles(changed, times), posts: movePosts(changed, times) }
  return statement({
    parts: [
      changed,
      moved && [
        moved.articles,
        moved.posts,
        postJob.enqueue({
          from: moved.posts,
          account: accountId,
          payload: { post_id: moved.posts.c.id },
          runAt: moved.posts.c.scheduledFor,
          open: 'move',
        }),
      ],
      scan && restartScan({ from: changed, account: accountId, now: ctx.now() }, ctx.random()),
    ],
    audit: audit(ctx, { of: changed, account: accountId, on: ['project', changed.c.id], ...deed }),
    answer: {
      id: changed.c.id,
      ...(moved
        ? {
            moved_articles: countOf(moved.articles),
            articles_read_otherwise: articlesReadOtherwise(changed, now),
            moved_posts: countOf(moved.posts),
            posts_read_otherwise: postsReadOtherwise(changed, now),
          }
        : {}),
    },
    answerFrom: changed.rows,
  })
}

/** Version of a project to change (any, without `changedAt`), and the time of the change. */
export type ProjectVersion = { changedAt?: Date | undefined; savedAt: Date }

/**
 * Writes only the given settings; merged ones keep their other keys. No row when the project is not the account's, or is
 * another version by now. `scan`: its site is scanned again.
 */
export const updateSettings = (
  ctx: Ctx,
  accountId: number,
  id: number,
  settings: Record<string, unknown>,
  version: ProjectVersion,
  scan: boolean,
): SQL => {
  const { columns, patches } = columnsOf(settings)
  const fields = Object.keys(settings)
  const merged = Object.entries(patches).map(([name, patch]) => {
    const column = projects[name as keyof Patches]
    return [name, sql`${column} || ${JSON.stringify(patch)}::jsonb`]
  })
  const sentFields = sql`array(select distinct unnest(${projects.sentFields} || ${sql.param(fields)}::text[]))`
  const changes = { ...columns, ...Object.fromEntries(merged), sentFields }
  return changeProject(
    ctx,
    { accountId, id, version },
    changes,
    { action: 'project.update', detail: { fields } },
    { scan, clock: 'timezone' in settings || 'publish_time' in settings },
  )
}
