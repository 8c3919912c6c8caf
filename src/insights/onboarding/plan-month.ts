import { and, eq, exists, sql } from 'drizzle-orm'
import { projects } from '../../../schema/projects.ts'
import { projectKeywords } from '../../../schema/site.ts'
import { changeOnboarding } from '../../accounts/projects/writes.ts'
import { type PlannedArticle, planArticles } from '../../content/articles/writes.ts'
import { audit, insertWhere, listed } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { fewerThanWanted } from './plan.ts'
import type { FoundKeyword } from './port.ts'
import type { OnboardedProject } from './queries.ts'

/** Returns the note on an article plan that is shorter than wanted, or on its keywords; null if there is none. */
const noteOf = (id: number, planned: number, wanted: number, note: string | null): string | null => {
  const notes = [planned < wanted ? fewerThanWanted(id, planned, wanted) : null, note].filter((part) => part !== null)
  return notes.length === 0 ? null : notes.join(' ')
}

/** Condition: the project of the account is being onboarded. */
export const isRunning = (id: number, accountId: number) =>
  and(eq(projects.id, id), eq(projects.accountId, accountId), eq(projects.onboardingState, 'running'))

/** Settings that the plan was made for: if one of them changes meanwhile, the plan is made again. */
type Seen = Pick<OnboardedProject, 'article_plan' | 'publish_time' | 'timezone'>

/**
 * Plans the month and ends onboarding, with the project locked first, so that two runs never both plan. False if it is no longer being
 * onboarded, or its plan, time or zone was changed.
 *
 * A slug taken meanwhile violates `articles_slug_unique` and undoes it all.
 */
export const planMonth = async (
  ctx: Ctx,
  id: number,
  seen: Seen,
  articlesPerMonth: number,
  { keywords: found, note }: { keywords: readonly FoundKeyword[]; note: string | null },
  planned: readonly PlannedArticle[],
): Promise<boolean> => {
  const { id: accountId } = await ctx.account()
  const now = ctx.now()
  const isAsSeen = and(
    isRunning(id, accountId),
    eq(projects.status, 'Active'),
    sql`${projects.articlePlan} is not distinct from ${seen.article_plan}::int`,
    eq(projects.publishTime, seen.publish_time),
    eq(projects.timezone, seen.timezone),
  )
  const project = () => ctx.db.select({ id: projects.id }).from(projects).where(isAsSeen)
  const { keyword, searchVolume, keywordDifficulty: difficulty, source } = projectKeywords
  const [held] = await ctx.batch([
    project().for('no key update'),
    insertWhere(
      projectKeywords,
      {
        projectId: id,
        keyword: sql`listed.keyword`,
        searchVolume: sql`listed."searchVolume"`,
        keywordDifficulty: sql`listed.difficulty`,
        source: sql`listed.source`,
        createdAt: now,
      },
      {
        from: listed({ keyword, searchVolume, difficulty, source }, found),
        orderBy: sql`listed.n`,
        if: exists(project()),
        onConflict: sql`do nothing`,
      },
    ),
    planArticles({ id, accountId }, planned, { if: exists(project()), now }),
    audit(ctx, {
      account: accountId,
      action: 'project.onboarded',
      on: ['project', id],
      detail: { articles: planned.length, keywords: found.length },
      if: exists(project()),
    }),
    changeOnboarding(
      ctx.db,
      {
        onboardingState: 'completed',
        onboardingError: null,
        onboardingPlanned: planned.length,
        onboardingWanted: articlesPerMonth,
        onboardingNote: noteOf(id, planned.length, articlesPerMonth, note),
        articlePlan: articlesPerMonth as typeof projects.$inferInsert.articlePlan,
        updatedAt: now,
      },
      isAsSeen,
    ),
  ])
  return held.length > 0
}
