/// <reference path="./markdown-it-footnote.d.ts" />
import createReader, { type Env, type MarkdownIt, type RendererRule, type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import footnotes from 'markdown-it-footnote'
import { linkEnd } from '../../platform/lib/links.ts'
import { withoutFrontMatter } from './front-matter.ts'
import { type Unwrapped, unwrapped } from './wrapping.ts'

/**
 * Reason why Markdown is refused: its blocks are nested too deep, it has more markup than an article needs, or it has only the
 * thoughts of a model.
 */
export type MarkdownFault = 'too_deep' | 'too_marked' | 'only_thoughts'

/** Most nested quotations, lists and items. */
const MAX_DEPTH = 40
/** Largest product of lines and nesting depth. Each line takes some 30 bytes at each level. */
const MAX_LINES = 1_500_000
/** Most pieces of a text, such as marks, cells, brackets and the words between them. Each takes some 300 bytes. */
const MAX_PIECES = 200_000
/** Characters that any text may gain from link definitions used many times, in addition to its own length. */
const SPARE = 100_000

type Reference = NonNullable<Env['references']>[string]

class Refusal extends Error {
  readonly fault: MarkdownFault
  constructor(fault: MarkdownFault) {
    super(fault)
    this.fault = fault
  }
}

/** Counts one more piece of a text. Throws `Refusal` if there are too many. */
const count = (env: Env): void => {
  const pieces = Number(env.pieces ?? 0) + 1
  if (pieces > MAX_PIECES) throw new Refusal('too_marked')
  env.pieces = pieces
}

/** Returns a store for link definitions. It stops finding them when their uses have added `spare` characters. */
const sparing = (spare: number): Record<string, Reference> => {
  let left = spare
  return new Proxy<Record<string, Reference>>(Object.create(null), {
    get: (known, name) => {
      const found = typeof name === 'string' ? known[name] : undefined
      left -= found ? found.href.length + found.title.length : 0
      return left < 0 ? undefined : found
    },
  })
}

/** Writes the alignment of a cell as `align`, which editors of CMSs keep. */
const cell: RendererRule = (tokens, at, options, _env, renderer) => {
  const token = tokens[at]
  const align = /^text-align:(\w+)$/.exec(String(token?.attrGet('style') ?? ''))?.[1]
  if (token && align !== undefined) token.attrs = [['align', align]]
  return renderer.renderToken(tokens, at, options)
}

/** Most footnotes of a text. The package scans all earlier text for each. */
const MAX_FOOTNOTES = 500
/** Longest name of a footnote, in characters. */
const MAX_LABEL = 200

/** Address after `www.` as GitHub reads it: a domain, and a path without punctuation at its end. */
const WWW = /(?:[\p{L}\p{N}_-]{1,63}\.){0,10}[\p{L}\p{N}-]{1,63}(?::\d{1,5})?(?:[/?#][^\s<>"|]{0,2000})?/iuy

const countOf = (text: string, sign: string): number => text.split(sign).length - 1

const wwwLength = (text: string, from: number): number => {
  WWW.lastIndex = from
  const found = WWW.exec(text)?.[0] ?? ''
  let spare = countOf(found, ')') - countOf(found, '(')
  let end = found.length
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? ''
    if (last === ')' && spare > 0) spare -= 1
    else if (last === ';')
      end -= (/&[a-z0-9]{1,30};$/i.exec(found.slice(Math.max(0, end - 32), end))?.[0].length ?? 1) - 1
    else if (!'?!.,:*_~\'"'.includes(last)) break
  }
  return end
}

/** Checkbox of a task list. It becomes a character, because content must not have form fields. */
const BOX = /^\[([ xX])\](?=\s)/

const isTask = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.type === 'inline' &&
  tokens[at - 1]?.type === 'paragraph_open' &&
  tokens[at - 2]?.type === 'list_item_open'

/** Mark of a GitHub alert, alone in the first line of a quotation. */
const ALERT = /^\[!(note|tip|important|warning|caution)\]\s*$/i

const isQuoted = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.type === 'inline' &&
  tokens[at - 1]?.type === 'paragraph_open' &&
  tokens[at - 2]?.type === 'blockquote_open'

/** Replaces the mark of an alert with its name. */
const nameAlert = (token: Token, make: (type: string, tag: string, nesting: -1 | 0 | 1) => Token): void => {
  const children = token.children ?? []
  const line = children.findIndex(({ type }) => type === 'softbreak' || type === 'hardbreak')
  const first = children.slice(0, line < 0 ? undefined : line)
  const [, kind = ''] = ALERT.exec(first.map(({ content }) => content).join('')) ?? []
  if (kind === '' || first.some(({ type }) => type !== 'text')) return
  const name = make('text', '', 0)
  name.content = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
  const rest = line < 0 ? [] : [make('hardbreak', 'br', 0), ...children.slice(line + 1)]
  token.children = [make('strong_open', 'strong', 1), name, make('strong_close', 'strong', -1), ...rest]
}

const readGithub = (reader: MarkdownIt): void => {
  reader.use(cjkFriendly)
  reader.use(footnotes)
  // GitHub has no inline footnotes.
  reader.disable('footnote_inline')
  reader.inline.ruler.before('footnote_ref', 'no_footnote', (state, silent) => {
    if (!state.src.startsWith('[^', state.pos)) return false
    const end = state.src.slice(state.pos + 2, state.pos + 2 + MAX_LABEL).search(/[\]\s]/)
    const references = (state.env.footnotes as { refs?: Record<string, unknown> } | undefined)?.refs
    const label = state.src.slice(state.pos + 2, state.pos + 2 + Math.max(0, end))
    if (end > 0 && references && Object.hasOwn(references, `:${label}`)) return false
    if (!silent) state.pending += '['
    state.pos += 1
    return true
  })
  // One or three tildes are no mark: people write `~5` for "about 5".
  reader.inline.ruler.before('strikethrough', 'many_tildes', (state, silent) => {
    let end = state.pos
    while (state.src[end] === '~') end += 1
    if (end - state.pos < 3) return false
    if (!silent) state.pending += state.src.slice(state.pos, end)
    state.pos = end
    return true
  })
  reader.core.ruler.after('inline', 'tasks', (state) => {
    for (const [at, { children }] of state.tokens.entries()) {
      const first = children?.[0]
      if (first?.type === 'text' && isTask(state.tokens, at))
        first.content = first.content.replace(BOX, (_, mark: string) => (mark === ' ' ? '☐' : '☑'))
    }
  })
  reader.core.ruler.after('inline', 'alerts', (state) => {
    for (const [at, token] of state.tokens.entries())
      if (isQuoted(state.tokens, at)) nameAlert(token, (...given) => new state.Token(...given))
  })
  reader.linkify.add('www.', {
    validate: (text: string, from: number) => linkEnd(text.slice(from, from + wwwLength(text, from)), 0, 0),
    normalize: (match: { url: string }) => {
      match.url = `http://${match.url}`
    },
  })
}

/** Host of a bare address, as far as it may go. */
const HOST = /\/\/[\p{L}\p{N}_[][^\s/?#]*/uy

/** Returns the length of a bare address after its scheme; 0 if there is none. It ends where links in posts end, and before marks. */
const addressLength = (text: string, at: number): number => {
  HOST.lastIndex = at
  const host = HOST.exec(text)?.[0] ?? ''
  // Checked first, because the rest may be long.
  if (!URL.canParse(`http:${host.slice(0, linkEnd(host, 0, 2))}`)) return 0
  let end = linkEnd(text, at, at + 2)
  while (end > at + 2 && '_~'.includes(text[end - 1] ?? '')) end -= 1
  return end > at + 2 ? end - at : 0
}

const makeReader = (): MarkdownIt => {
  const reader = createReader({ html: true, linkify: true })
  readGithub(reader)
  reader.disable('code')
  // `sanitizeHtml` checks all addresses later and reports the removed ones.
  reader.validateLink = () => true
  for (const scheme of ['ftp:', '//']) reader.linkify.add(scheme, null)
  for (const scheme of ['http:', 'https:']) reader.linkify.add(scheme, { validate: addressLength })
  reader.linkify.set({ fuzzyLink: false, fuzzyEmail: true })
  reader.renderer.rules.th_open = cell
  reader.renderer.rules.td_open = cell
  reader.renderer.rules.s_open = () => '<del>'
  reader.renderer.rules.s_close = () => '</del>'
  reader.block.State = class extends reader.block.State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      if (nesting > 0 && this.level > Number(this.env.depth)) throw new Refusal('too_deep')
      count(this.env)
      return super.push(type, tag, nesting)
    }
  }
  const { parseLinkLabel } = reader.helpers
  reader.helpers.parseLinkLabel = (state, start, disableNested) => {
    count(state.env)
    return parseLinkLabel(state, start, disableNested)
  }
  reader.inline.State = class extends reader.inline.State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      count(this.env)
      return super.push(type, tag, nesting)
    }
    override pushPending(): Token {
      count(this.env)
      return super.pushPending()
    }
  }
  return reader
}

let reader: MarkdownIt | undefined

const footnotesIn = (text: string): number => text.match(/\[\^[^\]\s]{1,200}\]:/g)?.length ?? 0

/** Returns Markdown without wrapping, front matter and byte order mark, and the names of the removed parts. */
const bare = (given: string): Unwrapped => {
  const text = given.replace(/^\ufeff+/, '')
  const { text: inner, removed, isCut } = unwrapped(text, 'markdown')
  const plain = inner.replace(/^\ufeff+/, '')
  const article = withoutFrontMatter(plain)
  // A wrapping may follow front matter.
  const bare = article === plain ? { text: article, removed: [], isCut } : unwrapped(article, 'markdown')
  return {
    text: bare.text,
    isCut: isCut || bare.isCut,
    removed: [
      ...(text === given ? [] : ['byte order mark']),
      ...removed,
      ...(article === plain ? [] : ['front matter']),
      ...bare.removed.filter((what) => !removed.includes(what)),
    ],
  }
}

/**
 * Converts Markdown to an HTML fragment, and names the removed wrapping. Returns the reason if the Markdown is refused.
 *
 * Supports CommonMark, and tables, strikethrough (two tildes), footnotes, tasks and bare addresses as on GitHub. Marks next to Chinese,
 * Japanese and Korean characters work. Indented text is not code.
 *
 * HTML in the text stays, so the result must still be sanitized. Time, memory and result are limited in proportion to the text.
 */
export const fromMarkdown = (given: string): { html: string; removed: string[] } | MarkdownFault => {
  const { text, removed, isCut } = bare(given)
  if (isCut) return 'only_thoughts'
  if (footnotesIn(text) > MAX_FOOTNOTES) return 'too_marked'
  // Created for the first text, not while the Worker starts.
  reader ??= makeReader()
  const depth = Math.min(MAX_DEPTH, Math.floor(MAX_LINES / text.split('\n').length))
  try {
    return { html: reader.render(text, { depth, references: sparing(SPARE + text.length) }).trimEnd(), removed }
  } catch (error) {
    if (error instanceof Refusal) return error.fault
    throw error
  }
}
