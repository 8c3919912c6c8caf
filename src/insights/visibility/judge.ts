import { getDomain, getDomainWithoutSuffix, parse } from 'tldts'
import type { Citation } from '../../../schema/values/visibility.ts'
import { urlsIn, withoutLinks } from '../../platform/lib/links.ts'
import { withoutLegalForm } from '../../platform/lib/names/endings.ts'
import { hasUmlauts, type Letters, lettersOf } from '../../platform/lib/names/letters.ts'
import { type Name, nameOfLabel, namesOf, type Span, spansOf } from '../../platform/lib/names/names.ts'
import { clip, storableText } from '../../platform/lib/text.ts'
import { withoutThoughts } from '../../platform/lib/thoughts.ts'
import { isOfSite, isReservedHost, pageKey, withoutTrackers } from '../../platform/lib/urls.ts'
import { knowsIgnorance, withoutIgnorance } from './ignorance.ts'
import type { Judged, Looked, Said, ToMatch } from './port.ts'

/** Domains under which anyone can have a site (`github.io`) count as suffixes. */
const SUFFIXES = { allowPrivateDomains: true, detectSpecialUse: true } as const

const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '')

/** Returns the registered domain of a host: `acme.co.uk` for `blog.acme.co.uk`. The host itself if there is none. */
const registrable = (host: string): string => getDomain(host, SUFFIXES) ?? plainHost(host)

/** Returns the label of a registered domain: `acme` for `blog.acme.co.uk`. */
const labelOf = (host: string): string => getDomainWithoutSuffix(host, SUFFIXES) ?? plainHost(host).split('.')[0] ?? ''

/** True if a word is a host on the internet, and not a name such as `Node.js`. */
const isHost = (text: string): boolean => {
  const { isIcann, isPrivate } = parse(text, SUFFIXES)
  return isIcann === true || isPrivate === true || isReservedHost(text)
}

/** A site as `siteKey` writes it. If it has a path, only that part of the host is the site. */
type Site = { key: string; host: string; domain: string }

const siteOf = (key: string): Site => {
  const host = plainHost(key.split('/')[0]?.replace(/:\d+$/, '') ?? '')
  return { key, host, domain: registrable(host) }
}

const hasPath = (site: Site): boolean => site.key.includes('/')

/** Returns the nearness of a page to a site: the length of the shared part, 1 for the same registered domain, 0 for none. */
const nearness = (url: URL, site: Site): number => {
  if (hasPath(site)) return isOfSite(pageKey(url), site.key) ? site.key.length : 0
  const host = plainHost(url.hostname)
  if (host === site.host || host.endsWith(`.${site.host}`)) return site.host.length
  return registrable(host) === site.domain ? 1 : 0
}

/** Business to look for, and the names that could be mistaken for its own. */
export type Brand = {
  site: Site
  language: string
  names: readonly Name[]
  /** Names that are hosts, such as `booking.com`. */
  hosts: readonly string[]
  competitors: readonly { site: Site; names: readonly Name[] }[]
}

const MAX_CITATIONS = 100
const MAX_URL = 2_000
const MAX_TITLE = 300

/**
 * Returns the business and its competitors in the form to look for.
 *
 * The label of the business's own domain counts as a name if it contains the whole name, or if there is no name. A shorter
 * label would often be an ordinary word.
 */
export const brandOf = (given: Looked): Brand => {
  const site = siteOf(given.siteKey)
  const names = [given.name, ...(given.aliases ?? [])].flatMap(namesOf)
  const labels = nameOfLabel(labelOf(site.host)).filter(
    (label) => names.length === 0 || names.some((name) => label.letters.includes(name.letters)),
  )
  const rivals = given.competitors.map(siteOf).filter((rival) => rival.host !== site.host)
  return {
    site,
    language: given.language ?? '',
    names: [...names, ...labels],
    hosts: [given.name, ...(given.aliases ?? [])].map((name) => withoutLegalForm(name).toLowerCase()).filter(isHost),
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

const citationsOf = (given: Said['citations'], brand: Brand): Citation[] => {
  const found = new Map<string, Citation>()
  for (const { url: address, title } of given) {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol) || address.length > MAX_URL) continue
    const key = pageKey(url)
    if (found.has(key) || found.size >= MAX_CITATIONS) continue
    const plain = withoutTrackers(url).href
    found.set(key, { url: plain, title: clip(storableText(title.trim()), MAX_TITLE), ...whoseSite(url, brand) })
  }
  return [...found.values()]
}

const MAIL = /[^\s<>@]{1,64}@[^\s<>@]+/gu
const HOST = /(?<![\p{L}\p{N}@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?![\p{L}\p{N}-])/gu

/** Returns a text without its addresses, whose words are no mentions, and the hosts among its words. */
const withoutHosts = (text: string): { text: string; hosts: string[] } => {
  const hosts: string[] = []
  const plain = withoutLinks(text, urlsIn(text), '\n')
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

/** Returns, for each letter of a text, the length of the longest name that covers it. */
const lengthsOver = (spans: readonly Span[], letters: number): Uint16Array => {
  const lengths = new Uint16Array(letters)
  for (const { start, end } of spans)
    for (let at = start; at < end; at += 1) lengths[at] = Math.max(lengths[at] ?? 0, end - start)
  return lengths
}

/** True if a text names the business. Letters that a longer name of a competitor covers do not count. */
const isNamedIn = (letters: Letters, { names, competitors, language }: Brand): boolean => {
  const own = spansIn(names, letters, language)
  if (own.length === 0) return false
  const rivals = competitors.flatMap((rival) => spansIn(rival.names, letters, language))
  const taken = lengthsOver(rivals, letters.text.length)
  return own.some(({ start, end }) => (taken[start] ?? 0) <= end - start && (taken[end - 1] ?? 0) <= end - start)
}

/** True if a text names the business or has a host of it, in a sentence that `known` keeps. */
const isNamed = (said: string, brand: Brand, known: (text: string) => string): boolean => {
  const { text, hosts } = withoutHosts(said)
  if (hosts.some((host) => brand.hosts.includes(host) || whoseSite(new URL(`https://${host}/`), brand).site === 'own'))
    return true
  const kept = known(text)
  const readings = [lettersOf(kept), ...(hasUmlauts(kept) ? [lettersOf(kept, true)] : [])]
  return readings.some((letters) => isNamedIn(letters, brand))
}

/**
 * Returns the verdict of an answer on the business.
 *
 * It is cited if a page of its site is, mentioned if its name or address is in the text, and else not cited. If the question names the
 * business too, the answer may only say that it does not know it. That is unclear in languages whose sentences are not recognized.
 */
export const judge = (said: Said, brand: Brand, prompt = ''): Judged => {
  const citations = citationsOf(said.citations, brand)
  if (citations.some(({ site }) => site === 'own')) return { verdict: 'cited', citations }
  if (!isNamed(said.text, brand, withoutIgnorance)) return { verdict: 'not_cited', citations }
  const isClear = knowsIgnorance(brand.language) || !isNamed(prompt, brand, (text) => text)
  return { verdict: isClear ? 'mentioned' : 'unclear', citations }
}

/** Returns the verdict of an answer on its business. Addresses in the text count as citations too. */
export const judgeSaid = ({ said, of, prompt }: ToMatch): Judged => {
  // A model may name a business in its thoughts only, which its readers do not see.
  const { text } = withoutThoughts(said.text)
  const links = urlsIn(text).map(({ uri }) => ({ url: uri, title: '' }))
  return judge({ text, citations: [...said.citations, ...links] }, brandOf(of), prompt)
}
