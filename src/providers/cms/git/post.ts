import type { CmsArticle, CmsPost, CmsUpdate, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import type { SentWords } from '../../../publishing/target/sent-words.ts'
import type { StoredPost } from '../../../publishing/target/site-posts.ts'
import { sends } from '../fields.ts'
import { printed, unprinted } from '../languages.ts'
import { textOf } from '../overwritten.ts'
import { bodyOf, htmlOf } from './body.ts'
import {
  dateLike,
  joinFile,
  type PostFile,
  type Problem,
  setKey,
  splitFile,
  type Value,
  valuesOf,
} from './front-matter.ts'
import type { RepositoryFile } from './host.ts'
import { filled, type Layout, type Part, slugIn } from './layout.ts'
import { type Conflict, mergeLines } from './merge.ts'

/** Text of a post's file after a change, or the part that somebody else changed too. */
export type Written = { text: string; notes: string[] } | { conflict: Conflict; part: string } | Problem

type Parsed = { file: PostFile; values: Record<string, unknown> }

const parsed = (text: string): Parsed | Problem => {
  const file = splitFile(text)
  if ('problem' in file) return file
  const read = valuesOf(file.yaml)
  return 'problem' in read ? read : { file, values: read.values }
}

const partOf = ({ values }: Parsed, { keys }: Layout, part: Part): unknown => {
  const key = keys[part]
  return key ? values[key] : undefined
}

/** Returns a text for front matter. Templates in Liquid print it with or without an escape. */
const shownIn = (text: string, { generator }: Layout): string =>
  generator === 'jekyll' || generator === 'eleventy' ? printed(text) : text

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

const listIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.split(/\s+/).filter((one) => one !== '')
  return Array.isArray(value) ? value.map(String) : []
}

/** True if the front matter hides a post. The key `published` says the opposite. */
const isDraft = (post: Parsed, layout: Layout): boolean =>
  partOf(post, layout, 'draft') === (layout.keys.draft !== 'published')

/** Returns our form of a post's file; undefined if its front matter cannot be read. */
export const toPost = ({ path, text }: Pick<RepositoryFile, 'path' | 'text'>, layout: Layout): CmsPost | undefined => {
  const post = parsed(text)
  if ('problem' in post) return undefined
  const date = textIn(partOf(post, layout, 'date'))
  const own = slugIn(layout.path, path) ?? path
  const slug = textIn(partOf(post, layout, 'slug')).replace(/^\/+|\/+$/g, '') || own
  const status = isDraft(post, layout) ? 'draft' : 'published'
  const inPath = /(\d{4})-(\d\d)-(\d\d)/.exec(path)?.[0]
  const at = Number.isNaN(Date.parse(date)) ? '' : new Date(date).toISOString()
  const isKnown =
    layout.postUrl !== '' && (!/\{(?:year|month|day)\}/.test(layout.postUrl) || at !== '' || inPath !== undefined)
  return {
    remoteId: path,
    slug: own,
    title: unprinted(textIn(partOf(post, layout, 'title'))),
    status,
    url: status === 'published' && isKnown ? filled(layout.postUrl, { slug, date: at || (inPath ?? '') }) : null,
    marker: textIn(partOf(post, layout, 'marker')) || null,
    createdAt: at || null,
  }
}

/** Post that people wrote: what lists show of it, and its fields. */
export type FoundPost = {
  post: CmsPost
  author: string | null
  /** BCP 47 code; null if the front matter has none. */
  language: string | null
  /** Date of the front matter or of the file's name, ISO 8601; null without one. */
  date: string | null
  words: Pick<StoredPost, 'text' | 'metaDescription' | 'seoTitle' | 'canonicalUrl' | 'tags' | 'categories' | 'image'>
}

const LANGUAGE_KEYS = ['lang', 'language', 'locale']

const languageIn = (values: Readonly<Record<string, unknown>>): string | null => {
  const found = LANGUAGE_KEYS.map((key) => textIn(values[key]).replaceAll('_', '-')).find((one) => one !== '')
  return found !== undefined && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(found) ? found : null
}

const namesIn = (value: unknown): string[] =>
  (typeof value === 'string' ? [value] : listIn(value)).filter((one) => one !== '')

/** Returns a picture of front matter, if it is an address. A path within the repository is not. */
const imageIn = (post: Parsed, layout: Layout): StoredPost['image'] => {
  const url = textIn(partOf(post, layout, 'image'))
  return /^https?:\/\//.test(url) ? { url, alt: unprinted(textIn(partOf(post, layout, 'image_alt'))) } : null
}

/** Returns Markdown without the lines of code at the beginning of an MDX file. */
const withoutImports = (markdown: string, path: string): string =>
  path.endsWith('.mdx') ? markdown.replace(/^(?:\s*(?:import|export)\s[^\n]*\n)+/, '') : markdown

/** Returns a post's file with the fields that front matter has; undefined if that cannot be read. */
export const foundPost = (
  { path, text }: Pick<RepositoryFile, 'path' | 'text'>,
  layout: Layout,
): FoundPost | undefined => {
  const read = parsed(text)
  const post = toPost({ path, text }, layout)
  if ('problem' in read || !post) return undefined
  const shown = (part: Part): string => unprinted(textIn(partOf(read, layout, part)))
  const inName = /(\d{4})-(\d\d)-(\d\d)/.exec(path)?.[0]
  return {
    post,
    author: namesIn(partOf(read, layout, 'author')).join(', ') || null,
    language: languageIn(read.values),
    date: post.createdAt ?? (inName === undefined ? null : `${inName}T00:00:00.000Z`),
    words: {
      text: htmlOf(withoutImports(read.file.body, path)),
      metaDescription: shown('description'),
      seoTitle: shown('seo_title'),
      canonicalUrl: textIn(partOf(read, layout, 'canonical_url')),
      tags: listIn(partOf(read, layout, 'tags')),
      categories: namesIn(partOf(read, layout, 'category')),
      image: imageIn(read, layout),
    },
  }
}

/** Returns the words of a post, for comparisons before a rollback. */
export const wordsOf = (text: string, layout: Layout): CmsWords => {
  const post = parsed(text)
  if ('problem' in post) return {}
  return {
    title: unprinted(textIn(partOf(post, layout, 'title'))),
    text: textOf(htmlOf(post.file.body)),
    ...(layout.keys.description ? { metaDescription: unprinted(textIn(partOf(post, layout, 'description'))) } : {}),
    isConverted: true,
    isMerged: true,
  }
}

/** Text parts by their fields: of an article, and of what was sent before. */
const TEXTS = {
  title: { field: 'title', now: (a: CmsArticle) => a.title, before: (s: SentWords) => s.title },
  description: {
    field: 'metaDescription',
    now: (a: CmsArticle) => a.metaDescription,
    before: (s: SentWords) => s.meta_description,
  },
  image: { field: 'image', now: (a: CmsArticle) => a.image?.url ?? '', before: (s: SentWords) => s.image_url ?? '' },
  image_alt: {
    field: 'image',
    now: (a: CmsArticle) => a.image?.alt ?? '',
    before: (s: SentWords) => (s.image_url ? s.alt_text || s.title : ''),
  },
  seo_title: {
    field: 'seoTitle',
    now: (a: CmsArticle) => a.seoTitle ?? '',
    before: (s: SentWords) => s.seo_title ?? '',
  },
  canonical_url: {
    field: 'canonicalUrl',
    now: (a: CmsArticle) => a.canonicalUrl ?? '',
    before: (s: SentWords) => s.canonical_url ?? '',
  },
} as const

/** Parts that a post keeps if the article has none, because people set them at the site. */
const KEPT_IF_EMPTY = new Set<string>(['seo_title', 'canonical_url'])
/** Parts whose key stays with an empty text, because a generator may require it. */
const EMPTY_STAYS = new Set<string>(['title', 'description'])

const lines = (text: string): string[] => text.replaceAll('\r\n', '\n').split('\n')

/** Returns a list after the changes between what was sent before and now. Entries that people added stay. */
const mergedList = (there: readonly string[], before: readonly string[], now: readonly string[]): string[] => {
  const kept = there.filter((one) => now.includes(one) || !before.includes(one))
  return [...kept, ...now.filter((one) => !kept.includes(one) && (!before.includes(one) || there.includes(one)))]
}

type Change = { update: CmsUpdate; before: SentWords | undefined; isNew: boolean; now: Date }

/** Changes front matter key by key and collects the first problem. */
const editor = (file: PostFile) => {
  let yaml = file.yaml
  let problem: Problem | undefined
  return {
    set: (key: string, value: Value): void => {
      const next = setKey(yaml, key, value)
      if (typeof next === 'string') yaml = next
      else problem ??= next
    },
    end: (): string | Problem => problem ?? yaml,
  }
}

/** Returns the body after the new text was merged into it, with the line ends and blank lines of the file. */
const mergedBody = (
  there: string,
  before: string | undefined,
  now: string,
): { body: string } | { conflict: Conflict } => {
  const eol = there.includes('\r\n') ? '\r\n' : '\n'
  const start = /^(?:[ \t]*\r?\n)*/.exec(there)?.[0] ?? ''
  const rest = there.slice(start.length)
  const inner = rest.trimEnd()
  if (inner === '' || before === undefined)
    return { body: `${start || eol}${lines(now).join(eol)}${rest.slice(inner.length) || eol}` }
  const merged = mergeLines(lines(before), lines(inner), lines(now))
  return 'conflict' in merged ? merged : { body: `${start}${merged.lines.join(eol)}${rest.slice(inner.length)}` }
}

const missingNote = (what: string): string =>
  `The ${what} was left out, because the front matter of the repository has no key for it.`

/** Returns notes on parts of an article that have no key. */
const notesOf = (article: CmsArticle, { keys }: Layout, update: CmsUpdate): string[] => [
  ...(article.image && !keys.image && sends(update, 'image')
    ? [
        'The feature image was left out: the posts have no key with the address of an image. Pictures of the text are linked.',
      ]
    : []),
  ...(article.seoTitle && !keys.seo_title && sends(update, 'seoTitle')
    ? [missingNote('title for search engines')]
    : []),
  ...(article.canonicalUrl && !keys.canonical_url && sends(update, 'canonicalUrl')
    ? [missingNote('canonical address')]
    : []),
]

/** Returns the article's date for a post that goes live, unless it is in the future: generators leave such posts out. */
export const dateOf = ({ publishedAt }: CmsArticle, now: Date): string =>
  publishedAt === undefined || Date.parse(publishedAt) > now.getTime() ? now.toISOString() : publishedAt

/** Sets the date, the slug and the state of a post that is published. */
const setState = (
  { set }: ReturnType<typeof editor>,
  article: CmsArticle,
  post: Parsed,
  layout: Layout,
  { update, isNew, now }: Change,
): void => {
  const { keys } = layout
  if (update.intent !== 'complete') return
  const wasDraft = isNew || isDraft(post, layout)
  const example = textIn(partOf(post, layout, 'date'))
  const keepsDate = article.isAdopted && keys.date !== undefined && keys.date in post.values
  if (keys.date && wasDraft && !keepsDate) set(keys.date, { as: dateLike(example, dateOf(article, now)) })
  if (isNew && keys.slug && keys.slug in post.values) set(keys.slug, article.slug)
  if (!keys.draft || !wasDraft) return
  const hides = keys.draft !== 'published'
  if (article.status === 'draft') set(keys.draft, hides)
  else if (keys.draft in post.values) set(keys.draft, !hides)
}

/**
 * Returns a post's file with an article written into it: only the lines that the article changed since `before`.
 *
 * What people changed in the file stays. If both changed the same words, nothing is written.
 */
export const writeArticle = (
  text: string,
  path: string,
  article: CmsArticle,
  layout: Layout,
  change: Change,
): Written => {
  const post = parsed(text)
  if ('problem' in post) return post
  const { update, before, isNew, now } = change
  const { keys, generator } = layout
  const edit = editor(post.file)
  for (const [part, { field, ...get }] of Object.entries(TEXTS)) {
    const key = keys[part as Part]
    if (!key || !sends(update, field)) continue
    const wanted = shownIn(get.now(article), layout)
    const was = isNew || !before ? undefined : shownIn(get.before(before), layout)
    const there = post.values[key]
    if (wanted === was || wanted === textIn(there) || (wanted === '' && KEPT_IF_EMPTY.has(part) && !isNew)) continue
    if (was !== undefined && was !== '' && typeof there === 'string' && there !== was)
      return { conflict: { theirs: there, ours: wanted }, part: key }
    edit.set(key, wanted === '' && !EMPTY_STAYS.has(part) ? undefined : wanted)
  }
  const setList = (key: string | undefined, now: readonly string[], was: readonly string[]): void => {
    if (!key) return
    const there = listIn(post.values[key])
    const merged = mergedList(there, was, now)
    if (JSON.stringify(merged) !== JSON.stringify(there)) edit.set(key, merged)
  }
  const sent = isNew ? undefined : before
  // The first change of a post that people wrote has its own tags as they were found.
  const tagsBefore = sent?.tags ?? (article.isAdopted ? listIn(post.values[keys.tags ?? '']) : [])
  if (sends(update, 'tags')) setList(keys.tags, article.tags, tagsBefore)
  if (keys.category && sends(update, 'category') && article.category !== (sent?.category ?? '')) {
    if (Array.isArray(post.values[keys.category]) || keys.category === 'categories')
      setList(keys.category, article.category ? [article.category] : [], sent?.category ? [sent.category] : [])
    else if (article.category !== '') edit.set(keys.category, article.category)
  }
  if (keys.author && sends(update, 'author') && article.author !== '' && article.author !== post.values[keys.author]) {
    const isTheirs = !isNew && keys.author in post.values && !update.only?.includes('author')
    if (!isTheirs) edit.set(keys.author, article.author)
  }
  if (keys.marker && !article.isAdopted && post.values[keys.marker] !== article.marker)
    edit.set(keys.marker, article.marker)
  setState(edit, article, post, layout, change)
  const body = sends(update, 'html')
    ? mergedBody(
        post.file.body,
        isNew ? undefined : before && bodyOf(before.content_html, generator, path),
        bodyOf(article.html, generator, path),
      )
    : post.file
  if ('conflict' in body) return { conflict: body.conflict, part: 'text' }
  const notes = notesOf(article, layout, update)
  const yaml = edit.end()
  if (typeof yaml !== 'string') return yaml
  const next = joinFile({ ...post.file, yaml, body: body.body })
  if (next === text || isNew || !keys.updated || isDraft(post, layout)) return { text: next, notes }
  const example = textIn(post.values[keys.updated] ?? partOf(post, layout, 'date'))
  const updated = setKey(yaml, keys.updated, { as: dateLike(example, now.toISOString()) })
  return typeof updated === 'string'
    ? { text: joinFile({ ...post.file, yaml: updated, body: body.body }), notes }
    : updated
}

/** Returns a post's file with the state of a draft. */
export const hidden = (text: string, { keys }: Layout): string | Problem => {
  const post = parsed(text)
  if ('problem' in post) return post
  const key = keys.draft ?? ''
  const value = key !== 'published'
  if (post.values[key] === value) return text
  const yaml = setKey(post.file.yaml, key, value)
  return typeof yaml === 'string' ? joinFile({ ...post.file, yaml }) : yaml
}

/** Returns the empty file of a new post, with the front matter that posts of the repository share. */
export const emptyFile = ({ frontMatter }: Layout): string => {
  const yaml = frontMatter.replaceAll('\r\n', '\n').replace(/\s*$/, '')
  return `---\n${yaml === '' ? '' : `${yaml}\n`}---\n\n`
}
