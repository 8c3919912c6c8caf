import { SEO_CHECKS, type SeoCheck, type SeoReport } from '../../../schema/values/seo.ts'
import type { HtmlDocument } from '../html/document.ts'
import type { Check, Finding } from './finding.ts'
import { keywordInHeading, keywordInIntroduction, keywordInSlug, keywordInTitle } from './keyword-checks.ts'
import { brokenInternalLinks, citations, competitorLinks, exchangeLinks, internalLinks } from './link-checks.ts'
import { markdownInHtml } from './markdown-check.ts'
import type { SeoExpectations } from './report.ts'
import { MAX_SCORE_WITH_ERROR, WEIGHTS } from './rules.ts'
import {
  featureImage,
  headingIds,
  headingStructure,
  imageAltText,
  metaDescriptionLength,
  tableOfContents,
  titleLength,
  wordCount,
} from './structure-checks.ts'
import { bannedPhrases, duplicateContent, readability } from './wording-checks.ts'

/** Every check by its name. */
export const CHECKS: Record<SeoCheck, Check> = {
  keyword_in_title: keywordInTitle,
  keyword_in_introduction: keywordInIntroduction,
  keyword_in_slug: keywordInSlug,
  keyword_in_heading: keywordInHeading,
  title_length: titleLength,
  meta_description_length: metaDescriptionLength,
  heading_structure: headingStructure,
  heading_ids: headingIds,
  table_of_contents: tableOfContents,
  word_count: wordCount,
  internal_links: internalLinks,
  broken_internal_links: brokenInternalLinks,
  exchange_links: exchangeLinks,
  competitor_links: competitorLinks,
  citations,
  image_alt_text: imageAltText,
  feature_image: featureImage,
  banned_phrases: bannedPhrases,
  readability,
  duplicate_content: duplicateContent,
  markdown_in_html: markdownInHtml,
}

const EMPTY: SeoReport = {
  score: 0,
  passed: [],
  failed: [
    {
      check: 'word_count',
      severity: 'error',
      message: 'The article has no content yet.',
      fix: 'Send content, the full HTML of the article.',
    },
  ],
}

/**
 * Judges an article by every check. The score (0 to 100) is the weight of what passed in what applies, at most 40
 * with an error; an article without content scores 0. `standing` gives the findings of checks that were made before and still hold.
 */
export const checkArticle = (
  document: HtmlDocument,
  given: SeoExpectations,
  standing: Partial<Record<SeoCheck, Finding>> = {},
): SeoReport => {
  if (document.text === '') return EMPTY
  const report: SeoReport = { score: 0, passed: [], failed: [] }
  let weight = 0
  let reached = 0
  for (const check of SEO_CHECKS) {
    const finding = standing[check] === undefined ? CHECKS[check](document, given) : standing[check]
    if (finding === 'not_applicable') continue
    weight += WEIGHTS[check].weight
    if (finding === null) {
      reached += WEIGHTS[check].weight
      report.passed.push(check)
    } else report.failed.push({ check, severity: WEIGHTS[check].severity, ...finding })
  }
  const score = Math.round((100 * reached) / weight)
  const hasError = report.failed.some(({ severity }) => severity === 'error')
  report.score = hasError ? Math.min(score, MAX_SCORE_WITH_ERROR) : score
  return report
}

/** Returns the result of a check in an earlier report. */
export const findingIn = (report: SeoReport | null, check: SeoCheck): Finding => {
  if (report?.passed.includes(check)) return null
  const failure = report?.failed.find((failed) => failed.check === check)
  return failure ? { message: failure.message, fix: failure.fix, severity: failure.severity } : 'not_applicable'
}
