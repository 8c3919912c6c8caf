import { and, eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { audit } from '../../platform/db/audit.ts'
import { countOf, statement } from '../../platform/db/statement.ts'
import { type Changes, update } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { columnsOf, type Patches } from './columns.ts'
import { postJob, restartScan, SCAN_ASKED } from './jobs.ts'
import { articlesReadOtherwise, moveArticles, movePosts, postsReadOtherwise } from './planned-days.ts'

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
