import { type SQL, sql } from 'drizzle-orm'
import { policyRefusal } from '../../accounts/policy/refusal.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { budgetRefusal, spendOfKey } from '../../platform/accounts/key-budget.ts'
import { PLAN_INCLUDES } from '../../platform/accounts/plans.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { jsonText } from '../../platform/db/json-text.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { NO_SLUG, type SlugChoice } from '../../platform/lib/slug.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { slugsFor } from '../articles/content.ts'
import { freeSlug, nextArticleId, slugFor } from '../articles/slug-parts.ts'
import { beginGeneration } from './begin-statements.ts'
import type { GenerateArticleInput } from './schemas.ts'

const SLUG_TRIES = 5
const DEFAULT_STYLE = 'Informative'
const messageOf = (id: number): string =>
  `The article is being written. Read GET /articles/${id} until Status is Draft; Progress says how far it is.`

const billingUrl = (ctx: Ctx): string => `${ctx.settings.publicUrl}/settings/billing`

/** The call that saves an article without the writer. */
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

/** The account's credits after one was taken; null if none was. */
type Begun = { credits: number | null; isOverBudget: boolean }

const NOTHING_BEGUN: Begun = { credits: null, isOverBudget: false }

const load = async (ctx: Ctx, projectId: number, choice: SlugChoice) => {
  const {
    results: [ids, slugs],
  } = await readWithProject(ctx, projectId, [
    nextArticleId(ctx.db),
    freeSlug(ctx.db, sql`${projectId}::int`, choice),
  ] as const)
  const id = Number(ids.rows[0]?.id)
  return { id, slug: slugFor(slugs, id) }
}

/**
 * Has the writer write an article from the caller's notes: takes a credit and begins in one statement. Throws 404 and 403 for
 * the project, 402 for a plan without the writer, or when no credit or budget of the key is left.
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
    const spending = spendOfKey(account, ctx.now(), 'article_credits', 1)
    const given = { article, accountId: account.id, notes: input.source_content, spending }
    const kept = (credits: SQL) => jsonText({ ...answer, article_credits_remaining: credits })
    const statement = beginGeneration(ctx, given, kept)
    const begun = await ctx.write<Begun>(statement, spending.locks).catch((error: unknown) => {
      if (violatedUnique(error) !== 'articles_slug_unique') throw error
      return undefined
    })
    if (!begun) continue
    const [{ credits, isOverBudget } = NOTHING_BEGUN] = begun
    if (credits === null) {
      const refusal = await budgetRefusal(ctx, 'article_credits', 1)
      if (refusal) throw refusal
      throw isOverBudget ? await policyRefusal(ctx, input.project_id, 'monthly_budget', 'write') : noCredits(ctx, input)
    }
    ctx.defer(ctx.wakeQueue())
    return { ...answer, article_credits_remaining: Number(credits) }
  }
  throw new ApiError(
    'edit_conflict',
    'Several articles with this keyword are being created at once. Repeat the call.',
    {
      retry_after: 1,
    },
  )
}
