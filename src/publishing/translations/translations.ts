import { eq, inArray, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { articleTranslations } from '../../../schema/translations.ts'
import { languageTag, MAX_TRANSLATIONS } from '../../content/articles/translations.ts'
import { readAlternates } from '../../content/html/page.ts'
import { readLivePage } from '../../content/site/live-page.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import { when } from '../../platform/db/steps.ts'
import { audit, insertWhere } from '../../platform/db/writes.ts'
import { ApiError, invalidInput } from '../../platform/lib/errors.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { JoinTranslationInput } from './operations.ts'
import { type LivePageOf, languagesTwice, wrongPairs } from './pairs.ts'
import { articleInLanguage, translationsOf } from './queries.ts'

/**
 * Joins an article with the group of another article of the account, and takes it out of its own.
 *
 * Throws 404 and 403 for the article, 404 for the other one, which may be of any project of the account, and 400 for the article itself.
 */
export const joinTranslation = async (
  ctx: Ctx,
  id: number,
  { translation_of: otherId, language }: JoinTranslationInput,
) => {
  const { own, other, group } = await ctx.read((owner) => ({
    own: articleInLanguage(ctx.db, owner, id),
    other: articleInLanguage(ctx.db, owner, otherId),
    group: translationsOf(ctx.db, owner, otherId),
  }))
  const article = owned(own[0] && { row: own[0], mine: own[0].mine }, 'article')
  const field = 'translation_of'
  if (otherId === id) throw invalidInput([{ field, message: 'is the article itself' }])
  if (!other[0]?.mine)
    throw new ApiError('not_found', 'translation_of: the account has no such article. Nothing was changed.', {
      details: [{ field, message: 'is not an article of the account' }],
    })
  if (group.length >= MAX_TRANSLATIONS && !group.some((one) => one.id === id))
    throw invalidInput([{ field, message: `is in a group of ${MAX_TRANSLATIONS} articles, which is the most` }])
  const { accountId } = article
  const now = ctx.now()
  const given = language === undefined ? '' : languageTag(language)
  const answer = {
    status: 'joined' as const,
    article_id: id,
    translation_of: otherId,
    language: given || languageTag(article.language),
    message: `It is a translation of article ${otherId} now. GET /articles/${id}/translations shows and checks the group.`,
  }
  const both = sql`(select count(*) from articles a where a.id in (${id}::int, ${otherId}::int) and a.account_id = ${accountId}::int) = 2`
  const { joined } = await ctx.batch({
    locked: ctx.db
      .select({ id: articles.id })
      .from(articles)
      .where(inArray(articles.id, [id, otherId]))
      .orderBy(articles.id)
      .for('no key update'),
    ...when(both, {
      first: (isMet) =>
        insertWhere(
          articleTranslations,
          { articleId: otherId, accountId, groupId: sql`gen_random_uuid()`, createdAt: now },
          { if: isMet, onConflict: sql`do nothing` },
        ),
      audit: audit(ctx, {
        account: accountId,
        action: 'article.translation',
        on: ['article', id],
        detail: { translation_of: otherId },
      }),
      kept: ctx.keepAnswer(answer),
      joined: (isMet) =>
        insertWhere(
          articleTranslations,
          {
            articleId: id,
            accountId,
            groupId: sql`(select group_id from article_translations where article_id = ${otherId}::int)`,
            language: given,
            createdAt: now,
          },
          {
            if: isMet,
            onConflict: sql`(article_id) do update set group_id = excluded.group_id, language = excluded.language`,
            returning: { id: articleTranslations.articleId },
          },
        ),
    }),
  })
  if (joined.length === 0) throw new ApiError('not_found', 'One of the articles was deleted at this moment.')
  return answer
}

/** Takes an article out of its group. Throws 404, 403. */
export const leaveTranslations = async (ctx: Ctx, id: number) => {
  const { own, group } = await ctx.read((owner) => ({
    own: articleInLanguage(ctx.db, owner, id),
    group: translationsOf(ctx.db, owner, id),
  }))
  const { accountId } = owned(own[0] && { row: own[0], mine: own[0].mine }, 'article')
  const isIn = group.length > 0
  const answer = {
    status: isIn ? ('left' as const) : ('none' as const),
    article_id: id,
    message: isIn ? 'The article is in no group any more.' : 'The article was in no group. Nothing was changed.',
  }
  const hasRow = sql`exists (select 1 from article_translations where article_id = ${id}::int)`
  await ctx.batch({
    ...when(hasRow, {
      audit: audit(ctx, { account: accountId, action: 'article.leave_translations', on: ['article', id] }),
    }),
    kept: ctx.keepAnswer(answer)('always'),
    left: ctx.db.delete(articleTranslations).where(eq(articleTranslations.articleId, id)),
  })
  return answer
}

type Member = Awaited<ReturnType<typeof translationsOf>>[number]

/** Reads the links to other languages on the live page of an article. */
const readPage = async (ctx: Ctx, { id, language, url }: Member & { url: string }): Promise<LivePageOf> => {
  const about = { articleId: id, language, url }
  const page = await readLivePage(ctx, url)
  if (page.kind === 'unread') return { ...about, reason: page.reason }
  if (page.status !== 200) return { ...about, reason: `It answered with ${page.status}.` }
  return { ...about, links: readAlternates(page.html, page.base) }
}

const isLive = (one: Member): one is Member & { url: string } => one.status === 'Published' && one.url !== null

/**
 * Returns the articles of an article's group, with the check `hreflang_pairs`: each language is there once, and each live page names itself
 * and all others. Throws 404, 403.
 */
export const showTranslations = async (ctx: Ctx, id: number) => {
  const { own, group } = await ctx.read((owner) => ({
    own: articleInLanguage(ctx.db, owner, id),
    group: translationsOf(ctx.db, owner, id),
  }))
  owned(own[0] && { row: own[0], mine: own[0].mine }, 'article')
  const members = group.map((one) => ({ ...one, language: languageTag(one.language) }))
  const live = members.filter(isLive)
  const isPaired = live.length > 1
  const pages = isPaired ? await Promise.all(live.map((one) => readPage(ctx, one))) : []
  const problems = [...languagesTwice(members), ...wrongPairs(pages)]
  const status = problems.length > 0 ? ('problems' as const) : isPaired ? ('ok' as const) : ('not_live' as const)
  return {
    article_id: id,
    translations: members.map((one) => ({
      article_id: one.id,
      project_id: one.projectId,
      title: one.title,
      language: one.language,
      status: one.status,
      url: one.url,
    })),
    hreflang_pairs: {
      status,
      problems,
      expected: live.map(({ language, url }) => ({ hreflang: language, href: url })),
    },
  }
}
