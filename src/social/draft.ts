import type { MediaFile } from '../../schema/values/social.ts'
import type { JobResult } from '../jobs/define.ts'
import { ApiError } from '../lib/errors.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { type Reachable, reachableBy } from './accounts.ts'
import type { Social } from './port.ts'
import { saveDrafts } from './post-statements.ts'
import { articleToTell, directAccountsOf, profileOf } from './queries.ts'
import { mediaMisfit, outgoingText } from './rules.ts'
import { textAbout } from './telling.ts'

const DONE: JobResult = { kind: 'done' }

const accountsOf = async (ctx: Ctx, social: Social, projectId: number): Promise<Reachable[]> => {
  const [profiles, direct] = await ctx.read(() => [profileOf(ctx.db, projectId), directAccountsOf(ctx.db, projectId)])
  return await reachableBy(social, direct, profiles[0]?.remoteId)
}

/**
 * Drafts a post about a published article for each account of its project, once; where the project wants it they go out.
 * Networks that take no post without a picture get one only where the article has a picture.
 */
export const draftPosts = async (ctx: Ctx, social: Social, articleId: number): Promise<JobResult> => {
  const [rows] = await ctx.read(() => [articleToTell(ctx.db, articleId)])
  const article = rows[0]
  if (article?.status !== 'Published' || article.projectStatus !== 'Active' || !article.url) return DONE
  const { url } = article
  const picture: MediaFile[] = article.featureImage
    ? [{ type: 'image', url: article.featureImage, ...(article.altText ? { alt_text: article.altText } : {}) }]
    : []
  const accounts = await accountsOf(ctx, social, article.projectId).catch((error: unknown) => {
    if (error instanceof ApiError) return error
    throw error
  })
  if (accounts instanceof ApiError) return { kind: 'again', reason: accounts.code }
  const posts = accounts
    .filter(({ usable, platform }) => usable && mediaMisfit(platform, picture) === undefined)
    .map(({ platform, route, id }) => ({
      platform,
      route,
      socialAccountId: id,
      content: textAbout(platform, {
        title: article.title,
        description: article.metaDescription,
        url,
        instructions: article.instructions,
      }),
      link: url,
      // A picture of its own where the network wants one; elsewhere the link shows the article's.
      mediaFiles: mediaMisfit(platform, []) === undefined ? [] : picture,
      options: {},
      sendKey: ctx.newId(),
    }))
    .filter((post) => outgoingText(post.platform, post) !== '')
  if (posts.length === 0) return DONE
  const goesOut = article.publishing === 'Publish Immediately'
  await ctx.write(
    saveDrafts(ctx, { accountId: article.accountId, projectId: article.projectId, articleId, goesOut, posts }),
  )
  if (goesOut) ctx.defer(ctx.wakeQueue())
  return DONE
}
