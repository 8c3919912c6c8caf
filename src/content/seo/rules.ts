import type { SeoCheck, SeoSeverity } from '../../../schema/values/seo.ts'

const WORDS = 1_200

/** Words that an article of a style should have. Other styles have 1,200. */
const WORDS_BY_STYLE: Record<string, number> = {
  News: 800,
  Casual: 1_000,
  Listicle: 1_500,
  'How-To': 1_500,
  Review: 1_500,
  Comparison: 1_800,
  Technical: 2_000,
  Resources: 2_500,
}

/** Returns the number of words that an article of this style should have. */
export const wordTarget = (articleStyle: string): number => WORDS_BY_STYLE[articleStyle] ?? WORDS

/** Largest deviation from the brief's number of words, as a share of it. */
export const WORD_TOLERANCE = 0.25
/** Share of the brief's words below which the word count is an error. */
export const THIN_SHARE = 0.5
/** Highest score of an article with an error. */
export const MAX_SCORE_WITH_ERROR = 40
/** Longest title, and shortest and longest description, in characters. */
export const MAX_TITLE = 60
export const MIN_DESCRIPTION = 70
export const MAX_DESCRIPTION = 160
/** Number of first words that must contain the keyword. */
export const INTRODUCTION_WORDS = 100
/** Number of external sources that an article must link to. */
export const MIN_CITATIONS = 2
/** Fewest second-level headings for which a table of contents is useful. */
export const MIN_CONTENTS = 2
/** Flesch reading ease below which English is hard to read. */
export const MIN_FLESCH = 45
/** Number of words needed to measure readability. */
export const MIN_PROSE = 100
/** An article with at least this share of common five-word phrases is a duplicate. */
export const DUPLICATE_SHARE = 0.5

/** Weight of each check in the score, and severity of its failure. */
export const WEIGHTS: Record<SeoCheck, { weight: number; severity: SeoSeverity }> = {
  keyword_in_title: { weight: 8, severity: 'error' },
  keyword_in_introduction: { weight: 6, severity: 'warning' },
  keyword_in_slug: { weight: 4, severity: 'warning' },
  keyword_in_heading: { weight: 5, severity: 'warning' },
  title_length: { weight: 5, severity: 'warning' },
  meta_description_length: { weight: 6, severity: 'warning' },
  heading_structure: { weight: 8, severity: 'error' },
  heading_ids: { weight: 3, severity: 'notice' },
  table_of_contents: { weight: 4, severity: 'warning' },
  word_count: { weight: 8, severity: 'warning' },
  internal_links: { weight: 6, severity: 'warning' },
  broken_internal_links: { weight: 6, severity: 'warning' },
  exchange_links: { weight: 8, severity: 'error' },
  competitor_links: { weight: 8, severity: 'error' },
  citations: { weight: 5, severity: 'warning' },
  image_alt_text: { weight: 5, severity: 'warning' },
  feature_image: { weight: 4, severity: 'warning' },
  banned_phrases: { weight: 6, severity: 'error' },
  readability: { weight: 4, severity: 'notice' },
  duplicate_content: { weight: 10, severity: 'error' },
  markdown_in_html: { weight: 8, severity: 'warning' },
  // These three are errors in texts of the service's own writer.
  model_marks: { weight: 4, severity: 'warning' },
  assistant_words: { weight: 6, severity: 'warning' },
  language: { weight: 8, severity: 'warning' },
}
