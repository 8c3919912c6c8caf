import { and, eq, exists, sql } from 'drizzle-orm'
import { siteMoveArticles, siteMoves } from '../../../schema/moves.ts'
import { insertWhere, listed } from '../../platform/db/writes.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { findAtNewSite } from './find.ts'
import { articlesAfter, lookingMove } from './queries.ts'

/** Time after which a run saves its progress and leaves the rest to the next one. It is well within the lease of a run. */
const RUN_MS = 15_000
/** Most articles that a run reads. */
const MOST = 50

type Move = typeof siteMoves.$inferSelect
type Row = Pick<
  typeof siteMoveArticles.$inferSelect,
  'articleId' | 'oldUrl' | 'newUrl' | 'newKey' | 'foundAt' | 'reason'
>

const SHARED = 'Several articles lead to the same address of the new site.'
const STEP = { unaudited: 'a step of the preview, which changes nothing; its begin and its confirmation are audited' }

/** Saves what was found. After the last article, several that lead to one address are not found, and a person may confirm. */
const save = async (
  ctx: Ctx,
  { id }: Move,
  rows: readonly Row[],
  { position, isLast }: { position: number; isLast: boolean },
) => {
  const itself = and(eq(siteMoves.id, id), eq(siteMoves.state, 'looking'))
  const isOpen = sql`${exists(ctx.db.select({ id: siteMoves.id }).from(siteMoves).where(itself))}`
  const { articleId, oldUrl, newUrl, newKey, foundAt, reason } = siteMoveArticles
  await ctx.batch(
    {
      row: ctx.db.select({ id: siteMoves.id }).from(siteMoves).where(itself).for('no key update'),
      found:
        rows.length > 0 &&
        insertWhere(
          siteMoveArticles,
          {
            moveId: id,
            articleId: sql`listed."articleId"`,
            oldUrl: sql`listed."oldUrl"`,
            newUrl: sql`listed."newUrl"`,
            newKey: sql`listed."newKey"`,
            foundAt: sql`listed."foundAt"`,
            reason: sql`listed.reason`,
          },
          {
            from: listed({ articleId, oldUrl, newUrl, newKey, foundAt, reason }, rows),
            if: sql`${isOpen} and exists (select 1 from articles a where a.id = listed."articleId")`,
            onConflict: sql`do nothing`,
          },
        ),
      shared:
        isLast &&
        ctx.db
          .update(siteMoveArticles)
          .set({ newUrl: null, newKey: null, foundAt: null, reason: SHARED })
          .where(
            and(
              eq(siteMoveArticles.moveId, id),
              isOpen,
              sql`${newKey} in (select new_key from site_move_articles where move_id = ${id}::int group by new_key having count(*) > 1)`,
            ),
          ),
      saved: ctx.db
        .update(siteMoves)
        .set({ position, ...(isLast ? { state: 'ready' as const } : {}), updatedAt: ctx.now() })
        .where(itself),
    },
    STEP,
  )
}

/**
 * Looks for articles of a move for a while, and comes back until all are handled. Nothing changes at the articles or the site.
 *
 * An article that was looked for before a crash keeps what was found.
 */
export const continueMove = async (ctx: Ctx, id: number): Promise<JobResult> => {
  const [found] = await ctx.read((owner) => lookingMove(ctx.db, owner, id))
  if (!found) return { kind: 'done' }
  const { move } = found
  const next = await ctx.read(() => articlesAfter(ctx.db, move.projectId, move.position, MOST))
  const until = ctx.now().getTime() + RUN_MS
  const rows: Row[] = []
  for (const { id: articleId, title, url } of next) {
    if (rows.length > 0 && ctx.now().getTime() > until) break
    const at = await findAtNewSite(ctx, move, { url, title })
    rows.push({ articleId, oldUrl: url, newUrl: null, newKey: null, foundAt: null, reason: null, ...at })
  }
  const isLast = rows.length === next.length && next.length < MOST
  await save(ctx, move, rows, { position: rows.at(-1)?.articleId ?? move.position, isLast })
  return isLast ? { kind: 'done' } : { kind: 'later', at: ctx.now() }
}

const GAVE_UP = 'The articles could not be looked for. Nothing was changed. Begin the move again.'

/** Stops a move whose job was given up, with the reason. */
export const giveUpMove = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const stopped = ctx.db
    .update(siteMoves)
    .set({ state: 'stopped', error: shownReason(reason, GAVE_UP), updatedAt: ctx.now() })
    .where(and(eq(siteMoves.id, id), eq(siteMoves.state, 'looking')))
  await ctx.batch({ stopped }, STEP)
}
