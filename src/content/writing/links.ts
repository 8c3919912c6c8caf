import { urlsIn } from '../../platform/lib/links.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import { element, type HtmlElement, type HtmlNode, type HtmlText, isElement } from '../html/tree.ts'
import { isOnDomain } from '../seo/links.ts'
import type { RequiredLink, WritingBrief } from './port.ts'
import { isInline, runsOf } from './prose.ts'
import { wordsOf } from './rules.ts'

const keyOf = (href: string): string | undefined => {
  try {
    const url = new URL(href)
    return url.protocol === 'http:' || url.protocol === 'https:' ? pageKey(url) : undefined
  } catch {
    return undefined
  }
}

/** Addresses that an article may link to: those in the notes or the brief, except competitors. */
export type LinkRules = { pages: ReadonlySet<string>; notes: string; competitors: readonly string[] }

/** Returns the link rules of an article. Addresses are compared by `pageKey`. */
export const linkRules = (notes: string, brief: WritingBrief): LinkRules => {
  const sourceText = `${notes.replaceAll('&amp;', '&')} ${brief.instructions.article} ${brief.instructions.project}`
  const given = [
    ...urlsIn(sourceText).map(({ uri }) => uri),
    ...brief.exchangePartners.map(({ url }) => url),
    ...brief.internalLinks.map(({ url }) => url),
    brief.business.websiteUrl,
    brief.callToAction.url ?? '',
  ]
  const pages = new Set(given.map(keyOf).filter((key) => key !== undefined))
  return { pages, notes, competitors: brief.competitors }
}

const isContact = (href: string): boolean => /^(?:mailto|tel|sms):/i.test(href)

/** True if an article may link to the address. */
const mayLink = (href: string, { pages, notes, competitors }: LinkRules): boolean => {
  if (isContact(href)) return notes.includes(href)
  const key = keyOf(href)
  return key !== undefined && pages.has(key) && !competitors.some((domain) => isOnDomain(key, domain))
}

/** Returns a new tree without forbidden links, whose text stays, and without pictures that are not in the notes. */
export const keepKnownLinks = (nodes: readonly HtmlNode[], rules: LinkRules): HtmlNode[] =>
  nodes.flatMap((node): HtmlNode[] => {
    if (!isElement(node)) return [{ text: node.text }]
    const children = keepKnownLinks(node.children, rules)
    if (node.tag === 'a' && !mayLink(node.attributes.href ?? '', rules)) return children
    if (node.tag === 'img' && !rules.notes.includes(node.attributes.src ?? ' ')) return []
    return [{ ...node, children }]
  })

/** Returns the keys of all pages that an article links to. */
const linkedPages = (nodes: readonly HtmlNode[]): Set<string> => {
  const keys = new Set<string>()
  for (const run of runsOf(nodes))
    for (const { href } of run.leaves) {
      const key = href === null ? undefined : keyOf(href)
      if (key !== undefined) keys.add(key)
    }
  return keys
}

const isLetter = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)

/** Returns the position of `phrase` as whole words in a text, in any case; -1 if there is none. */
const placeOf = (text: string, phrase: string): number => {
  const lower = text.toLowerCase()
  const wanted = phrase.toLowerCase()
  if (lower.length !== text.length || wanted === '') return -1
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const isWord = !isLetter(text[at - 1] ?? ' ') && !isLetter(text[at + wanted.length] ?? ' ')
    if (isWord) return at
  }
  return -1
}

/** Links the first mention of the anchor in running text. Returns false if there is none. */
const linkMention = (nodes: readonly HtmlNode[], { url, anchor }: RequiredLink): boolean => {
  const within = (list: HtmlNode[]): boolean => {
    for (const [index, node] of list.entries()) {
      if (isElement(node)) {
        if (!/^(a|h[1-6]|code|pre|blockquote|q|table)$/.test(node.tag) && within(node.children)) return true
        continue
      }
      const at = placeOf(node.text, anchor)
      if (at < 0) continue
      const sourceText: HtmlText = { text: node.text.slice(at, at + anchor.length) }
      const link = element('a', [sourceText], { href: url })
      list.splice(index, 1, { text: node.text.slice(0, at) }, link, { text: node.text.slice(at + anchor.length) })
      return true
    }
    return false
  }
  return nodes.some(
    (node) => isElement(node) && !isInline(node) && /^(p|ul|ol|dl)$/.test(node.tag) && within(node.children),
  )
}

const anchorOf = ({ url, anchor }: RequiredLink): string =>
  anchor.trim() || (URL.parse(url)?.hostname.replace(/^www\./, '') ?? url)

/** Returns a paragraph of links, after the label in the language if there is one. */
const relatedLine = (links: readonly RequiredLink[], language: string): HtmlElement => {
  const label = wordsOf(language)?.related
  const nodes: HtmlNode[] = label ? [{ text: `${label}: ` }] : []
  for (const [index, link] of links.entries()) {
    if (index > 0) nodes.push({ text: label ? ', ' : ' · ' })
    nodes.push(element('a', [{ text: anchorOf(link) }], { href: link.url }))
  }
  return element('p', nodes)
}

/** Returns the project's call to action; undefined if it wants none. */
const callToAction = ({
  callToAction: { intensity, url },
  business,
  language,
}: WritingBrief): HtmlElement | undefined => {
  if (intensity === 'None' || url === null) return undefined
  const words = wordsOf(language)
  const link = element('a', [{ text: anchorOf({ url, anchor: business.name }) }], { href: url })
  const label = intensity === 'Direct' ? words?.visit : words?.more
  const line: HtmlNode[] = [...(label ? [{ text: `${label} ` }] : []), link]
  return element('p', intensity === 'Direct' ? [element('strong', line)] : line)
}

/**
 * Adds the brief's links that the article lacks: at a mention in the text, or else in a paragraph at the end.
 *
 * The call to action comes last. Changes the tree, and returns the article with the additions.
 */
export const placeLinks = (nodes: readonly HtmlNode[], brief: WritingBrief): HtmlNode[] => {
  const linked = linkedPages(nodes)
  const isMissing = ({ url }: RequiredLink) => !linked.has(keyOf(url) ?? '')
  const wanted = [...brief.exchangePartners, ...brief.internalLinks].filter(isMissing)
  const unmentioned = wanted.filter((link) => !linkMention(nodes, link))
  const action = isMissing({ url: brief.callToAction.url ?? '', anchor: '' }) ? callToAction(brief) : undefined
  return [
    ...nodes,
    ...(unmentioned.length > 0 ? [relatedLine(unmentioned, brief.language)] : []),
    ...(action ? [action] : []),
  ]
}
