import { diffArrays } from 'diff'
import type { Wording } from '../../../schema/values/suggestions.ts'
import { escapeText } from '../../content/html/references.ts'

const TOKEN = /<[^>]*>|[^\s<]+|\s+/g
/** Tokens after the last `>`, where `<` opens no tag. From each `<`, TOKEN would search for one up to the end. */
const LAST_TOKEN = /<|[^\s<]+|\s+/g
/** Most changes to compare. Versions with more have so little in common that they are shown one after the other. */
const MAX_CHANGES = 4_000

const isTag = (token: string): boolean => token.startsWith('<') && token.length > 1
const isWord = (token: string): boolean => !isTag(token) && token.trim() !== ''

/**
 * A tag, a word, or the blanks between words. `link`: the tag of the link around it, so that words that become a link differ.
 */
type Token = { text: string; link: string }

const tokensOf = (html: string): Token[] => {
  let link = ''
  const open = html.indexOf('<', html.lastIndexOf('>') + 1)
  const [whole, last] = open === -1 ? [html, ''] : [html.slice(0, open), html.slice(open)]
  return [...(whole.match(TOKEN) ?? []), ...(last.match(LAST_TOKEN) ?? [])].map((text) => {
    if (/^<a[\s>]/i.test(text)) link = text
    else if (/^<\/a[\s>]/i.test(text)) link = ''
    return { text, link: isTag(text) ? '' : link }
  })
}

const isSame = (one: Token, other: Token): boolean => one.text === other.text && one.link === other.link

/** Marks the words of the tokens. Tags stay if `keepTags`; otherwise a blank replaces each. */
const marked = (tokens: readonly Token[], mark: 'ins' | 'del', keepTags: boolean): string => {
  let html = ''
  let words = ''
  const end = () => {
    html += words.trim() === '' ? words : `<${mark}>${words}</${mark}>`
    words = ''
  }
  for (const { text: token } of tokens) {
    if (!isTag(token)) words += token
    else if (keepTags) {
      end()
      html += token
    } else words += ' '
  }
  end()
  return html
}

/** Difference of two versions. `html`: the later version, with added words in `ins` and removed ones in `del`. */
export type Difference = { html: string; stats: { added: number; removed: number } }

const count = (tokens: readonly Token[]): number => tokens.filter(({ text }) => isWord(text)).length

/**
 * Compares two versions of an HTML fragment word by word. Takes time in proportion to length times changes, which are limited.
 *
 * The tags are those of the later version, so the result is as well-formed as that. Versions with too little in common follow
 * each other, each with its own tags.
 */
export const differenceOf = (before: string, after: string): Difference => {
  const [old, made] = [tokensOf(before), tokensOf(after)]
  const changes = diffArrays(old, made, { comparator: isSame, maxEditLength: MAX_CHANGES })
  if (!changes)
    return {
      html: `${marked(old, 'del', true)}${marked(made, 'ins', true)}`,
      stats: { added: count(made), removed: count(old) },
    }
  let html = ''
  const stats = { added: 0, removed: 0 }
  for (const { added, removed, value } of changes) {
    if (added) {
      html += marked(value, 'ins', true)
      stats.added += count(value)
    } else if (removed) {
      html += marked(value, 'del', false)
      stats.removed += count(value)
    } else html += value.map(({ text }) => text).join('')
  }
  return { html, stats }
}

/**
 * Returns the blocks that differ between two texts, each with its differences: added words in `ins`, removed ones in `del`. Blocks that
 * stay are left out.
 */
export const diffBlocks = (before: readonly string[], after: readonly string[]): string => {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_CHANGES })
  if (!changes) return differenceOf(before.join('\n'), after.join('\n')).html
  const parts: string[] = []
  for (const [n, { added, removed, value }] of changes.entries()) {
    const next = changes[n + 1]
    if (removed) parts.push(differenceOf(value.join('\n'), next?.added ? next.value.join('\n') : '').html)
    else if (added && !changes[n - 1]?.removed) parts.push(differenceOf('', value.join('\n')).html)
  }
  return parts.join('\n')
}

const page = ({ title, meta_description: description, content }: Wording): string =>
  `<h1>${escapeText(title)}</h1>\n<p>${escapeText(description)}</p>\n${content}`

/** Returns the difference of two versions of an article as one page: the title, the meta description, and the text. */
export const differenceOfWordings = (before: Wording, after: Wording): Difference =>
  differenceOf(page(before), page(after))
