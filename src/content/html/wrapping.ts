import { withoutThoughts } from '../../platform/lib/thoughts.ts'
import { isKnownElement } from './allowed.ts'

/** Most nested wrappings that are removed, such as JSON in a code block. */
const MAX_WRAPPINGS = 3
/** Whitespace and invisible characters at both ends. */
const UNSEEN = /^[\s\u200b\u2060\ufeff]+|(?<![\s\u200b\u2060\ufeff])[\s\u200b\u2060\ufeff]+$/g

/** Format of a caller's text. `answer` is a model's answer to the service, in HTML or Markdown. */
type Format = 'html' | 'markdown' | 'answer'

/** Text within a wrapping, and the name of the wrapping. */
type Wrapped = { text: string; what: string }

const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(?=[^`]*$)[ \t]*([^\s`]{0,50})/
const ARTICLE_LANGUAGES = new Set(['markdown', 'md', 'mdx', 'gfm', 'commonmark', 'html', 'htm', 'xhtml', 'html5'])
const MAYBE_LANGUAGES = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'json', 'xml'])

/** Headings of Markdown and blocks of HTML. Articles have them and code does not. */
const MARKED = /^#{1,6} \S|<(?:h[1-6]|p|ul|ol|section|article)[\s>]/im

/** True if a text looks like an article, or is JSON with a text. */
const readsAsArticle = (text: string): boolean => MARKED.test(text) || textInJson(text) !== undefined

const isFenceEnd = (line: string, fence: string): boolean => {
  const [, run = '', info] = FENCE.exec(line) ?? []
  return run[0] === fence[0] && run.length >= fence.length && info === ''
}

/**
 * Returns the text of a code block around the whole text.
 *
 * In it, a fence with a language opens an inner code block, and the next fence without one closes that block.
 */
const outOfFence = (text: string): Wrapped | undefined => outOfFenceIn(text.split(LINE_ENDS))

const LINE_ENDS = /\r\n|\n|\r/

const outOfFenceIn = (lines: readonly string[]): Wrapped | undefined => {
  const [, fence, info = ''] = FENCE.exec(lines[0] ?? '') ?? []
  const language = info.toLowerCase().replace(/^\{?\.?|\}$/g, '')
  if (fence === undefined || !(ARTICLE_LANGUAGES.has(language) || MAYBE_LANGUAGES.has(language))) return undefined
  let isInner = false
  const end = lines.findIndex((line, n) => {
    if (n === 0 || !FENCE.test(line)) return false
    const [, run = '', inner = ''] = FENCE.exec(line) ?? []
    if (run[0] !== fence[0] || run.length < fence.length) return false
    if (inner !== '') isInner = true
    else if (isInner) isInner = false
    else return true
    return false
  })
  // A text that was cut off has no closing fence.
  const isOpen = end < 0 && ARTICLE_LANGUAGES.has(language) && !lines.slice(1).some((line) => isFenceEnd(line, fence))
  if (end !== lines.length - 1 && !isOpen) return undefined
  const inner = lines.slice(1, isOpen ? undefined : -1).join('\n')
  if (!ARTICLE_LANGUAGES.has(language) && !readsAsArticle(inner)) return undefined
  return { text: inner, what: 'code block around the whole content' }
}

/** Longest text of a model before and after the article that it was asked for. */
const MAX_REPLY = 300
const isParagraph = (text: string): boolean =>
  text.length <= MAX_REPLY && !/\n\s*\n|^ {0,3}(?:[#>|<]|[*+-]\s|\d+[.)]\s)/m.test(text)

/** Returns the article in a model's reply: `Here is the article:`, the article as a code block, and nothing more than a sentence. */
const outOfReply = (text: string): Wrapped | undefined => {
  const start = /^ {0,3}(?:`{3,}|~{3,})/m.exec(text.slice(0, 2 * MAX_REPLY))?.index ?? 0
  const before = text.slice(0, start).trim()
  if (!/[:：!！][*_]{0,2}$/u.test(before) || !isParagraph(before)) return undefined
  const lines = text.slice(start).split(LINE_ENDS)
  const [, fence = '', language = ''] = FENCE.exec(lines[0] ?? '') ?? []
  const end = lines.findLastIndex((line) => isFenceEnd(line, fence))
  if (!ARTICLE_LANGUAGES.has(language.toLowerCase()) || end < 1) return undefined
  const after = lines
    .slice(end + 1)
    .join('\n')
    .trim()
  const found = isParagraph(after) ? outOfFenceIn(lines.slice(0, end + 1)) : undefined
  // A sample of code has no headings.
  return found && /^#{1,3} \S|<h[1-3][\s>]/im.test(found.text)
    ? { ...found, what: 'words around the content' }
    : undefined
}

/** Fields in which programs return a text, the likeliest first. */
const FIELDS = ['content_html', 'html', 'content_markdown', 'markdown', 'content', 'article', 'body', 'text']

/** Returns the text in a JSON object; undefined if the source is not one, or has no such field. */
const textInJson = (text: string): string | undefined => {
  if (!text.startsWith('{')) return undefined
  try {
    const json = JSON.parse(text) as Record<string, unknown>
    return FIELDS.map((field) => json[field]).find(
      (value): value is string => typeof value === 'string' && /\S/.test(value),
    )
  } catch {
    return undefined
  }
}

const outOfJson = (text: string): Wrapped | undefined => {
  const inner = textInJson(text)
  return inner === undefined ? undefined : { text: inner, what: 'JSON around the whole content' }
}

/** Known HTML elements that models use only as a wrapping. */
const OUTPUTS = new Set(['output'])
/** Elements that only mark the article, if they have no attributes. Markdown in them would be read as HTML. */
const FRAMES = new Set(['article', 'main', 'body'])

/**
 * Returns the text of an element around the whole text, such as `<content>`. Markdown directly after its tag would not be read
 * as Markdown.
 */
const outOfTags = (text: string, format: Format): Wrapped | undefined => {
  const [open, name = ''] = /^<([a-z][\w-]{0,40})(?:\s[^<>]{0,200})?>/i.exec(text) ?? []
  const tag = name.toLowerCase()
  // In HTML content, `sanitizeHtml` removes unknown tags later.
  const isFrame = FRAMES.has(tag) && open === `<${name}>`
  if (open === undefined || !(OUTPUTS.has(tag) || (format !== 'html' && (isFrame || !isKnownElement(tag)))))
    return undefined
  const end = `</${tag}>`
  if (text.slice(-end.length).toLowerCase() !== end) return undefined
  const inner = text.slice(open.length, -end.length)
  if (inner.toLowerCase().includes(end)) return undefined
  return { text: inner, what: `<${tag}>` }
}

/** Whole HTML document. Markdown in it would be read as HTML. In HTML content, `sanitizeHtml` removes these tags. */
const DOCUMENT =
  /^(?:<\?xml[^<>]{0,200}\?>\s*)?(?:<!doctype[^<>]{0,200}>\s*)?<html(?:\s[^<>]{0,500})?>\s*(?:<head(?:\s[^<>]{0,500})?>.*?<\/head>\s*)?(?:<body(?:\s[^<>]{0,500})?>(.*)<\/body>|(.*))\s*<\/html>$/is

const outOfDocument = (text: string, format: Format): Wrapped | undefined => {
  if (format === 'html' || !/^<(?:\?xml|!doctype|html)/i.test(text) || !/<\/html>$/i.test(text.slice(-7)))
    return undefined
  const [, body, rest] = DOCUMENT.exec(text) ?? []
  const inner = body ?? rest
  return inner === undefined || /<\/?(?:html|body)[\s>]/i.test(inner) ? undefined : { text: inner, what: '<html>' }
}

const WRAPPINGS = [outOfFence, outOfReply, outOfJson, outOfDocument, outOfTags]

/** Text without its wrapping. `isCut`: it consists of a model's thoughts, or they do not end. */
export type Unwrapped = { text: string; removed: string[]; isCut: boolean }

/**
 * Returns a text without a model's thoughts, and without the wrapping that models put around a whole article.
 *
 * A text that is only a block of code stays.
 */
export const unwrapped = (given: string, format: Format): Unwrapped => {
  let text = given
  const removed: string[] = []
  for (let n = 0; n < MAX_WRAPPINGS; n += 1) {
    const thoughtless = withoutThoughts(text)
    removed.push(...thoughtless.removed)
    if (thoughtless.isCut) return { text, removed, isCut: true }
    text = thoughtless.text
    const trimmed = text.replace(UNSEEN, '')
    const found = WRAPPINGS.map((take) => take(trimmed, format)).find((one) => one !== undefined)
    if (!found || !/\S/.test(found.text)) break
    text = found.text
    removed.push(found.what)
  }
  return { text, removed: [...new Set(removed)], isCut: false }
}
