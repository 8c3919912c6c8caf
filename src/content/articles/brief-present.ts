import type { ArticleToBrief } from './brief-queries.ts'
import { claimOffer } from './rules.ts'
import type { WritingBrief } from './writing-brief.ts'

type Given = ArticleToBrief & { brief: WritingBrief }

/** Returns a brief on the wire. `writer`: whether the account's plan has the service's writer. */
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
