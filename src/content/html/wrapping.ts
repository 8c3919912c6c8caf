import { isKnownElement } from './allowed.ts'
import { decodeReferences } from './references.ts'

/** Most nested wrappings that are removed, such as JSON in a code block. */
const MAX_WRAPPINGS = 3
/** Whitespace and invisible characters at both ends. */
const UNSEEN = /^[\s\u200b\u2060\ufeff]+|(?<![\s\u200b\u2060\ufeff])[\s\u200b\u2060\ufeff]+$/g

type Format = 'html' | 'markdown'

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
const FIELDS = [
  ...[
    'content_html',
    'html',
    'content_markdown',
    'markdown',
    'content',
    'article_html',
    'article',
    'body_html',
    'body',
  ],
  ...['post', 'text', 'md', 'output', 'result', 'response', 'answer', 'message', 'data'],
]

const textInFields = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return value
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value.length === 1 ? textInFields(value[0], depth + 1) : undefined
  for (const field of FIELDS) {
    const found = Object.hasOwn(value, field) ? textInFields(Reflect.get(value, field), depth + 1) : undefined
    if (found !== undefined && /\S/.test(found)) return found
  }
  return undefined
}

/** Returns the texts in JSON that look like an article, in fields of any name. */
const articlesIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return MARKED.test(value) ? [value] : []
  if (depth > 5 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((one) => articlesIn(one, depth + 1))
}

/** Returns the text in a JSON value; undefined if the source is not JSON or has no such text. */
const textInJson = (text: string): string | undefined => {
  if (!/^[[{"]/.test(text.trimStart())) return undefined
  try {
    const json: unknown = JSON.parse(text)
    const articles = articlesIn(json)
    return textInFields(json) ?? (articles.length === 1 ? articles[0] : undefined)
  } catch {
    return undefined
  }
}

const outOfJson = (text: string): Wrapped | undefined => {
  const inner = textInJson(text)
  // A text that is only in quotes may be a quotation.
  if (inner !== undefined && text.startsWith('"') && !/[\n<#]/.test(inner)) return undefined
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
  if (open === undefined || !(OUTPUTS.has(tag) || (format === 'markdown' && (isFrame || !isKnownElement(tag)))))
    return undefined
  const end = `</${tag}>`
  if (text.slice(-end.length).toLowerCase() !== end) return undefined
  const inner = text.slice(open.length, -end.length)
  if (inner.toLowerCase().includes(end)) return undefined
  return { text: inner, what: `<${tag}>` }
}

/** Language after three quotation marks, as after a fence. */
const LANGUAGE_LINE = /^(?:markdown|md|html)\r?\n/i

const outOfQuotes = (text: string): Wrapped | undefined => {
  const mark = ['"""', "'''"].find((quotes) => text.startsWith(quotes) && text.endsWith(quotes))
  const inner = mark === undefined || text.length < 7 ? '' : text.slice(3, -3).replace(LANGUAGE_LINE, '')
  if (mark === undefined || !/\S/.test(inner) || inner.includes(mark)) return undefined
  return { text: inner, what: 'quotes around the whole content' }
}

const outOfCdata = (text: string): Wrapped | undefined =>
  text.startsWith('<![CDATA[') && text.endsWith(']]>') && text.indexOf(']]>') === text.length - 3
    ? { text: text.slice(9, -3), what: 'CDATA section around the whole content' }
    : undefined

const PRE = /^<pre[^<>]*>(?:\s*<code([^<>]*)>)?([^<]*)(?:<\/code>\s*)?<\/pre>$/i

/** Returns the text of an HTML code block that shows the article as code. */
const outOfPre = (text: string): Wrapped | undefined => {
  const [, attributes = '', shown = ''] = PRE.exec(text) ?? []
  const language = /(?:language|lang)-([\w-]+)/i.exec(attributes + text.slice(0, 200))?.[1]?.toLowerCase() ?? ''
  if (!ARTICLE_LANGUAGES.has(language) || !/\S/.test(shown)) return undefined
  return { text: decodeReferences(shown.trimStart()), what: 'code block around the whole content' }
}

/** Whole HTML document. Markdown in it would be read as HTML. In HTML content, `sanitizeHtml` removes these tags. */
const DOCUMENT =
  /^(?:<\?xml[^<>]{0,200}\?>\s*)?(?:<!doctype[^<>]{0,200}>\s*)?<html(?:\s[^<>]{0,500})?>\s*(?:<head(?:\s[^<>]{0,500})?>.*?<\/head>\s*)?(?:<body(?:\s[^<>]{0,500})?>(.*)<\/body>|(.*))\s*<\/html>$/is

const outOfDocument = (text: string, format: Format): Wrapped | undefined => {
  if (format !== 'markdown' || !/^<(?:\?xml|!doctype|html)/i.test(text) || !/<\/html>$/i.test(text.slice(-7)))
    return undefined
  const [, body, rest] = DOCUMENT.exec(text) ?? []
  const inner = body ?? rest
  return inner === undefined || /<\/?(?:html|body)[\s>]/i.test(inner) ? undefined : { text: inner, what: '<html>' }
}

const BLOCKS = 'h[1-6]|p|ul|ol|div|section|article|main|table|blockquote|figure|html|body'
const BLOCK_FIRST = new RegExp(`^<(?:!doctype\\s|(?:${BLOCKS})[\\s>])`, 'i')
const BLOCK_LAST = new RegExp(`</(?:${BLOCKS})\\s*>$`, 'i')
/** Elements that editors put around each line of pasted text. */
const LINES = /<(?:\/?(?:p|div|span)|br\s*\/?)>/gi

/** Returns the HTML of a text whose markup is escaped, so that readers would see the tags. */
const outOfEscapes = (text: string): Wrapped | undefined => {
  if (!/^(?:<(?:p|div)>\s*)*&(?:amp;)*(?:lt|#60|#x0*3c);/i.test(text)) return undefined
  const bare = text.replace(LINES, '\n').trim()
  if (/<[a-z/!]/i.test(bare)) return undefined
  const [first, last] = [bare.slice(0, 2_000), bare.slice(-2_000)]
  let [start, end, levels] = [first, last, 0]
  while (levels < MAX_WRAPPINGS && !BLOCK_FIRST.test(start)) {
    ;[start, end] = [decodeReferences(start), decodeReferences(end)]
    levels += 1
  }
  if (!BLOCK_FIRST.test(start) || !BLOCK_LAST.test(end)) return undefined
  let inner = bare
  for (let n = 0; n < levels; n += 1) inner = decodeReferences(inner)
  return { text: inner, what: 'escaping of the whole content' }
}

/** Returns the content of a JSON or JavaScript string that has lost its quotation marks: `<h2>A</h2>\n<p>…`. */
const outOfString = (text: string): Wrapped | undefined => {
  if (!/^\\u003c|^[^\r\n]*>(?:\\r)?\\n\s*<|^#{1,6} [^\\\r\n]{1,300}(?:\\n){2}/i.test(text) || /[\r\n]/.test(text))
    return undefined
  try {
    return { text: JSON.parse(`"${text}"`) as string, what: 'JSON around the whole content' }
  } catch {
    return undefined
  }
}

/** Returns the text after a model's thoughts. */
const outOfThoughts = (text: string): Wrapped | undefined => {
  const [open, name = ''] = /^<(think(?:ing)?|thought|reasoning|scratchpad)>/i.exec(text) ?? []
  const end = open === undefined ? -1 : text.toLowerCase().indexOf(`</${name.toLowerCase()}>`)
  return end < 0
    ? undefined
    : { text: text.slice(end + name.length + 3), what: `<${name.toLowerCase()}> before the content` }
}

const WRAPPINGS = [
  outOfThoughts,
  outOfFence,
  outOfReply,
  outOfJson,
  outOfDocument,
  outOfTags,
  outOfQuotes,
  outOfCdata,
  outOfPre,
  outOfEscapes,
  outOfString,
]

/**
 * Returns a text without the wrapping that models and programs put around a whole article, and the names of the wrappings.
 *
 * A text that is only a block of code stays.
 */
export const unwrapped = (given: string, format: Format): { text: string; removed: string[] } => {
  let text = given
  const removed: string[] = []
  for (let n = 0; n < MAX_WRAPPINGS; n += 1) {
    const trimmed = text.replace(UNSEEN, '')
    const found = WRAPPINGS.map((take) => take(trimmed, format)).find((one) => one !== undefined)
    if (!found || !/\S/.test(found.text)) break
    text = found.text
    removed.push(found.what)
  }
  return { text, removed: [...new Set(removed)] }
}
