import { and, eq, sql } from 'drizzle-orm'
import { siteMoves } from '../../../schema/moves.ts'
import { websiteOf } from '../../accounts/projects/create.ts'
import { readWithProject } from '../../accounts/projects/scope.ts'
import { lockProject } from '../../accounts/projects/writes.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { moveSiteJob } from '../jobs.ts'
import type { MoveSiteInput } from './operations.ts'
import { articlesOfMove, newestMove, nextMoveId, otherProjectAt, siteToMove } from './queries.ts'

/** Returns the address of the page where a person confirms a move. */
const pageOf = (ctx: Ctx, projectId: number): string => `${ctx.settings.publicUrl}/p/${projectId}/move`

const isLooking = (projectId: number): ApiError =>
  new ApiError(
    'move_running',
    'The articles of this project are being looked for at a new address. Nothing was started.',
    {
      retry_after: 30,
      next_calls: [{ method: 'GET', path: `/projects/${projectId}/move`, why: 'Shows the progress.' }],
    },
  )

/**
 * Begins to look for the published articles of a project at a new address of its site. A move that waits for a person is replaced.
 *
 * Throws 404, 403, 400 for the address, and 409 while another move looks for the articles.
 */
export const moveSite = async (ctx: Ctx, projectId: number, { website_url: given }: MoveSiteInput) => {
  const site = websiteOf(given, ctx.settings.allowPrivateHosts)
  const {
    results: {
      now: [now],
      ids,
      others,
    },
  } = await readWithProject(ctx, projectId, (owner) => ({
    now: siteToMove(ctx.db, projectId),
    ids: nextMoveId(ctx.db),
    others: otherProjectAt(ctx.db, owner, projectId, site.websiteKey),
  }))
  if (!now) throw new Error('a project without a row')
  const wrong = (message: string) => invalidInput([{ field: 'website_url', message }])
  if (now.websiteUrl === site.websiteUrl) throw wrong('is the address of the site already')
  const [other] = others
  if (other) throw wrong(`is the site of another project of the account: ${other.id}`)
  const { id: accountId } = await ctx.account()
  const id = Number(ids.rows[0]?.id)
  const at = ctx.now()
  const page = pageOf(ctx, projectId)
  const answer = {
    status: 'looking' as const,
    move_id: id,
    project_id: projectId,
    website_url: site.websiteUrl,
    confirm_url: page,
    message: `The articles are looked for at ${site.websiteUrl}. Nothing changes until a person confirms the move. GET /projects/${projectId}/move shows the progress.`,
    instructions_for_agent: `When status in GET /projects/${projectId}/move is ready, show the user what was found and ask them to confirm the move at ${page}. No key can confirm it.`,
  }
  const isMade = sql`exists (select 1 from ${siteMoves} where ${eq(siteMoves.id, id)})`
  const { made } = await ctx.batch({
    project: lockProject(ctx.db, projectId),
    replaced: ctx.db
      .update(siteMoves)
      .set({ state: 'replaced', updatedAt: at })
      .where(and(eq(siteMoves.projectId, projectId), eq(siteMoves.state, 'ready'))),
    made: insertWhere(
      siteMoves,
      {
        id,
        accountId,
        projectId,
        fromUrl: now.websiteUrl,
        fromKey: now.websiteKey,
        toUrl: site.websiteUrl,
        toKey: site.websiteKey,
        state: 'looking',
        wanted: now.wanted,
        createdAt: at,
        updatedAt: at,
      },
      { if: 'always', onConflict: sql`do nothing`, returning: { id: siteMoves.id } },
    ),
    ...when(isMade, {
      job: enqueue(moveSiteJob, { move_id: id }, { account: accountId, runAt: at, open: 'keep' }),
      kept: ctx.keepAnswer(answer),
      audit: audit(ctx, {
        account: accountId,
        action: 'project.move',
        on: ['project', projectId],
        detail: { move_id: id, website_url: site.websiteUrl },
      }),
    }),
  })
  if (made.length === 0) throw isLooking(projectId)
  ctx.defer(ctx.wakeQueue())
  return answer
}

/** Returns the newest move of a project's site, with its articles. Throws 404, 403. */
export const showMove = async (ctx: Ctx, projectId: number) => {
  const {
    results: {
      newest: [row],
      articles,
    },
  } = await readWithProject(ctx, projectId, {
    newest: newestMove(ctx.db, projectId),
    articles: articlesOfMove(ctx.db, projectId),
  })
  if (!row) return { move: null }
  const { move, found, notFound } = row
  return {
    move: {
      id: move.id,
      status: move.state,
      old_url: move.fromUrl,
      new_url: move.toUrl,
      wanted: move.wanted,
      found,
      not_found: notFound,
      articles: articles.map((one) => ({
        article_id: one.id,
        title: one.title,
        old_url: one.oldUrl,
        new_url: one.newUrl,
        found_at: one.foundAt,
        moved: one.isMoved,
        reason: one.reason,
      })),
      confirm_url: pageOf(ctx, projectId),
      error: move.error,
      started_at: move.createdAt.toISOString(),
      moved_at: move.movedAt?.toISOString() ?? null,
    },
  }
}
