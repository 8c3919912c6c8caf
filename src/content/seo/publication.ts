import type { SQL } from 'drizzle-orm'
import type { SeoReport } from '../../../schema/values/seo.ts'
import type { Db } from '../../platform/db/client.ts'
import { pageKey } from '../../platform/lib/urls.ts'
import { type HtmlDocument, readDocument } from '../html/document.ts'
import { HEADING, readEvents } from '../html/events.ts'
import { escapeAttribute, escapeText, plainText } from '../html/references.ts'
import { applyEdits, attributeEdits, attributesOf, type Edit } from '../html/tags.ts'
import { type JudgedArticle, type Judgement, judge, readContent } from './assess.ts'
import { describe } from './description.ts'
import { slugIn } from './language-slug.ts'
import { sortLinks } from './links.ts'
import { type Surroundings, surroundingsOf } from './parts.ts'
import { linkablePages } from './queries.ts'
import { MIN_CONTENTS } from './rules.ts'
import { isUnspaced } from './words.ts'

/** Link to add to a text: the index of the text node, start and end in it, and the address. */
type TextLink = { node: number; start: number; end: number; url: string }

/** Elements without added links: links, headings, code, quotations, navigation and similar. */
const UNLINKABLE = new Set(
  'a h1 h2 h3 h4 h5 h6 code pre kbd samp blockquote q nav summary caption th iframe'.split(' '),
)

/** Returns the places of the text nodes that may get links. */
const linkablePlaces = (html: string): { start: number; end: number }[] => {
  const places: { start: number; end: number }[] = []
  let closed = 0
  for (const event of readEvents(html)) {
    if (event.kind === 'open' && !event.isLeaf && UNLINKABLE.has(event.tag.name)) closed += 1
    else if (event.kind === 'close' && UNLINKABLE.has(event.name)) closed -= 1
    else if (event.kind === 'text' && event.mode === 'text' && closed === 0)
      places.push({ start: event.start, end: event.end })
  }
  return places
}

/** Returns the sources of the text nodes that may get links. */
export const linkableTexts = (html: string): string[] =>
  linkablePlaces(html).map(({ start, end }) => html.slice(start, end))

/** Adds links to text nodes. Everything else stays byte for byte. */
const setLinks = (html: string, links: readonly TextLink[]): string => {
  const places = linkablePlaces(html)
  const edits = links.flatMap(({ node, start, end, url }): Edit[] => {
    const place = places[node]
    if (!place) return []
    const text = html.slice(place.start + start, place.start + end)
    return [
      { start: place.start + start, end: place.start + end, text: `<a href="${escapeAttribute(url)}">${text}</a>` },
    ]
  })
  return applyEdits(
    html,
    edits.sort((a, b) => a.start - b.start),
  )
}

const contentsOf = (entries: readonly { id: string; text: string }[]): string => {
  const items = entries.map(({ id, text }) => `<li><a href="#${escapeAttribute(id)}">${escapeText(text)}</a></li>`)
  return `<nav class="toc"><ul>${items.join('')}</ul></nav>`
}

/** New structure of a fragment: the id of each heading (undefined keeps it), and the table of contents, which may be empty. */
type Outline = { ids: readonly (string | undefined)[]; contents: readonly { id: string; text: string }[] }

/**
 * Sets heading ids, and adds the table of contents before the first H2.
 *
 * Also makes every image after the first lazy, unless it has a `loading` attribute.
 */
export const setStructure = (html: string, { ids, contents }: Outline): string => {
  const edits: Edit[] = []
  let heading = -1
  let image = -1
  let isListed = contents.length === 0
  for (const event of readEvents(html)) {
    if (event.kind !== 'open') continue
    const { tag } = event
    if (HEADING.has(tag.name)) {
      heading += 1
      if (!isListed && tag.name === 'h2') {
        isListed = true
        edits.push({ start: tag.start, end: tag.start, text: contentsOf(contents) })
      }
      const id = ids[heading]
      if (id !== undefined) edits.push(...attributeEdits(html, tag, 'id', id))
    } else if (tag.name === 'img') {
      image += 1
      if (image > 0 && !attributesOf(html, tag).has('loading'))
        edits.push(...attributeEdits(html, tag, 'loading', 'lazy'))
    }
  }
  return applyEdits(html, edits)
}

/** Page of the project's own site that an article may link to. */
type LinkablePage = { url: string; key: string; phrases: readonly string[] }

/** Length of the shortest phrase. Shorter ones are common words rather than names of pages. */
const MIN_PHRASE = 4

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/**
 * Returns a pattern for a phrase in HTML text: whole words, any whitespace between them, any case, never inside a reference.
 */
const patternOf = (phrase: string): RegExp => {
  const words = phrase.replaceAll('&', '&amp;').trim().split(/\s+/).map(escapePattern).join('\\s+')
  return isUnspaced(phrase)
    ? new RegExp(words, 'iu')
    : new RegExp(`(?<![\\p{L}\\p{N}_&#])${words}(?![\\p{L}\\p{N}_])`, 'iu')
}

const overlaps = (links: readonly TextLink[], node: number, start: number, end: number): boolean =>
  links.some((link) => link.node === node && start < link.end && end > link.start)

const firstPlace = (texts: readonly string[], phrase: string, planned: readonly TextLink[]) => {
  const pattern = patternOf(phrase)
  for (const [node, text] of texts.entries()) {
    const match = pattern.exec(text)
    if (match && !overlaps(planned, node, match.index, match.index + match[0].length))
      return { node, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

/**
 * Chooses places for links to own pages: the first occurrence of one of a page's phrases.
 *
 * Long phrases come first, and each page is linked once. `texts` are the text nodes that may get links, as HTML source.
 */
const planLinks = (texts: readonly string[], pages: readonly LinkablePage[], wanted: number): TextLink[] => {
  const planned: TextLink[] = []
  const linked = new Set<string>()
  const candidates = pages
    .flatMap(({ url, key, phrases }) => phrases.map((phrase) => ({ url, key, phrase: phrase.trim() })))
    .filter(({ phrase }) => phrase.length >= MIN_PHRASE || (phrase.length > 1 && isUnspaced(phrase)))
    .sort((a, b) => b.phrase.length - a.phrase.length)
  for (const { url, key, phrase } of candidates) {
    if (planned.length >= wanted) break
    const place = linked.has(key) ? undefined : firstPlace(texts, phrase, planned)
    if (!place) continue
    linked.add(key)
    planned.push({ ...place, url })
  }
  return planned
}

/** Project settings for articles, and own pages that this article may link to. */
export type Settings = {
  language: string
  tableOfContents: boolean
  internalLinks: number
  siteKey: string
  /** Key of the article's own page, if it has one. */
  ownKey: string | null
  pages: readonly LinkablePage[]
}

/** Returns an id for each heading: its own if no heading before has it, or one made from its words. */
const headingIds = ({ headings, ids }: HtmlDocument, language: string): string[] => {
  const taken = new Set(ids)
  const given = new Set<string>()
  // Next number of each base. Otherwise thousands of equal headings would each count from the start.
  const next = new Map<string, number>()
  return headings.map(({ id, text }) => {
    if (id !== '' && !given.has(id)) {
      given.add(id)
      return id
    }
    const base = slugIn(language, text) || 'section'
    let n = next.get(base) ?? 1
    const candidate = () => (n === 1 ? base : `${base}-${n}`)
    while (taken.has(candidate()) || given.has(candidate())) n += 1
    next.set(base, n + 1)
    given.add(candidate())
    return candidate()
  })
}

const outlineOf = (document: HtmlDocument, { tableOfContents: wanted, language }: Settings): Outline => {
  const ids = headingIds(document, language)
  const sections = document.headings
    .map(({ level, text }, n) => ({ level, text, id: ids[n] ?? '' }))
    .filter(({ level, text }) => level === 2 && text !== '')
    .map(({ id, text }) => ({ id, text }))
  const linked = new Set(document.links.map(({ href }) => href))
  const reached = ids.filter((id) => linked.has(`#${id}`)).length
  const isMissing = wanted && sections.length >= MIN_CONTENTS && reached < MIN_CONTENTS
  return {
    ids: ids.map((id, n) => (id === document.headings[n]?.id ? undefined : id)),
    contents: isMissing ? sections : [],
  }
}

/** Link that optimising adds to a text: the words and the address of a page of the project. */
export type AddedLink = { text: string; url: string }

const withInternalLinks = (html: string, document: HtmlDocument, settings: Settings) => {
  const { internal } = sortLinks(document, settings.siteKey)
  const missing = settings.internalLinks - internal.size
  const pages = settings.pages.filter(({ key }) => !internal.has(key) && key !== settings.ownKey)
  if (missing <= 0 || pages.length === 0) return { linked: html, links: [] }
  const texts = linkableTexts(html)
  const planned = planLinks(texts, pages, missing)
  const links = planned.map(
    ({ node, start, end, url }): AddedLink => ({
      text: plainText(texts[node]?.slice(start, end) ?? ''),
      url,
    }),
  )
  return { linked: setLinks(html, planned), links }
}

/**
 * Applies safe improvements to an article. Applying them again changes nothing.
 *
 * They are heading ids, a table of contents, lazy images, internal links on exact phrases, and a description if it has none.
 */
export const optimiseArticle = (
  article: { content: string; metaDescription: string },
  settings: Settings,
): { content: string; metaDescription: string; links: AddedLink[] } => {
  const document = readDocument(article.content)
  const { linked, links } = withInternalLinks(article.content, document, settings)
  const content = setStructure(linked, outlineOf(document, settings))
  const metaDescription = article.metaDescription.trim() === '' ? describe(document) : article.metaDescription
  return { content, metaDescription, links }
}

/** Returns the queries that a publication needs to optimise the article. */
export const publicationQueries = (db: Db, project: SQL, articleId: number) => ({
  surroundings: surroundingsOf(db, project, articleId, undefined),
  pages: linkablePages(db, articleId),
})

/** Results of `publicationQueries`. */
export type PublicationFound = {
  surroundings: Pick<Surroundings, 'rows'>
  pages: Pick<Awaited<ReturnType<typeof linkablePages>>, 'rows'>
}

const keyOf = (url: string | null): string | null => {
  if (url === null || !URL.canParse(url)) return null
  return pageKey(new URL(url))
}

/** Article before its first publication. */
export type Unpublished = JudgedArticle & { content: string; url: string | null; seo: SeoReport | null }

/** Article as it is published: the changed fields, the links that were added, and its report. */
export type Optimised = { content: string; metaDescription: string; links: AddedLink[]; judgement: Judgement }

type Text = { content: string; metaDescription: string; url: string | null }

/** Applies safe improvements to a text with the settings of its project; undefined if the project does not exist. */
const optimiseText = ({ surroundings, pages }: PublicationFound, article: Text) => {
  const [project] = surroundings.rows
  if (!project) return undefined
  const settings: Settings = {
    language: project.language,
    tableOfContents: project.table_of_contents,
    internalLinks: Number(project.internal_links),
    siteKey: project.website_key,
    ownKey: keyOf(article.url),
    pages: pages.rows.map(({ url, url_key: key, title, keyword }) => ({ url, key, phrases: [keyword, title] })),
  }
  return optimiseArticle(article, settings)
}

/** Returns an article with safe improvements for its publication; undefined if there is nothing to change. */
export const optimiseForPublication = async (
  found: PublicationFound,
  article: Unpublished,
): Promise<Optimised | undefined> => {
  const made = optimiseText(found, article)
  if (!made) return undefined
  if (made.content === article.content && made.metaDescription === article.metaDescription) return undefined
  const after = { ...article, metaDescription: made.metaDescription }
  const judgement = judge(found.surroundings, after, readContent(made.content), article.seo)
  return judgement && { ...made, judgement }
}
