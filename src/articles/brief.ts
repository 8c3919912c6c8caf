import { owned } from '../accounts/ownership.ts'
import { imagesOf, qualityOf } from '../projects/merged.ts'
import type { Ctx } from '../runtime/ctx.ts'
import { wordTarget } from '../seo/rules.ts'
import type { RequiredLink, WritingBrief } from '../writing/port.ts'
import { type ArticleToBrief, articleToBrief } from './brief-queries.ts'
import { featureImageWish, HTML_RULES, MAX_DESCRIPTION } from './brief-rules.ts'

type Links = { exchangePartners: readonly RequiredLink[]; internalLinks: readonly RequiredLink[] }

const compose = ({ article, project }: ArticleToBrief, links: Links): WritingBrief => {
  const quality = qualityOf(project.quality)
  const images = imagesOf(project.images)
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
      websiteUrl: project.websiteUrl,
      description: project.businessDescription,
      audience: project.targetAudience,
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
      featureImage: featureImageWish(images),
      style: [images.image_style ?? '', images.image_prompt_instructions].filter(Boolean).join('\n'),
    },
    htmlRules: HTML_RULES,
  }
}

/** An article of the account with the brief for writing it. Throws 404, 403. One round trip. */
export const readBrief = async (ctx: Ctx, id: number): Promise<ArticleToBrief & { brief: WritingBrief }> => {
  const [rows] = await ctx.read((owner) => [articleToBrief(ctx.db, owner, id)])
  const found = owned(rows[0] && { row: rows[0], mine: rows[0].mine }, 'article')
  return { ...found, brief: compose(found, { exchangePartners: [], internalLinks: [] }) }
}

/** The brief for writing one article of the account: what its project and the article itself ask for. Throws 404, 403. */
export const briefOf = async (ctx: Ctx, id: number): Promise<WritingBrief> => (await readBrief(ctx, id)).brief
