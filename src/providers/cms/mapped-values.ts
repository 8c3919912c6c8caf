import type { OwnFields } from '../../../schema/values/own-fields.ts'
import { toMarkdown } from '../../content/html/markdown/gfm.ts'
import { safeHtml } from '../../content/html/sanitize.ts'
import { clip } from '../../platform/lib/text.ts'
import type { CmsArticle, CmsUpdate, CmsWords } from '../../publishing/target/cms-adapter.ts'
import { COMPLETE, sendsMapped, sentParts } from './fields.ts'
import type { MappedPart, Mapping, TargetField } from './mapped-fields.ts'
import { textOf } from './overwritten.ts'

/** Values of an item by the names of its fields, with notes for people. */
export type Built = { values: Record<string, unknown>; notes: string[] }

type TextPart = Exclude<MappedPart, 'body' | 'image' | 'date' | 'tags' | 'status'>

const LABELS: Readonly<Record<Exclude<MappedPart, 'status' | 'body' | 'slug' | 'marker'>, string>> = {
  title: 'title',
  meta_description: 'meta description',
  seo_title: 'title for search engines',
  canonical_url: 'canonical address',
  image: 'image',
  image_alt: 'alternative text',
  date: 'date',
  author: 'author',
  category: 'category',
  tags: 'tags',
}

/** Parts that may be left out without a note: few themes show an alternative text of their own, and a date is the CMS's too. */
const UNMISSED: readonly string[] = ['image_alt', 'date']

/** Parts that few articles have. Without one, the field keeps what people wrote. */
const RARE: readonly string[] = ['seo_title', 'canonical_url']

const textsOf = (article: CmsArticle): Record<TextPart, string> => ({
  title: article.title,
  slug: article.slug,
  meta_description: article.metaDescription,
  seo_title: article.seoTitle ?? '',
  canonical_url: article.canonicalUrl ?? '',
  image_alt: article.image?.alt ?? '',
  author: article.author,
  category: article.category,
  marker: article.marker,
})

/** Returns an empty text as the field can store it. */
const emptyOf = ({ isRequired }: TargetField): string | null => (isRequired ? '' : null)

/** Returns a text for a field, cut to its length. A slug and a mark are never cut, because they would be other ones. */
const fitted = (part: MappedPart, text: string, field: TargetField, notes: string[]): string | null => {
  const { maxLength, choices, name } = field
  if (text === '') return emptyOf(field)
  if (choices && !choices.includes(text)) {
    notes.push(`The ${part} "${text}" was left out: the field "${name}" has no such choice.`)
    return emptyOf(field)
  }
  if (maxLength === undefined || text.length <= maxLength || part === 'slug' || part === 'marker') return text
  notes.push(`The field "${name}" takes ${maxLength} characters, so the ${part.replaceAll('_', ' ')} was cut.`)
  return clip(text, maxLength)
}

const BODY: Readonly<Record<string, (html: string) => unknown>> = { markdown: toMarkdown, html: String }

/** Returns a date in the form of its field. */
const dateIn = ({ kind }: TargetField, iso: string): string => {
  const utc = new Date(iso).toISOString()
  if (kind === 'date') return utc.slice(0, 10)
  return kind === 'local' ? utc.slice(0, 19) : utc
}

/** Writers of bodies that only one CMS has, by kind. */
export type BodyWriters = Readonly<Record<string, (html: string) => unknown>>

/** Returns the values of own fields as the collection stores them. HTML is sanitized and gets the format of its field. */
const ownValues = (values: OwnFields, fields: readonly TargetField[], bodies: BodyWriters): Built => {
  const built: Built = { values: {}, notes: [] }
  for (const [name, value] of Object.entries(values)) {
    const write = bodies[fields.find((field) => field.name === name)?.kind ?? '']
    if (!write || typeof value !== 'string') {
      built.values[name] = value
      continue
    }
    const html = safeHtml(value)
    if (html === undefined) built.notes.push(`The field "${name}" was left out: its HTML is not complete.`)
    else built.values[name] = write(html)
  }
  return built
}

/**
 * Returns the values of an item for the parts that an update sends, without its status and its stored files. Notes name parts that have
 * no field. A date is sent with a publication only.
 */
export const mappedValues = (
  whole: CmsArticle,
  { mapping, fields }: { mapping: Mapping; fields: readonly TargetField[] },
  { update = COMPLETE, writers = {} }: { update?: CmsUpdate; writers?: BodyWriters } = {},
): Built => {
  const article = sentParts(whole, update)
  const values: Record<string, unknown> = {}
  const notes: string[] = []
  for (const [part, text] of Object.entries(textsOf(article)) as [TextPart, string][]) {
    const field = mapping[part]
    if (!field || !sendsMapped(update, part, article) || (RARE.includes(part) && text === '')) continue
    values[field.name] = fitted(part, text, field, notes)
  }
  const { body, tags, date, image } = mapping
  const bodies = { ...BODY, ...writers }
  if (sendsMapped(update, 'body', article)) values[body.name] = (bodies[body.kind] ?? String)(article.html)
  if (tags && sendsMapped(update, 'tags', article))
    values[tags.name] = tags.kind === 'list' ? [...article.tags] : fitted('tags', article.tags.join(', '), tags, notes)
  if (date && article.publishedAt && sendsMapped(update, 'date', article))
    values[date.name] = dateIn(date, article.publishedAt)
  if (image?.kind === 'text' && sendsMapped(update, 'image', article))
    values[image.name] = fitted('image', article.image?.url ?? '', image, notes)
  const own = ownValues(article.fields ?? {}, fields, bodies)
  return {
    values: { ...values, ...own.values },
    notes: [...notes, ...missingNotes(article, mapping), ...own.notes],
  }
}

const missingNotes = (article: CmsArticle, mapping: Mapping): string[] => {
  const contents: Record<string, string> = {
    ...textsOf(article),
    tags: article.tags.join(''),
    image: article.image?.url ?? '',
  }
  return Object.entries(LABELS).flatMap(([part, label]) =>
    mapping[part as MappedPart] || UNMISSED.includes(part) || !contents[part]
      ? []
      : [`The ${label} was left out: the collection has no field for it.`],
  )
}

/** Returns a field's value as a text; empty if it has none. */
export const textIn = (item: Record<string, unknown>, field: TargetField | undefined): string => {
  const value = field && item[field.name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Parts of Markdown that are not words: pictures, targets of links, tags, numbers of lists, and languages of code. */
const MARKS =
  /!\[(?:\\.|[^[\]\n\\])*\]\((?:\\.|[^()\n\\])*\)|(?<=\])\((?:\\.|[^()\n\\])*\)|<\/?[a-z][a-z\d]*(?:\s[^<>\n]*)?\/?>|^[ \t]*(?:`{3,}.*$|\d{1,9}\. )|\\(?=\S|$)/gim

/** Returns the words of a body that readers see. */
const wordsIn = (value: unknown, { kind }: TargetField): Pick<CmsWords, 'text' | 'isConverted'> => {
  if (kind === 'markdown') return { text: String(value ?? '').replace(MARKS, ' '), isConverted: true }
  if (kind !== 'blocks') return { text: textOf(String(value ?? '')) }
  return { text: leavesOf(value).join('\n'), isConverted: true }
}

/** Returns the texts of a tree of blocks, one for each block of text. */
const leavesOf = (value: unknown): string[] => {
  if (!Array.isArray(value)) return []
  const nodes = value as { text?: unknown; children?: unknown }[]
  const isLine = nodes.some(({ text }) => typeof text === 'string')
  return isLine ? [lineOf(nodes)] : nodes.flatMap(({ children }) => leavesOf(children))
}

const lineOf = (nodes: readonly { text?: unknown; children?: unknown }[]): string =>
  nodes.map(({ text, children }) => (typeof text === 'string' ? text : leavesOf(children).join(' '))).join('')

/** Returns the words of an item that an update replaces. */
export const mappedWords = (item: Record<string, unknown>, mapping: Mapping): CmsWords => {
  const { body, tags } = mapping
  const list = tags?.kind === 'list' ? item[tags.name] : undefined
  return {
    title: textIn(item, mapping.title),
    ...wordsIn(item[body.name], body),
    ...(mapping.meta_description ? { metaDescription: textIn(item, mapping.meta_description) } : {}),
    ...(mapping.seo_title ? { seoTitle: textIn(item, mapping.seo_title) } : {}),
    ...(mapping.canonical_url ? { canonicalUrl: textIn(item, mapping.canonical_url) } : {}),
    ...(Array.isArray(list) ? { tags: list.map(String) } : {}),
  }
}

/** Parts that a rollback leaves as they are: who finds the item, and if and since when readers see it. */
const FIXED: readonly string[] = ['slug', 'marker', 'date', 'status']

/** Returns the values that a rollback restores, in the CMS's own form. */
export const keptValues = (item: Record<string, unknown>, mapping: Mapping): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(mapping).flatMap(([part, { name }]) =>
      FIXED.includes(part) ? [] : [[name, item[name] ?? null] as const],
    ),
  )
