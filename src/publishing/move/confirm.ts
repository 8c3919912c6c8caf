import { and, eq, exists, isNotNull, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { siteMoveArticles, siteMoves } from '../../../schema/moves.ts'
import { firstTurn, scanJob } from '../../accounts/projects/jobs.ts'
import { isManagedBy } from '../../accounts/projects/parts.ts'
import { getProject } from '../../accounts/projects/read.ts'
import { unscannable } from '../../accounts/projects/rules.ts'
import { lockProject, moveSite } from '../../accounts/projects/writes.ts'
import { isMoveAllowed } from '../../content/articles/parts.ts'
import { changeArticle } from '../../content/articles/writes.ts'
import { movePages } from '../../content/site/writes.ts'
import { holdAccount } from '../../platform/accounts/parts.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, decideOnce } from '../../platform/db/writes.ts'
import { enqueue } from '../../platform/jobs/enqueue.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { moveById } from './queries.ts'

/** Reason of an article that was changed between the preview and the confirmation. */
const CHANGED = 'Its address changed after it was looked for, or it is being sent to the site.'

const notReady = () =>
  new ApiError('edit_conflict', 'This move does not wait any more. Nothing was changed. Look at it again.')

/**
 * Moves a project's site to the address of a move that a person confirms, in one transaction: the project, the addresses of the articles
 * that were found, and their pages. Old pages stay, so that search numbers still find the articles. Returns the number of moved articles.
 *
 * An article whose address changed since it was looked for keeps its address, with the reason. Throws 404, and 409 if the move does not
 * wait any more.
 */
export const confirmMove = async (
  ctx: Ctx,
  by: { id: string; accountId: number },
  projectId: number,
  moveId: number,
): Promise<number> => {
  const project = await getProject(ctx, projectId)
  const [move] = await ctx.read(() => moveById(ctx.db, project.id, moveId))
  if (move?.state !== 'ready') throw notReady()
  const { accountId } = by
  const now = ctx.now()
  const site = { websiteUrl: move.toUrl, websiteKey: move.toKey }
  const waiting = and(eq(siteMoves.id, moveId), eq(siteMoves.accountId, accountId), eq(siteMoves.state, 'ready'))
  const isSame = sql`exists (select 1 from projects p where p.id = ${projectId}::int and p.account_id = ${accountId}::int
    and p.status = 'Active' and p.website_url = ${move.fromUrl}
    and not exists (select 1 from projects o where o.account_id = p.account_id and o.status = 'Active' and o.website_key = ${move.toKey} and o.id <> p.id))`
  const may = decideOnce(
    sql`${exists(ctx.db.select({ id: siteMoves.id }).from(siteMoves).where(waiting))} and ${isSame} and ${isManagedBy(by)}`,
  )
  const ofMove = eq(siteMoveArticles.moveId, moveId)
  const moved = sql`select m.article_id, m.new_url, m.new_key from site_move_articles m where m.move_id = ${moveId}::int and m.is_moved`
  const { decision, changed = [] } = await ctx.batch({
    account: holdAccount(accountId),
    project: lockProject(ctx.db, projectId),
    decided: may.statement,
    ...when(may.isMet, {
      lockedArticles: (isMet) => sql`select a.id from articles a join site_move_articles m on m.article_id = a.id
        where m.move_id = ${moveId}::int and m.new_url is not null and ${isMet} order by a.id for no key update of a`,
      kept: (isMet) =>
        ctx.db
          .update(siteMoveArticles)
          .set({ isMoved: true })
          .from(articles)
          .where(
            and(
              ofMove,
              isNotNull(siteMoveArticles.newUrl),
              eq(articles.id, siteMoveArticles.articleId),
              eq(articles.url, siteMoveArticles.oldUrl),
              isMoveAllowed('sync', now),
              isMet,
            ),
          ),
      leftOut: (isMet) =>
        ctx.db
          .update(siteMoveArticles)
          .set({ reason: CHANGED })
          .where(and(ofMove, isNotNull(siteMoveArticles.newUrl), eq(siteMoveArticles.isMoved, false), isMet)),
      changed: (isMet) =>
        changeArticle(
          ctx.db,
          {
            url: sql`(select m.new_url from site_move_articles m where m.move_id = ${moveId}::int and m.article_id = ${articles.id})`,
            updatedAt: now,
          },
          and(sql`${articles.id} in (select moved.article_id from (${moved}) moved)`, isMet),
        ),
      pages: (isMet) => movePages(ctx.db, projectId, { moved, siteKey: move.toKey }, { if: isMet, now }),
      site: (isMet) => moveSite(ctx.db, projectId, site, { if: isMet, now }),
      ...(unscannable(move.toUrl) === null
        ? {
            scan: enqueue(
              scanJob,
              { project_id: projectId, turn: firstTurn(ctx.random()) },
              { account: accountId, runAt: now, open: 'move', replacePayload: true },
            ),
          }
        : {}),
      audit: audit(ctx, {
        account: accountId,
        action: 'project.moved',
        on: ['project', projectId],
        detail: { move_id: moveId, from: move.fromUrl, to: move.toUrl },
      }),
      decision: (isMet) =>
        ctx.db
          .update(siteMoves)
          .set({
            state: 'moved',
            movedAt: now,
            updatedAt: now,
            sourceId: sql`(select source_id from search_connections where project_id = ${projectId}::int)`,
          })
          .where(and(waiting, isMet))
          .returning({ id: siteMoves.id }),
    }),
  })
  if (decision.length === 0) throw notReady()
  ctx.defer(ctx.wakeQueue())
  return changed.length
}

/** Sets a move aside that waits for a person or is looked for. Nothing else changes. */
export const setMoveAside = async (ctx: Ctx, projectId: number, moveId: number): Promise<void> => {
  const { id } = await getProject(ctx, projectId)
  const { id: accountId } = await ctx.account()
  const open = and(
    eq(siteMoves.id, moveId),
    eq(siteMoves.projectId, id),
    sql`${siteMoves.state} in ('looking', 'ready')`,
  )
  const isOpen = exists(ctx.db.select({ id: siteMoves.id }).from(siteMoves).where(open))
  await ctx.batch({
    project: lockProject(ctx.db, id),
    ...when(sql`${isOpen}`, {
      audit: audit(ctx, {
        account: accountId,
        action: 'project.move_aside',
        on: ['project', id],
        detail: { move_id: moveId },
      }),
    }),
    aside: ctx.db.update(siteMoves).set({ state: 'replaced', updatedAt: ctx.now() }).where(open),
  })
}
