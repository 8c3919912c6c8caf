import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { articles } from '../../../schema/articles.ts'
import { projects } from '../../../schema/projects.ts'
import { IMAGE_DEFAULTS, imagesOf, qualityOf } from '../../accounts/projects/rules.ts'
import { owned } from '../../platform/accounts/check-owner.ts'
import type { Db } from '../../platform/db/client.ts'
import { oneLine } from '../../platform/lib/foreign-data.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import { type CommittedPartner, commitPartners, committedPartners } from '../exchange/commit.ts'
import { wordTarget } from '../seo/rules.ts'
import { distinctByUrl, type NearPage, type PillarPage, pagesNear, pillarPages } from '../site/pages.ts'
import { statusAllows } from './parts.ts'
import { projectOf } from './queries.ts'
import { claimOffer } from './rules.ts'
import type { RequiredLink, WritingBrief } from './writing-brief.ts'

/** Characters of a description that search results show. */
const MAX_DESCRIPTION = 160

/** Rules for HTML that is stored without changes and passes the report. */
const HTML_RULES: readonly string[] = [
  'Send an HTML fragment: no html, head or body element, no scripts, styles, forms or event handlers.',
  'No h1: the title is the page’s h1. Begin with a paragraph, then h2 sections, h3 below them; skip no level.',
  'Give every h2 and h3 an id of its own: lower-case words with hyphens.',
  'The keyword is in the title, in the first 100 words and in one heading.',
  'Every image has an absolute public URL and alt text that says what it shows; up to 20 given as data: URLs are hosted here.',
  'Links have absolute URLs and say in their words where they lead. Exchange links carry no nofollow, sponsored or ugc.',
  'Cite two or more outside sources by link where you state facts; never link a competitor.',
  'iframe only for YouTube and Vimeo.',
]

/** Returns the description of the feature image, in a sentence or two. */
const featureImageHint = (showsTitle: boolean, color: string | undefined): string => {
  const base =
    'One landscape image, 1200 × 630 pixels or larger, JPG, PNG, WebP or GIF: its public URL in feature_image, what it shows in alt_text.'
  if (!showsTitle) return base
  return `${base} It shows the article’s title${color === undefined ? '' : ` on the colour ${color}`}.`
}

/** Selects an article of any account, and its project's settings for writing. */
const articleToBrief = (db: Db, owner: SQL, id: number) =>
  db
    .select({
      article: {
        id: articles.id,
        projectId: articles.projectId,
        status: articles.status,
        keyword: articles.mainKeyword,
        title: articles.title,
        slug: articles.slug,
        articleStyle: articles.articleStyle,
        instructions: articles.instructions,
        url: articles.url,
        scheduledAt: articles.scheduledAt,
        claimedAt: articles.claimedAt,
        writtenAt: articles.writtenAt,
        writingStartedAt: articles.writingStartedAt,
        publishState: articles.publishState,
        publishLeaseUntil: articles.publishLeaseUntil,
        partnersCommittedAt: articles.partnersCommittedAt,
      },
      project: {
        businessName: projects.businessName,
        businessAliases: projects.businessAliases,
        websiteUrl: projects.websiteUrl,
        businessDescription: projects.businessDescription,
        targetAudience: projects.targetAudience,
        primaryLocation: projects.primaryLocation,
        topics: projects.topics,
        aiInstructions: projects.aiInstructions,
        language: projects.language,
        contentStyle: projects.contentStyle,
        writingProfile: projects.writingProfile,
        productPositioning: projects.productPositioning,
        ctaIntensity: projects.ctaIntensity,
        bannedPhrases: projects.bannedPhrases,
        competitorWebsites: projects.competitorWebsites,
        internalLinksPerArticle: projects.internalLinksPerArticle,
        backlinksNetwork: projects.backlinksNetwork,
        quality: projects.articleQualitySettings,
        images: projects.imagePreferences,
        videosEnabled: projects.videosEnabled,
      },
      mine: sql<boolean>`coalesce(${articles.accountId} = ${owner}, false)`,
    })
    .from(articles)
    .innerJoin(projects, eq(projects.id, articles.projectId))
    .where(eq(articles.id, id))

type ArticleToBrief = Omit<Awaited<ReturnType<typeof articleToBrief>>[number], 'mine'>

/** Chooses exchange partners for an article that is planned or being written. Returns the earlier choice if there is one. */
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

/** Returns the brand's colour; undefined if the project uses the default colour. */
const colorOf = ({ brand_color }: { brand_color: string | null }): string | undefined =>
  brand_color === null || brand_color === IMAGE_DEFAULTS.brand_color ? undefined : brand_color

/** Returns a link whose anchor is one line, as the name of another account's business must be. */
const withPlainAnchor = ({ url, anchor }: RequiredLink): RequiredLink => ({ url, anchor: oneLine(anchor) })

const compose = ({ article, project }: ArticleToBrief, links: Links): WritingBrief => {
  const quality = qualityOf(project.quality)
  const images = imagesOf(project.images)
  const brandColor = colorOf(images)
  return {
    exchangePartners: links.exchangePartners.map(withPlainAnchor),
    internalLinks: links.internalLinks.map(withPlainAnchor),
    keyword: article.keyword,
    title: article.title,
    articleStyle: article.articleStyle,
    instructions: { project: project.aiInstructions ?? '', article: article.instructions },
    language: project.language,
    tone: project.contentStyle,
    writingProfile: project.writingProfile,
    productPositioning: project.productPositioning,
    business: {
      name: oneLine(project.businessName),
      aliases: project.businessAliases.map(oneLine),
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
    htmlRules: [...HTML_RULES],
  }
}

/** More pages than any project asks for, plus one that may be the article itself. */
const PAGES_READ = 6

/**
 * Returns pages to link to with anchor texts: the project's pillar pages, then pages near the keyword. Leaves out the article's
 * own page.
 */
const internalLinks = (
  { article, project }: ArticleToBrief,
  pillars: readonly PillarPage[],
  pages: readonly NearPage[],
): RequiredLink[] =>
  distinctByUrl([...pillars, ...pages.filter((page) => page.article_id !== article.id)])
    .filter((page) => page.url !== article.url)
    .slice(0, project.internalLinksPerArticle)
    .map((page) => ({ url: page.url, anchor: page.keyword || page.title || page.url }))

/** True if the article's exchange partners are not chosen yet. They are chosen once, when its brief is first read. */
const lacksPartners = ({ article, project }: ArticleToBrief): boolean =>
  project.backlinksNetwork &&
  article.partnersCommittedAt === null &&
  (article.status === 'Planned' || article.status === 'Generating')

/**
 * Returns an article of the account with its brief. Throws 404, 403.
 *
 * Takes one round trip. The first read of a planned article's brief takes more, because it commits the exchange partners.
 */
export const readBrief = async (ctx: Ctx, id: number): Promise<ArticleToBrief & { brief: WritingBrief }> => {
  const keyword = sql`(select main_keyword from articles where id = ${id}::int)`
  const { rows, committed, pillars, pages } = await ctx.read((owner) => ({
    rows: articleToBrief(ctx.db, owner, id),
    committed: committedPartners(ctx.db, id),
    pillars: pillarPages(ctx.db, projectOf(id)),
    pages: pagesNear(ctx.db, projectOf(id), keyword, PAGES_READ),
  }))
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  const chosen = found.project.backlinksNetwork ? committed : []
  const exchangePartners = lacksPartners(found) ? await choosePartners(ctx, id, found.article.keyword) : chosen
  const links = internalLinks(found, pillars.rows, pages.rows)
  return { ...found, brief: compose(found, { exchangePartners, internalLinks: links }) }
}

/** Returns the brief of one article of the account. Throws 404, 403. */
export const briefOf = async (ctx: Ctx, id: number): Promise<WritingBrief> => (await readBrief(ctx, id)).brief

type Given = ArticleToBrief & { brief: WritingBrief }

/** Returns a brief as answers show it. `writer` is true if the account's plan includes the service's writer. */
export const articleBrief = ({ article, brief }: Given, writer: boolean, now: Date) => ({
  article_id: article.id,
  project_id: article.projectId,
  status: article.status,
  keyword: brief.keyword,
  title: brief.title,
  slug: article.slug,
  article_style: brief.articleStyle,
  claim: claimOffer(article, writer, now),
  targets: { word_count: brief.wordCount, internal_links: brief.internalLinksWanted },
  required_links: {
    exchange_partners: brief.exchangePartners,
    internal: brief.internalLinks,
    call_to_action_url: brief.callToAction.url,
  },
  call_to_action_intensity: brief.callToAction.intensity,
  images: { feature_image: brief.images.featureImage, style: brief.images.style },
  instructions: brief.instructions,
  language: brief.language,
  tone: brief.tone,
  writing_profile: brief.writingProfile,
  product_positioning: brief.productPositioning,
  first_person: brief.firstPerson,
  table_of_contents: brief.tableOfContents,
  avoid_formulaic_section_endings: brief.avoidFormulaicEndings,
  require_operational_examples: brief.operationalExamples,
  business: {
    name: brief.business.name,
    aliases: brief.business.aliases ?? [],
    website_url: brief.business.websiteUrl,
    description: brief.business.description,
    target_audience: brief.business.audience,
    primary_location: brief.business.location ?? '',
    topics: brief.business.topics ?? [],
  },
  meta_description: { max_length: brief.metaDescription.maxLength },
  banned_phrases: brief.bannedPhrases,
  strict_banned_phrase_guard: brief.strictBannedPhrases,
  competitors: brief.competitors,
  html_rules: brief.htmlRules,
})
