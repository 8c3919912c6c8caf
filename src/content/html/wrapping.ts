import { isKnownElement } from './allowed.ts'
import { decodeReferences } from './references.ts'

/** Wrappings within one another that are taken off, such as JSON in a code block. */
const MAX_WRAPPINGS = 3
/** Blanks and characters that nobody sees, at both ends. */
const UNSEEN = /^[\s\u200b\u2060\ufeff]+|(?<![\s\u200b\u2060\ufeff])[\s\u200b\u2060\ufeff]+$/g

type Format = 'html' | 'markdown'

/** A text within a wrapping, and what that was. */
type Wrapped = { text: string; what: string }

const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]{0,50})[^`]*$/
const ARTICLE_LANGUAGES = new Set(['markdown', 'md', 'mdx', 'gfm', 'commonmark', 'html', 'htm', 'xhtml', 'html5'])
const MAYBE_LANGUAGES = new Set(['', 'text', 'txt', 'plaintext', 'plain', 'json', 'xml'])

/** Headings of Markdown and blocks of HTML, which articles have and code has not. */
const MARKED = /^#{1,6} \S|<(?:h[1-6]|p|ul|ol|section|article)[\s>]/im

/** True if a text is built like an article and not like code. */
const readsAsArticle = (text: string): boolean => MARKED.test(text) || content(text) !== undefined

const isFenceEnd = (line: string, fence: string): boolean => {
  const [, run = '', info] = FENCE.exec(line) ?? []
  return run[0] === fence[0] && run.length >= fence.length && info === ''
}

/** Returns a code block round the whole text. Blocks of code within it begin with a language and end like it does. */
const outOfFence = (text: string): Wrapped | undefined => {
  const lines = text.split(/\r\n|\n|\r/)
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
  // One that a text was cut off in never ends.
  const isOpen = end < 0 && ARTICLE_LANGUAGES.has(language) && !lines.slice(1).some((line) => isFenceEnd(line, fence))
  if (end !== lines.length - 1 && !isOpen) return undefined
  const inner = lines.slice(1, isOpen ? undefined : -1).join('\n')
  if (!ARTICLE_LANGUAGES.has(language) && !readsAsArticle(inner)) return undefined
  return { text: inner, what: 'code block around the whole content' }
}

/** Fields that programs hand a text over in, the likeliest first. */
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

const contentIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value === 'string') return value
  if (depth > 3 || typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return value.length === 1 ? contentIn(value[0], depth + 1) : undefined
  for (const field of FIELDS) {
    const found = Object.hasOwn(value, field) ? contentIn(Reflect.get(value, field), depth + 1) : undefined
    if (found !== undefined && /\S/.test(found)) return found
  }
  return undefined
}

/** Returns the texts in JSON that are built like an article, whatever their fields are named. */
const articlesIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string') return MARKED.test(value) ? [value] : []
  if (depth > 5 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((one) => articlesIn(one, depth + 1))
}

/** Returns the text that JSON holds; undefined where a text is no JSON, or holds none. */
const content = (text: string): string | undefined => {
  if (!/^[[{"]/.test(text.trimStart())) return undefined
  try {
    const json: unknown = JSON.parse(text)
    const articles = articlesIn(json)
    return contentIn(json) ?? (articles.length === 1 ? articles[0] : undefined)
  } catch {
    return undefined
  }
}

const outOfJson = (text: string): Wrapped | undefined => {
  const inner = content(text)
  // A text in quotes alone may be a quotation.
  if (inner !== undefined && text.startsWith('"') && !/[\n<#]/.test(inner)) return undefined
  return inner === undefined ? undefined : { text: inner, what: 'JSON around the whole content' }
}

/** Elements that HTML knows and that only models use as a wrapping. */
const OUTPUTS = new Set(['output'])
/** Bare tags that say no more than that here is the article. Markdown within them would be read as HTML. */
const FRAMES = new Set(['article', 'main', 'body'])

/** Tags of no known element round the whole text, such as `<content>`: Markdown right behind them would be no Markdown. */
const outOfTags = (text: string, format: Format): Wrapped | undefined => {
  const [open, name = ''] = /^<([a-z][\w-]{0,40})(?:\s[^<>]{0,200})?>/i.exec(text) ?? []
  const tag = name.toLowerCase()
  // Of HTML the tags alone go anyway.
  const isFrame = FRAMES.has(tag) && open === `<${name}>`
  if (open === undefined || !(OUTPUTS.has(tag) || (format === 'markdown' && (isFrame || !isKnownElement(tag)))))
    return undefined
  const end = `</${tag}>`
  if (text.slice(-end.length).toLowerCase() !== end) return undefined
  const inner = text.slice(open.length, -end.length)
  if (inner.toLowerCase().includes(end)) return undefined
  return { text: inner, what: `<${tag}>` }
}

/** Language behind three quotation marks, as behind a fence. */
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

/** Returns a code block of HTML that shows the article as code. */
const outOfPre = (text: string): Wrapped | undefined => {
  const [, attributes = '', shown = ''] = PRE.exec(text) ?? []
  const language = /(?:language|lang)-([\w-]+)/i.exec(attributes + text.slice(0, 200))?.[1]?.toLowerCase() ?? ''
  if (!ARTICLE_LANGUAGES.has(language) || !/\S/.test(shown)) return undefined
  return { text: decodeReferences(shown.trimStart()), what: 'code block around the whole content' }
}

/** A whole document of HTML, of which Markdown would be read as HTML. Of HTML the tags alone go anyway. */
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
/** Blocks that editors put around each line of what is pasted. */
const LINES = /<(?:\/?(?:p|div|span)|br\s*\/?)>/gi

/** HTML whose signs are all escaped, so that readers would see its tags. */
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

/** Returns the inside of a string of JSON or JavaScript whose quotation marks are gone: `<h2>A</h2>\n<p>…`. */
const outOfString = (text: string): Wrapped | undefined => {
  if (!/^\\u003c|^[^\r\n]*>(?:\\r)?\\n\s*<|^#{1,6} [^\\\r\n]{1,300}(?:\\n){2}/i.test(text) || /[\r\n]/.test(text))
    return undefined
  try {
    return { text: JSON.parse(`"${text}"`) as string, what: 'JSON around the whole content' }
  } catch {
    return undefined
  }
}

/** Returns the text behind what a model thought before it wrote. */
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
 * A text without what models and programs hand a whole article over in, and what that was. A text that is no more than a block of code
 * stays as it is.
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
