import { clip } from '../../../platform/lib/text.ts'
import type { CmsArticle, CmsPost, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import type { NotionPage, NotionProperty, NotionValue, RichText } from './api.ts'
import { type Chosen, type Mapping, PARTS, type Part, statusName } from './mapping.ts'

/** Notion's limits: characters of a text, texts of a property, options of a property, characters of a name and of an address. */
const MAX = { text: 2_000, texts: 100, options: 100, name: 100, url: 2_000 } as const

type Value = Record<string, unknown>
/** Properties of a page by name, with notes for people. */
export type Built = { properties: Record<string, Value>; notes: string[] }

const texts = (text: string): Value[] => {
  const parts: Value[] = []
  for (let rest = text; rest !== '' && parts.length < MAX.texts; ) {
    const content = clip(rest, MAX.text)
    parts.push({ text: { content } })
    rest = rest.slice(content.length)
  }
  return parts
}

/** Returns an option's name without commas, cut to Notion's limit. Notion would split the name at a comma. */
const optionName = (name: string): string =>
  clip(
    name
      .split(',')
      .map((part) => part.trim())
      .join(' ')
      .trim(),
    MAX.name,
  )

const optionNames = (names: readonly string[]): { name: string }[] =>
  [...new Set(names.map(optionName).filter((name) => name !== ''))].slice(0, MAX.options).map((name) => ({ name }))

const propertyValue = (property: NotionProperty, names: readonly string[]): Value => {
  const [first = ''] = names
  switch (property.type) {
    case 'multi_select':
      return { multi_select: optionNames(names) }
    case 'select':
      return { select: optionNames([first])[0] ?? null }
    case 'url':
      return { url: first === '' ? null : first }
    case 'files':
      return { files: first === '' ? [] : [{ name: 'image', external: { url: first } }] }
    case 'date':
      return { date: first === '' ? null : { start: first } }
    default:
      return { [property.type]: texts(names.join(', ')) }
  }
}

/** Returns the image's address if Notion accepts it. */
export const imageUrl = ({ image }: CmsArticle): string | undefined =>
  image && /^https:\/\//i.test(image.url) && image.url.length <= MAX.url ? image.url : undefined

/** Returns the value of the status property for a state, or a note if it has no fitting option. */
const statusValue = (
  property: NotionProperty,
  state: 'published' | 'draft',
  chosen: Chosen,
): Value | { note: string } => {
  if (property.type === 'checkbox') return { checkbox: state === 'published' }
  const name = statusName(property, state, chosen)
  if (name !== undefined) return { [property.type]: { name } }
  const wanted = chosen[`status_${state}`] ?? (state === 'published' ? 'Published' : 'Draft')
  return {
    note: `The property "${property.name}" has no option "${wanted}", so it was left as it is. Add it in Notion.`,
  }
}

const LABELS: Record<Part, string> = {
  slug: 'slug',
  status: 'status',
  meta_description: 'meta description',
  seo_title: 'title for search engines',
  canonical_url: 'canonical address',
  tags: 'tags',
  category: 'category',
  date: 'date',
  author: 'author',
  image: 'image',
  marker: 'mark',
}

const contentsOf = (article: CmsArticle): Record<Exclude<Part, 'status'>, string[]> => ({
  slug: [article.slug],
  meta_description: [article.metaDescription],
  seo_title: [article.seoTitle ?? ''],
  canonical_url: [article.canonicalUrl ?? ''],
  tags: [...article.tags],
  category: [article.category],
  date: [article.publishedAt ?? ''],
  author: [article.author],
  image: [imageUrl(article) ?? ''],
  marker: [article.marker],
})

/** Parts that few articles have. Without one, the property keeps what people wrote. */
const RARE: readonly Part[] = ['seo_title', 'canonical_url']

/** Parts that may be left out without a note. The image is also the cover, and the mark is ours. */
const UNMISSED: readonly Part[] = ['slug', 'image', 'marker']

/** Returns the properties of a page except its status, and notes on parts that have no property. */
export const propertiesOf = (article: CmsArticle, mapping: Mapping): Built => {
  const properties: Record<string, Value> = { [mapping.title.name]: { title: texts(article.title) } }
  const notes: string[] = []
  const contents = contentsOf(article)
  for (const [part, names] of Object.entries(contents) as [Exclude<Part, 'status'>, string[]][]) {
    const property = mapping[part]
    if (RARE.includes(part) && names.join('') === '') continue
    if (property) properties[property.name] = propertyValue(property, names)
    else if (names.join('') !== '' && !UNMISSED.includes(part))
      notes.push(`The ${LABELS[part]} was left out: the database has no property for it.`)
  }
  if (article.image && !imageUrl(article))
    notes.push('The image was left out: Notion takes https addresses of at most 2000 characters.')
  return { properties, notes }
}

/** Adds the status to built properties, or a note why it could not be set. */
export const withStatus = (built: Built, mapping: Mapping, state: 'published' | 'draft', chosen: Chosen): Built => {
  const { properties, notes } = built
  if (!mapping.status)
    return { properties, notes: [...notes, `The database has no property for the status (${state}).`] }
  const value = statusValue(mapping.status, state, chosen)
  return 'note' in value
    ? { properties, notes: [...notes, String(value.note)] }
    : { properties: { ...properties, [mapping.status.name]: value }, notes }
}

const plainText = (parts: readonly RichText[] | undefined): string =>
  (parts ?? []).map((part) => part.plain_text).join('')

/** Returns the text of a property; empty if it has none. */
export const textIn = (page: NotionPage, property: NotionProperty | undefined): string => {
  const value = property && page.properties[property.name]
  return value?.url ?? plainText(value?.title ?? value?.rich_text)
}

/** True if a page's status is the published one. Without a status property or a published option, every page counts as published. */
const isPublished = (page: NotionPage, { status }: Mapping, chosen: Chosen): boolean => {
  if (!status) return true
  const value = page.properties[status.name]
  if (status.type === 'checkbox') return value?.checkbox === true
  const published = statusName(status, 'published', chosen)
  return published === undefined || (value?.status ?? value?.select)?.name === published
}

/** Returns our form of a page. Its address is the public one if people shared it to the web, else the one for members. */
export const toPost = (page: NotionPage, mapping: Mapping, chosen: Chosen): CmsPost => {
  const value = mapping.status && page.properties[mapping.status.name]
  const siteStatus = (value?.status ?? value?.select)?.name
  const isLive = isPublished(page, mapping, chosen)
  return {
    remoteId: page.id,
    slug: textIn(page, mapping.slug),
    title: textIn(page, mapping.title),
    status: page.in_trash || page.archived ? 'trashed' : isLive ? 'published' : 'draft',
    ...(siteStatus ? { siteStatus } : {}),
    url: page.public_url ?? (isLive ? (page.url ?? null) : null),
    marker: textIn(page, mapping.marker) || null,
    createdAt: page.created_time ?? null,
  }
}

/** Parts of Notion's Markdown that are not words: pictures, addresses of links, tags, colours, numbers of lists, and code languages. */
const MARKS =
  /!\[[^[\]\n]*\]\([^()\n]*\)|(?<=\])\([^()\n]*\)|<[^<>\n]*>|\{\w{1,20}="[^"\n]*"\}|^[ \t]*(?:`{3,}.*$|\d{1,9}\. )|\\(?=\S|$)/gm

/** Returns the words of a page that an update replaces. */
export const wordsOf = (page: NotionPage, mapping: Mapping, markdown: string): CmsWords => {
  const tags = mapping.tags && page.properties[mapping.tags.name]
  return {
    title: textIn(page, mapping.title),
    text: markdown.replace(MARKS, ' '),
    metaDescription: textIn(page, mapping.meta_description),
    seoTitle: textIn(page, mapping.seo_title),
    canonicalUrl: textIn(page, mapping.canonical_url),
    ...(tags?.multi_select ? { tags: tags.multi_select.map(({ name }) => name) } : {}),
    isConverted: true,
  }
}

const richText = ({ plain_text, href, annotations }: RichText): Value => ({
  text: { content: plain_text, ...(href ? { link: { url: href } } : {}) },
  ...(annotations ? { annotations } : {}),
})

/**
 * Returns a value that was read in the form for writing.
 *
 * Returns undefined for other types, and for Notion's own files, which it does not accept back.
 */
const writable = (value: NotionValue): Value | undefined => {
  switch (value.type) {
    case 'title':
    case 'rich_text':
      return { [value.type]: (value[value.type] ?? []).map(richText) }
    case 'select':
      return { select: value.select ? { name: value.select.name } : null }
    case 'multi_select':
      return { multi_select: (value.multi_select ?? []).map(({ name }) => ({ name })) }
    case 'url':
      return { url: value.url ?? null }
    case 'files': {
      const files = value.files ?? []
      return files.every((file) => file.external)
        ? { files: files.map(({ name, external }) => ({ name, external })) }
        : undefined
    }
    default:
      return undefined
  }
}

const KEPT: readonly Part[] = PARTS.filter((part) => part !== 'slug' && part !== 'date' && part !== 'status')

/** Returns the properties that a rollback restores: all that we write except slug, date and status. */
export const keptProperties = (page: NotionPage, mapping: Mapping): Record<string, Value> => {
  const properties: Record<string, Value> = {}
  for (const property of [mapping.title, ...KEPT.map((part) => mapping[part])]) {
    const value = property && page.properties[property.name]
    const kept = value && writable(value)
    if (property && kept) properties[property.name] = kept
  }
  return properties
}
