import { addressesIn, withoutLinks } from '../../platform/lib/links.ts'
import { type Span, sentencesOf } from '../../platform/lib/sentences.ts'
import { type HtmlNode, textOf } from '../html/tree.ts'
import { countWords, fold } from '../seo/words.ts'
import { readNotes } from './notes.ts'
import { isNumbering } from './numbering.ts'
import { type NumberClaim, numbersIn } from './numbers.ts'
import type { WritingBrief } from './port.ts'
import { cutRanges, type Run, runsOf } from './prose.ts'

/** Quotation with its marks; `inner` is the text between them. */
type Quotation = { start: number; end: number; inner: string; words: number }

/** Returns patterns for pairs of quotation marks, in the order they are tried. A straight mark after a digit means inches. */
const pairs = (): RegExp[] => [
  /“([^“”„]{1,3000})”/g,
  /„([^„“”]{1,3000})[“”]/g,
  /«([^«»]{1,3000})»/g,
  /»([^«»]{1,3000})«/g,
  /「([^「」]{1,3000})」/g,
  /『([^『』]{1,3000})』/g,
  /(?<!\d)"([^"]{1,3000})"/g,
  /‘([^‘’]{1,600}(?:’\p{L}[^‘’]{0,600}){0,20})’(?!\p{L})/gu,
  /(?<![\p{L}\p{N}])'([^'\n]{1,600}(?:'\p{L}[^'\n]{0,600}){0,20})'(?![\p{L}\p{N}])/gu,
]
/** Index of the first pair of single marks. They are also apostrophes, so they quote only three words or more. */
const SINGLE = 7
const MIN_SINGLE_WORDS = 3

/** Returns the quotations in a text, with any of the usual marks. Quotations inside others are left out. */
const quotesIn = (text: string): Quotation[] => {
  const found: Quotation[] = []
  const taken = new Uint8Array(text.length)
  const isFree = (start: number, end: number): boolean => {
    for (let at = start; at < end; at += 1) if (taken[at] === 1) return false
    return true
  }
  for (const [kind, pattern] of pairs().entries())
    for (const match of text.matchAll(pattern)) {
      const quote = { start: match.index, end: match.index + match[0].length, inner: match[1] ?? '' }
      const words = countWords(quote.inner)
      if (words === 0 || (kind >= SINGLE && words < MIN_SINGLE_WORDS)) continue
      if (!isFree(quote.start, quote.end)) continue
      taken.fill(1, quote.start, quote.end)
      found.push({ ...quote, words })
    }
  return found.sort((a, b) => a.start - b.start)
}

/** Facts that a text may state: the numbers and words of the caller's notes and of the brief. */
export type Evidence = {
  /** Language of the checked texts. */
  language: string
  numbers: ReadonlySet<string>
  addresses: ReadonlySet<string>
  /** True if the evidence contains the words in this order, regardless of case, accents and punctuation. */
  hasPhrase: (words: string) => boolean
}

const briefText = (brief: WritingBrief): string =>
  [
    brief.keyword,
    brief.title,
    brief.instructions.article,
    brief.instructions.project,
    brief.business.name,
    brief.business.description,
    ...brief.business.audience,
    brief.business.location ?? '',
    brief.business.websiteUrl,
    ...brief.internalLinks.map(({ url, anchor }) => `${anchor} ${url}`),
  ].join('\n')

/** True for scripts without spaces between words, in which phrases are compared by characters. */
const isUnspaced = (text: string): boolean =>
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u.test(text)

/** Returns a function that finds phrases in a text. The text is folded only once. */
const phraseFinder = (text: string): Evidence['hasPhrase'] => {
  const spaced = ` ${fold(text)} `
  const unspaced = isUnspaced(spaced) ? spaced.replaceAll(' ', '') : ''
  const known = new Map<string, boolean>()
  return (words) => {
    const phrase = fold(words)
    let found = known.get(phrase)
    if (found === undefined) {
      found = isUnspaced(phrase) ? unspaced.includes(phrase.replaceAll(' ', '')) : spaced.includes(` ${phrase} `)
      known.set(phrase, found)
    }
    return phrase !== '' && found
  }
}

/** Collects the evidence in notes and brief. Notes are used as source and as shown text, because markup may hide words. */
export const evidenceOf = (notes: string, brief: WritingBrief): Evidence => {
  const evidence = evidenceIn(`${notes}\n${textOf(readNotes(notes))}\n${briefText(brief)}`, brief.language)
  const partners = brief.exchangePartners.map(({ url }) => url).join('\n')
  // The addresses of partners may be named, but their anchors are other accounts' texts, which prove nothing.
  return {
    ...evidence,
    addresses: new Set([...evidence.addresses, ...addressesIn(partners).map(({ uri }) => uri)]),
  }
}

/** Returns the evidence in a plain text, for texts in a language. Numbers in English words are evidence in any language. */
export const evidenceIn = (sources: string, language: string): Evidence => {
  const numbers = new Set<string>()
  const named = addressesIn(sources)
  const plain = withoutLinks(sources, named, ' ')
  for (const { value, same = [], parts } of numbersIn(plain))
    for (const one of [value, ...same, ...parts]) numbers.add(one)
  return {
    language,
    numbers,
    addresses: new Set(named.map(({ uri }) => uri)),
    hasPhrase: phraseFinder(sources),
  }
}

const isKnownNumber = ({ value, same = [] }: NumberClaim, { numbers }: Evidence): boolean =>
  value === '' || [value, ...same].some((one) => numbers.has(one))

/** Numbers at the start of paragraphs and headings (`Step 3: …`) that only count. */
const COUNTING = /^\s*\d{1,2}[.)]\s/
const headingCounting = () => /^\s*(?:\p{L}+\s+)?(?:1?\d|20)(?:\s*[.):–—-]\s|\s*[：．、）]|\s*$)/u

const countingEnd = (text: string, pattern: RegExp): number => pattern.exec(text)?.[0].length ?? 0

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end

/** Returns the places of a text without evidence: numbers, quotations of two words or more, and web addresses. */
const unsupportedIn = (text: string, evidence: Evidence): Span[] => {
  const counting = countingEnd(text, COUNTING)
  const named = addressesIn(text)
  const numbers = numbersIn(text, evidence.language).filter(
    (claim) =>
      claim.start >= counting &&
      !isKnownNumber(claim, evidence) &&
      !isNumbering(text, claim) &&
      !named.some((one) => overlap(one, claim)),
  )
  const quotes = quotesIn(text).filter(({ inner, words }) => words >= 2 && !evidence.hasPhrase(inner))
  const unknown = named.filter(({ uri }) => !evidence.addresses.has(uri))
  return [...numbers, ...quotes, ...unknown]
}

const hasLink = (run: Run, span: Span): boolean =>
  run.leaves.some((leaf) => leaf.href !== null && leaf.node.text.trim() !== '' && overlap(leaf, span))

/** True if a run has a `<q>` element. Its whole text then counts as a quotation. */
const hasQuotation = (run: Run): boolean => run.leaves.some(({ tags }) => tags.includes('q'))

const spansToCut = (run: Run, evidence: Evidence, quoted: boolean): Span[] => {
  if (quoted && !run.leaves.some(({ href }) => href !== null) && !evidence.hasPhrase(run.text))
    return [{ start: 0, end: run.text.length }]
  const claims = unsupportedIn(run.text, evidence)
  if (claims.length === 0) return []
  const sentences = sentencesOf(run.text).filter((span) => claims.some((claim) => overlap(claim, span)))
  return sentences.filter((span) => !hasLink(run, span))
}

/** Returns the quotation marks around single words that the evidence does not contain. */
const looseMarks = (run: Run, evidence: Evidence): Span[] =>
  quotesIn(run.text)
    .filter(({ inner, words }) => words < 2 && !evidence.hasPhrase(inner))
    .flatMap(({ start, end }) => [
      { start, end: start + 1 },
      { start: end - 1, end },
    ])

/** Returns a title or heading without numbers that have no evidence. It cannot lose a whole sentence. */
export const withoutUnknownNumbers = (text: string, evidence: Evidence): string => {
  const counting = countingEnd(text, headingCounting())
  let kept = ''
  let at = 0
  for (const claim of numbersIn(text, evidence.language)) {
    if (claim.start < counting || isKnownNumber(claim, evidence) || isNumbering(text, claim)) continue
    kept += text.slice(at, claim.start).replace(/[$€£¥%％٪]\s*$/, '')
    at = claim.end
  }
  if (at === 0) return text
  const line = `${kept}${text.slice(at)}`
    .replace(/\(\s*\)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;:!?])/g, '$1')
  return line.replace(/^[\s,;:.–—+%-]+/, '').trim()
}

/** Returns a text without the sentences that lack evidence. */
export const keepKnownSentences = (text: string, evidence: Evidence): string => {
  const claims = unsupportedIn(text, evidence)
  return sentencesOf(text)
    .filter((span) => !claims.some((claim) => overlap(claim, span)))
    .map(({ start, end }) => text.slice(start, end))
    .join('')
    .trim()
}

/**
 * Removes every sentence that has no link, and a number, quotation or address without evidence.
 *
 * A table loses the row, a heading the number. Changes the tree, and returns the removed sentences.
 */
export const keepToFacts = (nodes: readonly HtmlNode[], evidence: Evidence): string[] => {
  const cut: string[] = []
  const rows = new Set<unknown>()
  const runs = runsOf(nodes)
  const blockquotes = quotedRuns(nodes)
  for (const run of runs) {
    if (/^h[1-6]$/.test(run.block)) {
      keepHeading(run, evidence, cut)
      continue
    }
    const spans = spansToCut(run, evidence, blockquotes.has(run.leaves[0]?.node) || hasQuotation(run))
    if (run.row && spans.length > 0) rows.add(run.row)
    for (const { start, end } of spans) cut.push(run.text.slice(start, end).trim())
    if (spans.length > 0) cutRanges(run, spans)
    else cutRanges(run, looseMarks(run, evidence))
  }
  for (const run of runs) if (run.row && rows.has(run.row)) cutRanges(run, [{ start: 0, end: run.text.length }])
  return cut
}

/** Returns the first text nodes of the runs inside blockquotes, at any depth. */
const quotedRuns = (nodes: readonly HtmlNode[]): Set<unknown> => {
  const inside = new Set<unknown>()
  const walk = (list: readonly HtmlNode[]) => {
    for (const node of list) {
      if (!('tag' in node)) continue
      if (node.tag === 'blockquote') for (const run of runsOf(node.children)) inside.add(run.leaves[0]?.node)
      else walk(node.children)
    }
  }
  walk(nodes)
  return inside
}

const keepHeading = (run: Run, evidence: Evidence, cut: string[]): void => {
  const line = withoutUnknownNumbers(run.text, evidence)
  const marks = quotesIn(run.text).some(({ inner }) => !evidence.hasPhrase(inner))
  const plain = marks ? line.replace(/["“”„«»「」『』]/g, '') : line
  if (plain === run.text) return
  cut.push(run.text.trim())
  const [first, ...others] = run.leaves
  if (first) first.node.text = plain
  for (const leaf of others) leaf.node.text = ''
}
