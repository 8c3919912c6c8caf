import type { MediaFile, SocialPlatform } from '../../../schema/values/social.ts'
import type { JobResult } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { storableText } from '../../platform/lib/text.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { accountsReachableFrom, type Reachable } from './accounts.ts'
import { saveDrafts } from './new-posts.ts'
import type { PostWriter, Social } from './port.ts'
import { articleForPost, directAccountsOf, profileOf } from './queries.ts'
import { fittingText, lengthBesideLink, mediaMisfit, misfit, NETWORKS, outgoingText } from './rules.ts'

/** Facts about an article for a post. */
type PostFacts = { title: string; description: string; url: string; instructions: string; written?: string | undefined }

const MAX_TAGS = 5

/** Returns the hashtags in the project's instructions. */
const tagsIn = (instructions: string): string[] =>
  [...new Set(instructions.match(/(?<![\p{L}\p{N}_&#])#[\p{L}\p{N}_]{2,50}/gu) ?? [])].slice(0, MAX_TAGS)

/**
 * Returns the text of a post about an article: title and description as far as they fit with the link, then hashtags if they
 * fit.
 *
 * The hashtags come from the instructions. Words that a model wrote for the network replace title and description. The text
 * adds no facts to those of the article.
 */
export const textAbout = (
  platform: SocialPlatform,
  { title, description, url, instructions, written }: PostFacts,
): string => {
  const own = storableText(written ?? '').trim()
  if (own !== '') return fittingText(platform, own, url)
  const wording =
    description === '' || description.startsWith(title) ? description || title : `${title}\n\n${description}`
  const tags = tagsIn(instructions).join(' ')
  const whole = tags === '' ? wording : `${wording}\n\n${tags}`
  if (misfit(platform, { content: whole, link: url, media: [] }) === undefined) return whole
  const short = tags === '' ? title : `${title}\n\n${tags}`
  if (tags !== '' && misfit(platform, { content: short, link: url, media: [] }) === undefined) return short
  return fittingText(platform, wording, url)
}

const DONE: JobResult = { kind: 'done' }

const accountsOf = async (ctx: Ctx, social: Social, projectId: number): Promise<Reachable[]> => {
  const { profiles, direct } = await ctx.read(() => ({
    profiles: profileOf(ctx.db, projectId),
    direct: directAccountsOf(ctx.db, projectId),
  }))
  return await accountsReachableFrom(social, direct, profiles[0]?.remoteId)
}

type Told = Awaited<ReturnType<typeof articleForPost>>[number] & { url: string }
type Words = Partial<Record<string, string>>

/** Attempts at a model that does not answer. After them, the words are the article's own. */
const MAX_ASKED = 4

/** Returns a model's words for each network, by the project's instructions; none without instructions or a model. */
const wordsOf = async (
  ctx: Ctx,
  writer: PostWriter,
  { title, metaDescription: description, content: html, url, instructions, language }: Told,
  accounts: readonly Reachable[],
): Promise<Words | 'again'> => {
  if (instructions.trim() === '' || accounts.length === 0) return {}
  const networks = [...new Set(accounts.map(({ platform }) => platform))].map((platform) => ({
    platform,
    name: NETWORKS[platform].name,
    maxCharacters: lengthBesideLink(platform, url),
  }))
  const answer = await writer.posts({ article: { title, description, html }, instructions, language, networks })
  if (answer.kind === 'done') return answer.value
  if (answer.kind === 'refused') ctx.log('warn', 'social.words_not_written', { reason: answer.reason })
  const isAskedAgain = answer.kind === 'refused' && answer.retryable && (ctx.run?.attempts ?? MAX_ASKED) < MAX_ASKED
  return isAskedAgain ? 'again' : {}
}

/**
 * Drafts a post about a published article for each account of its project, once. They go out if the project's settings allow
 * it.
 *
 * A network that requires a picture only gets a post if the article has a picture.
 */
export const draftPosts = async (
  ctx: Ctx,
  social: Social,
  writer: PostWriter,
  articleId: number,
): Promise<JobResult> => {
  const rows = await ctx.read(() => articleForPost(ctx.db, articleId))
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
  const fitting = accounts.filter(({ usable, platform }) => usable && mediaMisfit(platform, picture) === undefined)
  const words = await wordsOf(ctx, writer, { ...article, url }, fitting)
  if (words === 'again') return { kind: 'again', reason: 'the writer of posts did not answer' }
  const posts = fitting
    .map(({ platform, route, id }) => ({
      platform,
      route,
      socialAccountId: id,
      content: textAbout(platform, {
        title: article.title,
        description: article.metaDescription,
        url,
        instructions: article.instructions,
        written: words[platform],
      }),
      link: url,
      // The picture is attached only if the network requires one. Elsewhere the link shows the article's picture.
      mediaFiles: mediaMisfit(platform, []) === undefined ? [] : picture,
      options: {},
      sendKey: ctx.newId(),
    }))
    .filter((post) => outgoingText(post.platform, post) !== '')
  if (posts.length === 0) return DONE
  const goesOut = article.publishing === 'Publish Immediately'
  const { accountId, projectId } = article
  await saveDrafts(ctx, { accountId, projectId, articleId, goesOut, posts })
  if (goesOut) ctx.defer(ctx.wakeQueue())
  return DONE
}
