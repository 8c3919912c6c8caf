import { and, eq, type SQL, sql } from 'drizzle-orm'
import { articleDrafts, articles } from '../../../schema/articles.ts'
import { memberships } from '../../../schema/people.ts'
import { insertWhere } from '../../platform/db/writes.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'

/** Text of an article that a person typed and did not save. */
export type Draft = {
  /** Id of the page in which it is typed. */
  draftId: string
  title: string
  metaDescription: string
  content: string
  /** Entity tag of the saved article from which it began. */
  version: string
}

/** Article of a site, and the person who writes in it. */
type Place = { articleId: number; projectId: number; personId: string }

const UNAUDITED = { unaudited: 'nothing of the article changes' }

const isSlot = ({ articleId, personId }: Omit<Place, 'projectId'>): SQL | undefined =>
  and(eq(articleDrafts.personId, personId), eq(articleDrafts.articleId, articleId))

/**
 * Keeps what a person typed, in their one place for the article.
 *
 * Returns `other` if that place has the text of another page, which stays; `none` if the site has no such article, or the
 * person is no longer in the account.
 */
export const keepDraft = async (ctx: Ctx, place: Place, draft: Draft): Promise<'kept' | 'other' | 'none'> => {
  const { id: accountId } = await ctx.account()
  const isOne = and(
    eq(articles.id, place.articleId),
    eq(articles.projectId, place.projectId),
    eq(articles.accountId, accountId),
    sql`exists (select 1 from ${memberships} where ${and(eq(memberships.personId, place.personId), eq(memberships.accountId, accountId))})`,
  )
  const { found, kept } = await ctx.batch(
    {
      found: ctx.db.select({ id: articles.id }).from(articles).where(isOne).for('key share'),
      kept: insertWhere(
        articleDrafts,
        { ...draft, personId: place.personId, articleId: sql`${articles.id}`, updatedAt: ctx.now() },
        {
          from: sql`${articles}`,
          if: sql`${isOne}`,
          onConflict: sql`(person_id, article_id) do update set draft_id = excluded.draft_id, title = excluded.title,
            meta_description = excluded.meta_description, content = excluded.content, version = excluded.version,
            updated_at = excluded.updated_at where ${articleDrafts.draftId} = excluded.draft_id`,
        },
      ),
    },
    UNAUDITED,
  )
  if (found.length === 0) return 'none'
  return kept.length > 0 ? 'kept' : 'other'
}

/** Returns what a person typed in an article of the account and did not save; undefined if there is nothing. */
export const readDraft = async (
  ctx: Ctx,
  place: Omit<Place, 'projectId'>,
): Promise<(Draft & { updatedAt: Date }) | undefined> => {
  const { draftId, title, metaDescription, content, version, updatedAt } = articleDrafts
  const [found] = await ctx.read((owner) =>
    ctx.db
      .select({ draftId, title, metaDescription, content, version, updatedAt })
      .from(articleDrafts)
      .innerJoin(articles, eq(articles.id, articleDrafts.articleId))
      .where(and(isSlot(place), eq(articles.accountId, sql`${owner}`))),
  )
  return found
}

/** Deletes what a person typed in an article and did not save: all of it, or only the text of one page. */
export const dropDraft = async (ctx: Ctx, place: Omit<Place, 'projectId'>, draftId?: string): Promise<void> => {
  const isOne = and(isSlot(place), draftId === undefined ? undefined : eq(articleDrafts.draftId, draftId))
  await ctx.batch({ dropped: ctx.db.delete(articleDrafts).where(isOne) }, UNAUDITED)
}
