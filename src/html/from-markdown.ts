import createReader, { type Env, type MarkdownIt, type RendererRule, type Token } from 'markdown-it'

/** Why Markdown is refused: its blocks are nested too deep, or it holds more markup than a text has. */
export type MarkdownFault = 'too_deep' | 'too_marked'

/** Quotations, lists and items within one another. */
const MAX_DEPTH = 40
/** Lines that are read, one within so many quotations or lists counted so often: each is some 30 bytes of memory. */
const MAX_LINES = 1_500_000
/** Pieces a text is read as, such as a mark, a cell, a bracket or the words between two marks: each is some 300 bytes of memory. */
const MAX_PIECES = 200_000
/** What texts may be made longer by addresses that are written once and named again and again, however short they are, characters. */
const SPARE = 100_000

type Reference = NonNullable<Env['references']>[string]

class Refusal extends Error {
  readonly fault: MarkdownFault
  constructor(fault: MarkdownFault) {
    super(fault)
    this.fault = fault
  }
}

/** Counts one more piece of the text that `env` belongs to. */
const count = (env: Env): void => {
  const pieces = Number(env.pieces ?? 0) + 1
  if (pieces > MAX_PIECES) throw new Refusal('too_marked')
  env.pieces = pieces
}

/** Definitions of links by name, each given while what they make the text longer by is within bounds. */
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

/** Cells say where their text stands with `align`, which editors of CMSs keep. */
const cell: RendererRule = (tokens, at, options, _env, renderer) => {
  const token = tokens[at]
  const align = /^text-align:(\w+)$/.exec(String(token?.attrGet('style') ?? ''))?.[1]
  if (token && align !== undefined) token.attrs = [['align', align]]
  return renderer.renderToken(tokens, at, options)
}

const makeReader = (): MarkdownIt => {
  const reader = createReader({ html: true, linkify: true })
  reader.disable('code')
  // Addresses are judged where all HTML is made safe, which tells the caller what it took out.
  reader.validateLink = () => true
  for (const scheme of ['ftp:', 'mailto:', '//']) reader.linkify.add(scheme, null)
  reader.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
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

/**
 * Markdown as an HTML fragment, or why it is refused: CommonMark with tables, strikethrough and bare addresses as GitHub reads them;
 * text that is only indented is no code.
 *
 * HTML in it stays as it is, so the answer is as safe as its text: it still has to be made safe. Takes time and memory in proportion
 * to the text, and makes no more of it than its size bears.
 */
export const fromMarkdown = (text: string): { html: string } | MarkdownFault => {
  // Made when the first text comes, and not when a Worker starts.
  reader ??= makeReader()
  const depth = Math.min(MAX_DEPTH, Math.floor(MAX_LINES / text.split('\n').length))
  try {
    return { html: reader.render(text, { depth, references: sparing(SPARE + text.length) }).trimEnd() }
  } catch (error) {
    if (error instanceof Refusal) return error.fault
    throw error
  }
}
