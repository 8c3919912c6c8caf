import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { projectKeywords } from '../../../schema/site.ts'
import { onboardJob, queueScan, SCAN_ASKED } from '../../accounts/projects/jobs.ts'
import { changeOnboarding } from '../../accounts/projects/parts.ts'
import { type PlannedArticle, planArticles } from '../../content/articles/parts.ts'
import { audit } from '../../platform/db/audit.ts'
import type { Part } from '../../platform/db/part.ts'
import { givenRows, read } from '../../platform/db/read-parts.ts'
import { type Parts, statement } from '../../platform/db/statement.ts'
import { insert } from '../../platform/db/write-parts.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { fewerThanWanted } from './plan.ts'
import type { FoundKeyword } from './port.ts'
import type { OnboardedProject } from './queries.ts'

/** Settings that the plan was made for: if one of them changes meanwhile, the plan is made again. */
type Seen = Pick<OnboardedProject, 'article_plan' | 'publish_time' | 'timezone'>

const keepKeywords = (project: Part<'id'>, found: readonly FoundKeyword[], now: Date): Parts => {
  const { keyword, searchVolume, keywordDifficulty, source } = projectKeywords
  const rows = givenRows('found', { keyword, searchVolume, difficulty: keywordDifficulty, source }, found)
  const row = {
    projectId: project.c.id,
    keyword: rows.c.keyword,
    searchVolume: rows.c.searchVolume,
    keywordDifficulty: rows.c.difficulty,
    source: rows.c.source,
    createdAt: now,
  }
  const kept = insert('kept_keywords', projectKeywords, row, {
    from: [project, rows],
    orderBy: rows.c.n,
    onConflict: 'ignore',
  })
  return [rows, kept]
}

const isRunning = (id: number): SQL => sql`${and(eq(projects.id, id), eq(projects.onboardingState, 'running'))}`

/** The project while it is as the plan was made for, locked. Article inserts of others need its key only and do not wait. */
const lockedAsSeen = (id: number, seen: Seen) =>
  read(
    'project',
    projects,
    { id: projects.id, accountId: projects.accountId },
    {
      where: sql`${and(
        isRunning(id),
        eq(projects.status, 'Active'),
        sql`${projects.articlePlan} is not distinct from ${seen.article_plan}::int`,
        eq(projects.publishTime, seen.publish_time),
        eq(projects.timezone, seen.timezone),
      )}`,
      lock: 'no key update',
    },
  )

/** Returns the note on an article plan that is shorter than wanted, or on its keywords; null if there is none. */
const noteOf = (id: number, planned: number, wanted: number, note: string | null): string | null => {
  const notes = [planned < wanted ? fewerThanWanted(id, planned, wanted) : null, note].filter((part) => part !== null)
  return notes.length === 0 ? null : notes.join(' ')
}

/**
 * Plans the month and ends onboarding in one statement, under a lock on the project, so that two runs never both plan. No row:
 * it is no longer being onboarded, or its plan, time or zone was changed.
 *
 * A slug taken meanwhile violates `articles_slug_unique` and undoes it all.
 */
export const planMonth = (
  ctx: Ctx,
  id: number,
  seen: Seen,
  articlesPerMonth: number,
  { keywords: found, note }: { keywords: readonly FoundKeyword[]; note: string | null },
  planned: readonly PlannedArticle[],
): SQL => {
  const now = ctx.now()
  const project = lockedAsSeen(id, seen)
  const finished = changeOnboarding('finished', {
    changes: {
      onboardingState: 'completed',
      onboardingError: null,
      onboardingPlanned: planned.length,
      onboardingWanted: articlesPerMonth,
      onboardingNote: noteOf(id, planned.length, articlesPerMonth, note),
      articlePlan: articlesPerMonth as typeof projects.$inferInsert.articlePlan,
      updatedAt: now,
    },
    from: [project],
    where: eq(projects.id, project.c.id),
    returning: { id: projects.id, accountId: projects.accountId },
  })
  return statement({
    parts: [project, keepKeywords(project, found, now), planArticles(project, planned, now), finished],
    audit: audit(ctx, {
      of: finished,
      account: finished.c.accountId,
      action: 'project.onboarded',
      on: ['project', finished.c.id],
      detail: { articles: planned.length, keywords: found.length },
    }),
    answer: { id: finished.c.id },
  })
}

/** Ends onboarding without a plan; the reason says what to do, and it can be started again. */
export const failOnboarding = (ctx: Ctx, id: number, error: string): SQL => {
  const failed = changeOnboarding('failed', {
    changes: { onboardingState: 'not_started', onboardingError: error, updatedAt: ctx.now() },
    where: isRunning(id),
    returning: { id: projects.id, accountId: projects.accountId },
  })
  return statement({
    parts: [failed],
    audit: audit(ctx, {
      of: failed,
      account: failed.c.accountId,
      action: 'project.onboarding_failed',
      on: ['project', failed.c.id],
    }),
    answer: { id: failed.c.id },
  })
}

/** Starts onboarding with its job; `scan`: the site is scanned again beside it. No row when it is running, the project has articles, or its site is being scanned. */
export const startOnboarding = (
  ctx: Ctx,
  accountId: number,
  id: number,
  { answer, scan }: { answer: unknown; scan: boolean },
): SQL => {
  const now = ctx.now()
  const started = changeOnboarding('started', {
    changes: { onboardingState: 'running', onboardingError: null, updatedAt: now, ...(scan ? SCAN_ASKED : {}) },
    where: sql`${and(
      eq(projects.id, id),
      eq(projects.accountId, accountId),
      eq(projects.status, 'Active'),
      ne(projects.onboardingState, 'running'),
      inArray(projects.siteScanState, ['completed', 'failed']),
    )} and not exists (select 1 from ${articles} where ${articles.projectId} = ${projects.id})`,
    returning: { id: projects.id },
  })
  const work = { from: started, account: accountId, payload: { project_id: started.c.id }, runAt: now }
  return statement({
    parts: [
      started,
      onboardJob.enqueue({ ...work, open: 'move' }),
      scan && queueScan({ from: started, account: accountId, now }),
      ctx.keep.answer([started], answer),
    ],
    audit: audit(ctx, {
      of: started,
      account: accountId,
      action: 'project.onboarding',
      on: ['project', started.c.id],
    }),
    answer: { id: started.c.id },
  })
}
