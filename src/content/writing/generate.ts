import { and, eq, gt, sql } from 'drizzle-orm'
import { accounts } from '../../../schema/accounts.ts'
import { articles, articleWritings } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { creditsSpent, hasCredits } from '../../accounts/policy/parts.ts'
import { policyRefusal } from '../../accounts/policy/read.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { budgetRefusal, spendOfKey } from '../../platform/accounts/key-budget.ts'
import { spendCredit } from '../../platform/accounts/parts.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere, jsonText } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { NO_SLUG, type SlugChoice } from '../../platform/lib/slug.ts'
import type { Account, Ctx } from '../../platform/runtime/ctx.ts'
import { slugsFor } from '../articles/content.ts'
import { freeSlug, nextArticleId, slugFor } from '../articles/parts.ts'
import { FIRST_STATUS } from '../articles/transitions.ts'
import { writeJob } from './jobs.ts'
import type { GenerateArticleInput } from './operations.ts'
import { progressOf } from './rules.ts'

const SLUG_TRIES = 5
const DEFAULT_STYLE = 'Informative'
const messageOf = (id: number): string =>
  `The article is being written. Read GET /articles/${id} until Status is Draft; Progress says how far it is.`

const billingUrl = (ctx: Ctx): string => `${ctx.settings.publicUrl}/settings/billing`

/** Returns the call that saves an article without the writer. */
const ownArticle = ({ project_id, keyword }: GenerateArticleInput) => ({
  method: 'POST',
  path: '/articles',
  body: { project_id, keyword },
  why: 'Saves an article that you write yourself: send its content too.',
})

const planRequired = (ctx: Ctx, input: GenerateArticleInput): ApiError =>
  new ApiError('plan_required', 'The account’s plan does not include the writer. Nothing was started or billed.', {
    upgrade_url: billingUrl(ctx),
    next_calls: [ownArticle(input)],
    instructions_for_agent: `Write the article yourself and save it with POST /articles, or tell the user that the writer comes with the Pro plan, which can be chosen at ${billingUrl(ctx)}.`,
  })

const noCredits = (ctx: Ctx, input: GenerateArticleInput): ApiError =>
  new ApiError('no_article_credits', 'The account has no article credit left. Nothing was started or billed.', {
    upgrade_url: billingUrl(ctx),
    next_calls: [ownArticle(input)],
    instructions_for_agent: `Write the article yourself and save it with POST /articles, or tell the user that the month’s article credits are used up: they are filled up on the first of the month (UTC), and a larger plan has more: ${billingUrl(ctx)}.`,
  })

type Answer = {
  article_id: number
  status: 'generating'
  keyword: string
  slug: string
  message: string
  article_credits_remaining: number
}

const load = async (ctx: Ctx, projectId: number, choice: SlugChoice) => {
  const {
    results: { ids, slugs },
  } = await readWithProject(ctx, projectId, {
    ids: nextArticleId(ctx.db),
    slugs: freeSlug(ctx.db, sql`${projectId}::int`, choice),
  })
  const id = Number(ids.rows[0]?.id)
  return { id, slug: slugFor(slugs, id) }
}

type NewGeneration = {
  article: Pick<
    typeof articles.$inferInsert,
    'projectId' | 'title' | 'mainKeyword' | 'slug' | 'articleStyle' | 'instructions'
  > & { id: number }
  account: Account
  notes: string
  answer: Omit<Answer, 'article_credits_remaining'>
}

/**
 * Creates an article and spends a credit for it. Returns the remaining credits.
 *
 * `begun` is false without a credit, or if a monthly budget of the project or the key is used up. A slug taken in the meantime
 * violates `articles_slug_unique` and undoes everything.
 */
const begin = async (ctx: Ctx, { article, account, notes, answer }: NewGeneration) => {
  const now = ctx.now()
  const spending = spendOfKey(account, now, 'article_credits', 1)
  const [mine, project] = [eq(accounts.id, account.id), eq(projects.id, article.projectId)]
  const hasCredit = sql`exists (select 1 from ${accounts} where ${and(mine, gt(accounts.articleCredits, 0))})`
  const hasBudget = sql`exists (select 1 from ${projects} where ${project} and ${hasCredits(now)})`
  const isMade = sql`exists (select 1 from ${articles} where ${eq(articles.id, article.id)})`
  const left = sql`(select ${accounts.articleCredits} from ${accounts} where ${mine})`
  const {
    account: [held],
    made,
  } = await ctx.batch({
    account: ctx.db.select({ credits: accounts.articleCredits }).from(accounts).where(mine).for('no key update'),
    spendingLock: spending.lock,
    project: lockProject(ctx.db, article.projectId),
    made: insertWhere(
      articles,
      {
        ...article,
        accountId: account.id,
        status: FIRST_STATUS.generation,
        writingStartedAt: now,
        progress: progressOf(null, 0),
        createdAt: now,
        updatedAt: now,
      },
      { if: sql`${hasCredit} and ${hasBudget} and ${spending.hasRoom}` },
    ),
    ...when(isMade, {
      articleWritings: (isMet) =>
        insertWhere(
          articleWritings,
          { articleId: article.id, kind: 'generate', notes, creditTaken: true, startedAt: now, updatedAt: now },
          { if: isMet },
        ),
      writeJob: enqueue(writeJob, { article_id: article.id }, { account: account.id, runAt: now, open: 'move' }),
      spendCredit: (isMet) => spendCredit(ctx.db, account.id, isMet),
      changedProjects: (isMet) => ctx.db.update(projects).set(creditsSpent(now)).where(and(project, isMet)),
      chargeIf: (isMet) => spending.chargeIf(ctx.db, isMet),
      audit: audit(ctx, { account: account.id, action: 'article.generate', on: ['article', article.id] }),
      kept: ctx.keepAnswer(jsonText({ ...answer, article_credits_remaining: left })),
    }),
  })
  const credits = held?.credits ?? 0
  const begun = made.length > 0
  return { begun, credits: begun ? credits - 1 : credits }
}

/**
 * Starts writing an article from the caller's notes, for one credit. Throws 404 and 403 for the project.
 *
 * Throws 402 for a plan without the writer, or if the account's credits or the key's budget are used up. Throws 403 if the
 * monthly budget of the project's policy is used up.
 */
export const generateArticle = async (ctx: Ctx, input: GenerateArticleInput): Promise<Answer> => {
  const [choice = NO_SLUG] = await slugsFor(ctx, [[input.keyword, input.title ?? '']])
  for (let attempt = 0; attempt < SLUG_TRIES; attempt += 1) {
    const { id, slug } = await load(ctx, input.project_id, choice)
    const account = await ctx.account()
    if (!PLAN_INCLUDES[account.plan].writer) throw planRequired(ctx, input)
    const { keyword } = input
    const answer = { article_id: id, status: 'generating', keyword, slug, message: messageOf(id) } as const
    const article = {
      id,
      projectId: input.project_id,
      title: input.title ?? keyword,
      mainKeyword: keyword,
      slug,
      articleStyle: input.article_style ?? DEFAULT_STYLE,
      instructions: input.instructions ?? '',
    } as const
    const given = { article, account, notes: input.source_content, answer }
    const outcome = await begin(ctx, given).catch((error: unknown) => {
      if (violatedUnique(error) !== 'articles_slug_unique') throw error
      return undefined
    })
    if (!outcome) continue
    const { begun, credits } = outcome
    if (!begun) {
      const refusal = await budgetRefusal(ctx, 'article_credits', 1)
      if (refusal) throw refusal
      throw credits > 0 ? await policyRefusal(ctx, input.project_id, 'monthly_budget', 'write') : noCredits(ctx, input)
    }
    ctx.defer(ctx.wakeQueue())
    return { ...answer, article_credits_remaining: credits }
  }
  throw new ApiError(
    'edit_conflict',
    'Several articles with this keyword are being created at once. Repeat the call.',
    {
      retry_after: 1,
    },
  )
}
