/** Checks of an article's SEO, by their names in answers. */
export const SEO_CHECKS = [
  'keyword_in_title',
  'keyword_in_introduction',
  'keyword_in_slug',
  'keyword_in_heading',
  'title_length',
  'meta_description_length',
  'heading_structure',
  'heading_ids',
  'table_of_contents',
  'word_count',
  'internal_links',
  'broken_internal_links',
  'exchange_links',
  'competitor_links',
  'citations',
  'image_alt_text',
  'feature_image',
  'banned_phrases',
  'readability',
  'duplicate_content',
  'markdown_in_html',
  'model_marks',
  'assistant_words',
  'language',
] as const
export type SeoCheck = (typeof SEO_CHECKS)[number]

/** Severity of a failed check. The writer does not pass on an article with an `error`. */
export type SeoSeverity = 'error' | 'warning' | 'notice'

type SeoFailure = { check: SeoCheck; severity: SeoSeverity; message: string; fix: string }

/** The report every save carries. `score` is 0 to 100; `passed` names checks, `failed` says what is wrong and how to fix it. */
export type SeoReport = { score: number; passed: SeoCheck[]; failed: SeoFailure[] }
