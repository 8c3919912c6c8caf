import type { Citation } from '../../../../schema/values/visibility.ts'
import { hasUmlauts, type Letters, lettersOf } from '../../../platform/lib/names/letters.ts'
import { type Name, nameOfLabel, namesOf, type Span, spansOf } from '../../../platform/lib/names/names.ts'
import { clip, storableText } from '../../../platform/lib/text.ts'
import { withoutIgnorance } from './ignorance.ts'
import { isHost, labelOf, nearness, registrable, type Site, siteOf } from './sites.ts'
import type { Judged, Looked, Said, ToMatch } from './work.ts'

/** Business to look for, and the names that could be mistaken for its own. */
export type Brand = {
  site: Site
  language: string
  names: readonly Name[]
  competitors: readonly { site: Site; names: readonly Name[] }[]
}

const MAX_CITATIONS = 100
const MAX_URL = 2_000
const MAX_TITLE = 300

/**
 * Returns the business and its competitors in the form to look for.
 *
 * The label of the business's own address counts as a name if it has the whole name, or there is no name. A shorter one would
 * often be a word of the language.
 */
export const brandOf = (given: Looked): Brand => {
  const site = siteOf(given.siteKey)
  const names = namesOf(given.name)
  const labels = nameOfLabel(labelOf(site.host)).filter(
    (label) => names.length === 0 || names.some((name) => label.letters.includes(name.letters)),
  )
  const rivals = given.competitors.map(siteOf).filter((rival) => rival.host !== site.host)
  return {
    site,
    language: given.language ?? '',
    names: [...names, ...labels],
    competitors: rivals.map((rival) => ({ site: rival, names: nameOfLabel(labelOf(rival.host)) })),
  }
}

const whoseSite = (url: URL, brand: Brand): { site: Citation['site']; domain: string } => {
  const own = nearness(url, brand.site)
  const rivals = brand.competitors.map(({ site }) => ({ site, near: nearness(url, site) }))
  const rival = rivals.reduce((best, one) => (one.near > best.near ? one : best), { site: brand.site, near: 0 })
  if (own > 0 && own >= rival.near) return { site: 'own', domain: brand.site.domain }
  if (rival.near > 0) return { site: 'competitor', domain: rival.site.key }
  return { site: 'other', domain: registrable(url.hostname) }
}

const withoutTracking = (url: URL): string => {
  const plain = new URL(url)
  plain.hash = ''
  for (const name of [...plain.searchParams.keys()])
    if (/^(utm_|srsltid$|gclid$|fbclid$)/i.test(name)) plain.searchParams.delete(name)
  return plain.href
}

const citationsOf = (given: Said['citations'], brand: Brand): Citation[] => {
  const found = new Map<string, Citation>()
  for (const { url: address, title } of given) {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol) || address.length > MAX_URL) continue
    const plain = withoutTracking(url)
    if (found.has(plain) || found.size >= MAX_CITATIONS) continue
    found.set(plain, { url: plain, title: clip(storableText(title.trim()), MAX_TITLE), ...whoseSite(url, brand) })
  }
  return [...found.values()]
}

const LINK = /https?:\/\/[^\s<>"'`)\]}]+/giu
const MAIL = /[^\s<>@]{1,64}@[^\s<>@]+/gu
const HOST = /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?![\p{L}\p{N}-])/gu

/** A text without addresses, whose words are no mentions, and the hosts that stand in it as words. */
const withoutAddresses = (text: string): { text: string; hosts: string[] } => {
  const hosts: string[] = []
  const plain = text
    .replace(LINK, '\n')
    .replace(MAIL, '\n')
    .replace(HOST, (host) => {
      if (!isHost(host.toLowerCase())) return host
      hosts.push(host.toLowerCase())
      return '\n'
    })
  return { text: plain, hosts }
}

const spansIn = (names: readonly Name[], letters: Letters, language: string): Span[] =>
  names.flatMap((name) => spansOf(name, letters, { language }))

/** For each letter of a text the length of the longest of the names that stand over it. */
const lengthsOver = (spans: readonly Span[], letters: number): Uint16Array => {
  const lengths = new Uint16Array(letters)
  for (const { start, end } of spans)
    for (let at = start; at < end; at += 1) lengths[at] = Math.max(lengths[at] ?? 0, end - start)
  return lengths
}

/** True if the business is named among the letters of a text. Where a competitor's name holds its own, the longer one has the words. */
const isNamedIn = (letters: Letters, { names, competitors, language }: Brand): boolean => {
  const own = spansIn(names, letters, language)
  if (own.length === 0) return false
  const rivals = competitors.flatMap((rival) => spansIn(rival.names, letters, language))
  const taken = lengthsOver(rivals, letters.text.length)
  return own.some(({ start, end }) => (taken[start] ?? 0) <= end - start && (taken[end - 1] ?? 0) <= end - start)
}

/** True if a text names the business in a sentence that knows something of it. */
const isMentioned = (said: string, brand: Brand): boolean => {
  const { text, hosts } = withoutAddresses(said)
  if (hosts.some((host) => whoseSite(new URL(`https://${host}/`), brand).site === 'own')) return true
  const known = withoutIgnorance(text)
  const readings = [lettersOf(known), ...(hasUmlauts(known) ? [lettersOf(known, true)] : [])]
  return readings.some((letters) => isNamedIn(letters, brand))
}

/** Returns the verdict of an answer on the business: cited by a page of its site, else mentioned by name or address, else not. */
export const judge = (said: Said, brand: Brand): Judged => {
  const citations = citationsOf(said.citations, brand)
  if (citations.some(({ site }) => site === 'own')) return { verdict: 'cited', citations }
  return { verdict: isMentioned(said.text, brand) ? 'mentioned' : 'not_cited', citations }
}

/** The addresses that stand in a text. */
export const linksIn = (text: string): string[] =>
  (text.match(LINK) ?? []).map((url) => url.replace(/(?<![.,;:!?*_])[.,;:!?*_]+$/u, ''))

/** Returns the verdict of an answer on the business it was asked about; the addresses in its text count as cited too. */
export const judgeSaid = ({ said, of }: ToMatch): Judged => {
  const links = linksIn(said.text).map((url) => ({ url, title: '' }))
  return judge({ text: said.text, citations: [...said.citations, ...links] }, brandOf(of))
}
