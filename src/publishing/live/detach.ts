import { nextStatus, refusal } from '../../content/articles/refusals.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { violatedUnique } from '../../platform/db/client.ts'
import { cutSlug, MAX_SLUG } from '../../platform/lib/slug.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { standingPost } from '../read/queries.ts'
import { detachPost } from './detach-statements.ts'

/** Returns slugs for the next post at a CMS, since the old post keeps its own: with a number, else also with the article's id. */
const nextSlugs = (id: number, slug: string, generation: number): string[] => {
  const base = generation > 0 ? slug.replace(/-\d+$/, '') : slug
  const end = `-${generation + 2}`
  return [`${cutSlug(base, MAX_SLUG - 6)}${end}`, `${cutSlug(base, MAX_SLUG - 18)}-${id}${end}`]
}

const isReceiver = (site: string | null): boolean => site === null || site.startsWith('webhook ')

const SAME_ID =
  'The next publication goes out under the same article id. A receiver that knows posts by it may change the post it has instead of making another.'

/**
 * Makes a published article a draft that knows nothing of its post, which stays at the site. At a CMS the next publication makes
 * a new post under a new slug.
 *
 * Throws 400 (not published), 404, 403, 409 while another change runs.
 */
export const detachArticle = async (ctx: Ctx, id: number) => {
  const [[row]] = await ctx.read((owner) => [standingPost(ctx.db, owner, id)])
  const { article } = owned(row && { row, mine: row.mine }, 'article')
  nextStatus('detach', article, ctx.now())
  const stays = isReceiver(article.remoteSite)
  const slugs = stays ? [article.slug] : nextSlugs(id, article.slug, article.generation)
  const answerOf = (slug: string) => ({
    status: 'detached' as const,
    article_id: id,
    slug,
    message: `The article is a draft and may be deleted. What the site has of it stays there${article.url === null ? '' : `: ${article.url}`}.`,
    ...(stays ? { warnings: [SAME_ID] } : {}),
  })
  for (const [n, slug] of slugs.entries()) {
    const answer = answerOf(slug)
    const written = await ctx
      .write<{ id: number }>(detachPost(ctx, { articleId: id, accountId: article.accountId, slug }, answer))
      .catch((error: unknown) => {
        if (n === slugs.length - 1 || violatedUnique(error) !== 'articles_slug_unique') throw error
        return 'taken' as const
      })
    if (written === 'taken') continue
    if (written[0]) return answer
    break
  }
  throw refusal('sync_in_progress', 'detach', id)
}
