import { SEO_CHECKS, type SeoCheck, type SeoReport } from '../../../schema/values/seo.ts'
import { cutSlug, slugify } from '../../platform/lib/slug.ts'
import { clip } from '../../platform/lib/text.ts'
import type { HtmlDocument } from '../html/document.ts'
import {
  bannedPhrases,
  brokenInternalLinks,
  type Check,
  citations,
  competitorLinks,
  duplicateContent,
  exchangeLinks,
  type Finding,
  featureImage,
  headingIds,
  headingStructure,
  imageAltText,
  internalLinks,
  metaDescriptionLength,
  named,
  readability,
  type SeoExpectations,
  tableOfContents,
  titleLength,
  wordCount,
} from './checks.ts'
import { keywordMatcher } from './keyword-match.ts'
import { slugIn } from './language-slug.ts'
import { assistantWords, languageOfText, modelMarks } from './model-words.ts'
import { INTRODUCTION_WORDS, MAX_SCORE_WITH_ERROR, WEIGHTS } from './rules.ts'
import { hasStems } from './stems.ts'
import { firstWords } from './words.ts'

/** Characters of a keyword's slug that are searched, because a longer slug may have been cut. */
const SLUG_PART = 60

const introductionOf = (document: HtmlDocument): string => {
  const prose = document.blocks.filter(({ tag }) => tag === 'p').map(({ text }) => text)
  return firstWords(prose.length > 0 ? prose.join(' ') : document.text, INTRODUCTION_WORDS)
}

/** Returns a sentence on missed word forms; empty if the language has stems. */
const otherForms = (language: string): string =>
  hasStems(language) ? '' : ` Not all forms of its words are known in ${language}.`

const keywordInTitle: Check = (_, { keyword, title, language }) => {
  const isIn = keywordMatcher(keyword, language)
  if (!isIn) return 'not_applicable'
  if (isIn(title)) return null
  return {
    // The title may contain a form of the keyword that is not recognized.
    ...(hasStems(language) ? {} : { severity: 'warning' as const }),
    message: `The title does not contain the keyword "${keyword}".${otherForms(language)}`,
    fix: 'Work the keyword into the title.',
  }
}

const keywordInIntroduction: Check = (document, { keyword, language }) => {
  const isIn = keywordMatcher(keyword, language)
  if (!isIn) return 'not_applicable'
  if (isIn(introductionOf(document))) return null
  return {
    message: `The keyword "${keyword}" does not occur in the first ${INTRODUCTION_WORDS} words.${otherForms(language)}`,
    fix: 'Name the keyword in the first paragraph.',
  }
}

const words = (slug: string): string => slug.replaceAll('-', ' ')

const keywordInSlug: Check = (_, { keyword, slug, language }) => {
  // A slug made before the project's language was set uses the usual transliteration.
  const wanted = [slugIn(language, keyword), slugify(keyword)].filter((one) => one !== '')
  if (wanted.length === 0) return 'not_applicable'
  if (wanted.some((one) => `-${slug}-`.includes(`-${cutSlug(one, SLUG_PART)}-`))) return null
  // Slugs may contain other forms of the words.
  if (wanted.some((one) => keywordMatcher(words(one), language)?.(words(slug)))) return null
  return {
    message: `The slug "${slug}" does not contain the keyword "${keyword}".`,
    fix: 'Send a slug with the keyword in it before the article is published.',
  }
}

const keywordInHeading: Check = (document, { keyword, language }) => {
  const isIn = keywordMatcher(keyword, language)
  if (!isIn) return 'not_applicable'
  if (document.headings.some(({ text }) => isIn(text))) return null
  return {
    message: `No heading contains the keyword "${keyword}".${otherForms(language)}`,
    fix: 'Name the keyword in one H2 or H3.',
  }
}

/** Start of a passage that was meant as a heading or a fenced block. */
const BLOCK = /^(?:#{1,6} \S|```|~~~)/
/** The same within text without blocks, whose line ends are lost. */
const LOOSE_BLOCK = / (?:#{2,6} \S|```)/
/** Bold text and links in Markdown. Powers (`2**3`) and arguments (`f(**a)`) are neither. */
const INLINE =
  /(?<!\d)\*\*[^*\s](?:[^*]{0,200}[^*\s([{,])?\*\*|\[[^[\]]{1,200}\]\((?:https?:\/\/|\/|#|mailto:)[^()\s]{0,500}\)/
/** Markup that is common in articles but rare in code: Markdown headings or HTML blocks. */
const ARTICLE = /(?:^|\s)#{1,6} \S|<(?:h[1-6]|p)[\s>]/i
/** A code block with at least this share of the text counts as the whole article. */
const WHOLE = 0.8
const SHOWN = 60

/** Returns excerpts of passages that look like Markdown. Passages leave out code, which may show marks. */
const marksIn = ({ blocks, passages }: HtmlDocument): string[] =>
  passages.flatMap((passage) => {
    if (BLOCK.test(passage) || (blocks.length === 0 && LOOSE_BLOCK.test(passage))) return [clip(passage, SHOWN)]
    const found = INLINE.exec(passage)
    return found ? [clip(found[0], SHOWN)] : []
  })

/** Passage that begins with the tag of an HTML block and contains its end tag. Readers see both as text. */
const TAGS_AS_TEXT = /^<(h[1-6]|p|ul|ol|li|div|section|article|table|blockquote)(?:\s[^<>]{0,300})?>.*<\/\1\s*>/is

/** Whole text that is an object or a list of JSON. */
const JSON_TEXT = /^(?:\{\s*"[^"]{1,100}"\s*:|\[\s*[{"]).*[\]}]$/s

const codeAround = ({ blocks, text }: HtmlDocument): string | undefined =>
  blocks.find((block) => block.tag === 'pre' && block.text.length >= WHOLE * text.length && ARTICLE.test(block.text))
    ?.text

/** Finds Markdown and HTML tags that readers would see as text, and articles inside a code block. */
const markdownInHtml: Check = (document) => {
  const article = codeAround(document)
  if (article !== undefined)
    return {
      message: `The content is a code block that holds an article: ${named([clip(article, SHOWN)])}.`,
      fix: 'Send the article without the code block around it.',
    }
  const tags = document.passages.filter((passage) => TAGS_AS_TEXT.test(passage)).map((one) => clip(one, SHOWN))
  if (tags.length > 0)
    return {
      message: `The content shows tags of HTML as text: ${named(tags)}.`,
      fix: 'Send the HTML itself, not escaped with &lt; and &gt;. Where an article is about HTML, put its tags in a code element.',
    }
  if (JSON_TEXT.test(document.text))
    return {
      message: `The content is JSON: ${named([clip(document.text, SHOWN)])}.`,
      fix: 'Send the article that the JSON holds, as HTML or Markdown.',
    }
  const marks = marksIn(document)
  if (marks.length === 0) return null
  return {
    message: `The content is HTML, but looks like Markdown: ${named(marks)}.`,
    fix: 'Send Markdown with content_format "markdown". Where that was sent, its marks could not be read: leave no blanks within them, or write HTML such as <strong>.',
  }
}

/** All checks by name. */
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
  model_marks: modelMarks,
  assistant_words: assistantWords,
  language: languageOfText,
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
 * Judges an article with every check. The score (0 to 100) is the passed weight out of the applicable weight.
 *
 * With an error the score is at most 40; without content it is 0. `kept` has findings from earlier checks that are still
 * valid.
 */
export const checkArticle = (
  document: HtmlDocument,
  given: SeoExpectations,
  kept: Partial<Record<SeoCheck, Finding>> = {},
): SeoReport => {
  if (document.text === '') return EMPTY
  const report: SeoReport = { score: 0, passed: [], failed: [] }
  let weight = 0
  let reached = 0
  for (const check of SEO_CHECKS) {
    const finding = kept[check] === undefined ? CHECKS[check](document, given) : kept[check]
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

/** Returns the finding of a check from an earlier report. */
export const findingIn = (report: SeoReport | null, check: SeoCheck): Finding => {
  if (report?.passed.includes(check)) return null
  const failure = report?.failed.find((failed) => failed.check === check)
  return failure ? { message: failure.message, fix: failure.fix, severity: failure.severity } : 'not_applicable'
}
