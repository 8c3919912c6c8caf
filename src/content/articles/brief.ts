import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { IMAGE_DEFAULTS, imagesOf, qualityOf } from '../../accounts/projects/merged.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { commitPartners } from '../exchange/commit.ts'
import { type CommittedPartner, committedPartners } from '../exchange/committed-parts.ts'
import { wordTarget } from '../seo/rules.ts'
import { type NearPage, onceEach, type PillarPage, pagesNear, pillarPages } from '../site/page-search.ts'
import { type ArticleToBrief, articleToBrief } from './brief-queries.ts'
import { featureImageHint, HTML_RULES, MAX_DESCRIPTION } from './brief-rules.ts'
import { projectOf } from './queries.ts'
import { statusAllows } from './standing-parts.ts'
import type { RequiredLink, WritingBrief } from './writing-brief.ts'

/** Chooses the exchange partners of an article that waits for its words and has none yet; the kept ones when it has. */
export const choosePartners = async (ctx: Ctx, id: number, keyword: string): Promise<CommittedPartner[]> => {
  const account = await ctx.account()
  const mayChoose = sql`${and(
    eq(articles.id, id),
    eq(articles.accountId, account.id),
    or(statusAllows('write'), statusAllows('finish_planned')),
    isNull(articles.partnersCommittedAt),
  )}`
  return await commitPartners(ctx, mayChoose, id, keyword)
}

type Links = { exchangePartners: readonly RequiredLink[]; internalLinks: readonly RequiredLink[] }

/** Returns the brand's colour, where one was chosen. */
const colorOf = ({ brand_color }: { brand_color: string | null }): string | undefined =>
  brand_color === null || brand_color === IMAGE_DEFAULTS.brand_color ? undefined : brand_color

const compose = ({ article, project }: ArticleToBrief, links: Links): WritingBrief => {
  const quality = qualityOf(project.quality)
  const images = imagesOf(project.images)
  const brandColor = colorOf(images)
  return {
    ...links,
    keyword: article.keyword,
    title: article.title,
    articleStyle: article.articleStyle,
    instructions: { project: project.aiInstructions ?? '', article: article.instructions },
    language: project.language,
    tone: project.contentStyle,
    writingProfile: project.writingProfile,
    productPositioning: project.productPositioning,
    business: {
      name: project.businessName,
      aliases: project.businessAliases,
      websiteUrl: project.websiteUrl,
      description: project.businessDescription,
      audience: project.targetAudience,
      location: project.primaryLocation,
      topics: quality.brand_intelligence ? project.topics.split('\n').filter(Boolean) : [],
    },
    wordCount: wordTarget(article.articleStyle),
    metaDescription: { maxLength: MAX_DESCRIPTION },
    bannedPhrases: project.bannedPhrases,
    strictBannedPhrases: quality.strict_banned_phrase_guard,
    competitors: project.competitorWebsites,
    internalLinksWanted: project.internalLinksPerArticle,
    callToAction: {
      intensity: project.ctaIntensity,
      url: project.ctaIntensity === 'None' ? null : project.websiteUrl,
    },
    firstPerson: quality.first_person_writing,
    tableOfContents: quality.table_of_contents,
    avoidFormulaicEndings: quality.avoid_formulaic_section_endings,
    operationalExamples: quality.require_operational_examples,
    images: {
      featureImage: featureImageHint(images.title_based_featured_image, brandColor),
      style: [images.image_style ?? '', images.image_prompt_instructions].filter(Boolean).join('\n'),
    },
    illustrations: {
      style: images.image_style ?? '',
      instructions: images.image_prompt_instructions,
      ...(brandColor === undefined ? {} : { brandColor }),
      showsTitle: images.title_based_featured_image,
      videos: project.videosEnabled,
    },
    htmlRules: HTML_RULES,
  }
}

/** More pages than any project asks for, and one that may turn out to be the article's own. */
const PAGES_READ = 6

/** Returns pages to link to, by words of theirs: the project's pillars, then those near the keyword, never the article's own. */
const internalLinks = (
  { article, project }: ArticleToBrief,
  pillars: readonly PillarPage[],
  pages: readonly NearPage[],
): RequiredLink[] =>
  onceEach([...pillars, ...pages.filter((page) => page.matched && page.article_id !== article.id)])
    .filter((page) => page.url !== article.url)
    .slice(0, project.internalLinksPerArticle)
    .map((page) => ({ url: page.url, anchor: page.keyword || page.title || page.url }))

/** True if the article's partners are still to be chosen: that is done once, when it is first looked at for writing. */
const lacksPartners = ({ article, project }: ArticleToBrief): boolean =>
  project.backlinksNetwork &&
  article.partnersCommittedAt === null &&
  (article.status === 'Planned' || article.status === 'Generating')

/**
 * Returns an article of the account with the brief for writing it. Throws 404, 403. One round trip; the first reading of a planned
 * article's brief takes another, which commits its exchange partners.
 */
export const readBrief = async (ctx: Ctx, id: number): Promise<ArticleToBrief & { brief: WritingBrief }> => {
  const keyword = sql`(select main_keyword from articles where id = ${id}::int)`
  const [rows, committed, pillars, pages] = await ctx.read((owner) => [
    articleToBrief(ctx.db, owner, id),
    committedPartners(ctx.db, id),
    pillarPages(ctx.db, projectOf(id)),
    pagesNear(ctx.db, projectOf(id), keyword, PAGES_READ),
  ])
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  const chosen = found.project.backlinksNetwork ? committed : []
  const exchangePartners = lacksPartners(found) ? await choosePartners(ctx, id, found.article.keyword) : chosen
  const links = internalLinks(found, pillars.rows, pages.rows)
  return { ...found, brief: compose(found, { exchangePartners, internalLinks: links }) }
}

/** Returns the brief for writing one article of the account: what its project and the article itself ask for. Throws 404, 403. */
export const briefOf = async (ctx: Ctx, id: number): Promise<WritingBrief> => (await readBrief(ctx, id)).brief
