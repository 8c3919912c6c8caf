import { escapeAttribute, escapeText } from '../references.ts'
import { matchRuns, type Run, shownRun } from './emphasis.ts'
import { finderIn } from './finder.ts'

type Target = { url: string; title: string }

/**
 * What all of a text shares. `definitions`: where links by name lead, by their names in lower case. `spare`: by how many characters
 * what is written once and shown again and again may still make it longer.
 */
export type Shared = { definitions: ReadonlyMap<string, Target>; spare: number }

/** Whether a text may be made longer by so many characters more; it is then. */
export const spends = (shared: Shared, length: number): boolean => {
  if (length > shared.spare) return false
  shared.spare -= length
  return true
}

const MAX_URL = 2_000
const MAX_TITLE = 500
const MAX_LABEL = 999
const MAX_TAG = 10_000

const PUNCTUATION = /[!-/:-@[-`{-~\p{P}\p{S}]/u
const ESCAPABLE = /[!-/:-@[-`{-~]/
const REFERENCE = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});/y
const AUTOLINK = /<((?:https?|mailto):[^\s<>]{1,2000})>/y
const BARE_URL = /https?:\/\/[^\s<>"'`\])*]{1,2000}/y
const SPECIAL = /[\\`*_~[\]!<&>"\n]|https?:\/\//g

/** A name as definitions are found by it. */
export const labelKey = (label: string): string => label.trim().replace(/\s+/g, ' ').toLowerCase()

const withoutEscapes = (text: string): string => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

const attribute = (text: string): string => escapeAttribute(text).replace(/&amp;(#?\w{1,32};)/g, '&$1')

/** The address at a place, in angle brackets or bare, with where it ends; undefined where there is none. */
const addressAt = (text: string, from: number): { url: string; end: number } | undefined => {
  if (text[from] === '<') {
    const limit = Math.min(text.length, from + MAX_URL)
    for (let at = from + 1; at < limit; at += 1) {
      const char = text[at]
      if (char === '\n' || char === '<') return undefined
      if (char === '\\') at += 1
      else if (char === '>') return { url: withoutEscapes(text.slice(from + 1, at)), end: at + 1 }
    }
    return undefined
  }
  let depth = 0
  let at = from
  for (; at < text.length && at - from <= MAX_URL; at += 1) {
    const char = text[at] ?? ''
    if (/\s/.test(char)) break
    if (char === '\\') at += 1
    else if (char === '(') {
      depth += 1
      if (depth > 32) return undefined
    } else if (char === ')') {
      if (depth === 0) break
      depth -= 1
    }
  }
  return depth === 0 && at - from <= MAX_URL ? { url: withoutEscapes(text.slice(from, at)), end: at } : undefined
}

const CLOSING: Record<string, string> = { '"': '"', "'": "'", '(': ')' }

/** A title in quotes or brackets at a place. */
const titleAt = (text: string, from: number): { title: string; end: number } | undefined => {
  const closing = CLOSING[text[from] ?? '']
  if (closing === undefined) return undefined
  const limit = Math.min(text.length, from + MAX_TITLE)
  for (let at = from + 1; at < limit; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === closing) return { title: withoutEscapes(text.slice(from + 1, at)), end: at + 1 }
  }
  return undefined
}

const MAX_SPACE = 100

const afterSpace = (text: string, from: number): number => {
  let at = from
  while (at - from < MAX_SPACE && /\s/.test(text[at] ?? 'x')) at += 1
  return at
}

/** The address and title at a place, and where they end. */
export const targetAt = (text: string, from: number): (Target & { end: number }) | undefined => {
  const address = addressAt(text, from)
  if (!address) return undefined
  const space = afterSpace(text, address.end)
  const title = space > address.end ? titleAt(text, space) : undefined
  return { url: address.url, title: title?.title ?? '', end: title?.end ?? address.end }
}

/** What stands in brackets behind a link's words. */
const inlineTarget = (text: string, from: number): (Target & { end: number }) | undefined => {
  if (text[from] !== '(') return undefined
  const target = targetAt(text, afterSpace(text, from + 1))
  if (!target) return undefined
  const end = afterSpace(text, target.end)
  return text[end] === ')' ? { ...target, end: end + 1 } : undefined
}

type Bracket = { piece: number; at: number; isImage: boolean; runs: number }

type State = {
  text: string
  shared: Shared
  find: (what: string, from: number) => number
  pieces: (string | Run)[]
  runs: Run[]
  brackets: Bracket[]
  /** Below so many brackets none begins a link: one stands inside them already. */
  dead: number
  /** Where the last bracket stood. A name has none. */
  lastBracket: number
}

const shown = (piece: string | Run): string => (typeof piece === 'string' ? piece : shownRun(piece))

const isSpace = (char: string | undefined): boolean => char === undefined || /\s/.test(char)
const isMark = (char: string | undefined): boolean => char !== undefined && PUNCTUATION.test(char)

const addRun = (state: State, at: number): number => {
  const { text, pieces, runs } = state
  const char = text[at] ?? ''
  let end = at
  while (text[end] === char) end += 1
  const [before, after] = [text[at - 1], text[end]]
  const left = !isSpace(after) && (!isMark(after) || isSpace(before) || isMark(before))
  const right = !isSpace(before) && (!isMark(before) || isSpace(after) || isMark(after))
  const canOpen = char === '_' ? left && (!right || isMark(before)) : left
  const canClose = char === '_' ? right && (!left || isMark(after)) : right
  const length = end - at
  const run = { piece: pieces.length, char, length, count: length, canOpen, canClose, opened: '', closed: '' }
  pieces.push(run)
  if (char !== '~' || length === 2) runs.push(run)
  return end
}

/** Code between runs of as many backticks; the marks themselves where nothing closes them. */
const addCode = (state: State, at: number): number => {
  const { text, pieces, find } = state
  let end = at
  while (text[end] === '`') end += 1
  const ticks = text.slice(at, end)
  // Of runs of each length the next one is looked for once.
  const close = ticks.length > 32 ? -1 : find(ticks, end)
  let from = close
  while (from !== -1 && (text[from - 1] === '`' || text[from + ticks.length] === '`')) {
    while (text[from] === '`') from += 1
    from = find(ticks, from)
  }
  if (from === -1) {
    pieces.push(ticks)
    return end
  }
  const code = text.slice(end, from).replaceAll('\n', ' ')
  const isPadded = code.length > 2 && code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
  pieces.push(`<code>${escapeText(isPadded ? code.slice(1, -1) : code)}</code>`)
  return from + ticks.length
}

/** HTML stands as it is; a `<` that begins none is text. */
const addTag = (state: State, at: number): number => {
  const { text, pieces, find } = state
  AUTOLINK.lastIndex = at
  const auto = AUTOLINK.exec(text)
  if (auto) {
    const [whole, url = ''] = auto
    pieces.push(`<a href="${attribute(url)}">${escapeText(url.replace(/^mailto:/, ''))}</a>`)
    return at + whole.length
  }
  const isComment = text.startsWith('<!--', at)
  if (isComment || /[a-zA-Z/]/.test(text[at + 1] ?? '')) {
    const close = isComment ? find('-->', at + 4) : find('>', at)
    const end = close === -1 ? -1 : close + (isComment ? 3 : 1)
    if (end !== -1 && end - at <= MAX_TAG) {
      pieces.push(text.slice(at, end))
      return end
    }
  }
  pieces.push('&lt;')
  return at + 1
}

/** What a closing bracket ends: a link or an image, by address or by name; a bracket where it ends none. */
const closeBracket = (state: State, at: number): number => {
  const { text, shared, pieces, runs, brackets, lastBracket } = state
  const opener = brackets.pop()
  const isDead = opener !== undefined && !opener.isImage && brackets.length < state.dead
  state.lastBracket = at
  state.dead = Math.min(state.dead, brackets.length)
  if (!opener || isDead) {
    pieces.push(']')
    return at + 1
  }
  const isName = lastBracket < opener.at && at - opener.at <= MAX_LABEL
  const words = isName ? text.slice(opener.at, at) : ''
  const named = (): (Target & { end: number }) | undefined => {
    const close = text[at + 1] === '[' ? text.indexOf(']', at + 2) : -1
    const label = close !== -1 && close - at <= MAX_LABEL ? text.slice(at + 2, close) : ''
    const found = shared.definitions.get(labelKey(label || words))
    if (!found || !spends(shared, found.url.length + found.title.length)) return undefined
    return { ...found, end: close !== -1 && close - at <= MAX_LABEL ? close + 1 : at + 1 }
  }
  const target = inlineTarget(text, at + 1) ?? (shared.definitions.size === 0 ? undefined : named())
  if (!target) {
    pieces.push(']')
    return at + 1
  }
  matchRuns(runs, opener.runs)
  const title = target.title === '' ? '' : ` title="${attribute(target.title)}"`
  if (opener.isImage) {
    const alt = pieces
      .splice(opener.piece)
      .slice(1)
      .map(shown)
      .join('')
      .replace(/<[^>]*>/g, '')
    pieces.push(`<img src="${attribute(target.url)}" alt="${alt.replaceAll('"', '&quot;')}"${title}>`)
  } else {
    pieces[opener.piece] = `<a href="${attribute(target.url)}"${title}>`
    pieces.push('</a>')
    state.dead = brackets.length
  }
  return target.end
}

const addBreak = (state: State, at: number): number => {
  const { pieces } = state
  const last = pieces.at(-1)
  if (typeof last === 'string' && last.endsWith('  ')) pieces[pieces.length - 1] = `${last.trimEnd()}<br>`
  pieces.push('\n')
  return at + 1
}

const addAddress = (state: State, at: number): number => {
  const { text, pieces, brackets, dead } = state
  const isFree = brackets.length <= dead && !/\w/.test(text[at - 1] ?? '')
  BARE_URL.lastIndex = at
  const found = isFree ? BARE_URL.exec(text)?.[0].replace(/[.,;:!?]{1,100}$/, '') : undefined
  if (!found || found.length < 9) {
    pieces.push('http')
    return at + 4
  }
  pieces.push(`<a href="${attribute(found)}">${escapeText(found)}</a>`)
  return at + found.length
}

const addSpecial = (state: State, at: number): number => {
  const { text, pieces, brackets, runs } = state
  const char = text[at] ?? ''
  const next = text[at + 1]
  if (char === '\\' && next !== undefined && (next === '\n' || ESCAPABLE.test(next))) {
    pieces.push(next === '\n' ? '<br>\n' : escapeText(next))
    return at + 2
  }
  if (char === '`') return addCode(state, at)
  if (char === '*' || char === '_' || char === '~') return addRun(state, at)
  if (char === '<') return addTag(state, at)
  if (char === ']') return closeBracket(state, at)
  if (char === '\n') return addBreak(state, at)
  if (char === 'h') return addAddress(state, at)
  if (char === '[' || (char === '!' && next === '[')) {
    const width = char === '!' ? 2 : 1
    state.lastBracket = at + width - 1
    brackets.push({ piece: pieces.length, at: at + width, isImage: width === 2, runs: runs.length })
    pieces.push(char === '!' ? '![' : '[')
    return at + width
  }
  REFERENCE.lastIndex = at
  const reference = char === '&' ? REFERENCE.exec(text)?.[0] : undefined
  pieces.push(reference ?? escapeText(char))
  return at + (reference?.length ?? 1)
}

/**
 * One paragraph's Markdown as HTML (CommonMark 0.31, with strikethrough and bare addresses as GitHub reads them). HTML in it stays
 * as it is. Reads the text once.
 */
export const inlineHtml = (text: string, shared: Shared): string => {
  const find = finderIn(text)
  const state: State = { text, shared, find, pieces: [], runs: [], brackets: [], dead: 0, lastBracket: -1 }
  let at = 0
  while (at < text.length) {
    SPECIAL.lastIndex = at
    const next = SPECIAL.exec(text)?.index ?? text.length
    if (next > at) state.pieces.push(text.slice(at, next))
    at = next < text.length ? addSpecial(state, next) : next
  }
  matchRuns(state.runs, 0)
  return state.pieces.map(shown).join('')
}
