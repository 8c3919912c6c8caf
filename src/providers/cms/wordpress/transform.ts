import { outermost } from '../../../content/html/events.ts'
import { decodeReferences } from '../../../content/html/references.ts'
import { dataInText } from '../../../content/seo/structured-data.ts'
import { clip } from '../../../platform/lib/text.ts'
import type {
  CmsArticle,
  CmsField,
  CmsPost,
  CmsQuery,
  CmsUpdate,
  CmsWords,
} from '../../../publishing/target/cms-adapter.ts'
import type { SitePost } from '../../../publishing/target/site-posts.ts'
import { isSameName as isOneName, makesPublic } from '../fields.ts'
import { textOf } from '../overwritten.ts'
import { statusIn } from '../states.ts'
import type { PluginPostJson, WordpressPost } from './types.ts'

/** Returns a marker as WordPress stores it in a comment: with single hyphens. */
export const commentText = (marker: string): string => marker.replace(/-{2,}/g, '-')

const markerIn = (content: string, service: string): string | null => {
  const name = service.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`<!--\\s*(${name}-[\\w.-]+?)\\s*-->`).exec(content)?.[1] ?? null
}

/** Returns a time of WordPress as ISO 8601; null for none. */
const utc = (dateGmt: string | null | undefined): string | null => (dateGmt ? `${dateGmt.replace(/Z$/, '')}Z` : null)

/** Returns the group that a post with a password is limited to. */
export const lockedBy = (hasPassword: boolean) => (hasPassword ? { onlyFor: 'readers who know its password' } : {})

/** Returns our form of a core REST post. If its mark is the one searched for, it has the spelling of `marker`, so that both compare. */
export const toPost = (post: WordpressPost, service: string, marker: string): CmsPost => {
  const status = statusIn('wordpress', post.status)
  const siteStatus = post.status
  const found = markerIn(post.content?.raw ?? '', service)
  return {
    remoteId: String(post.id),
    slug: post.slug,
    title: post.title.raw,
    status,
    siteStatus,
    url: status === 'published' && post.link !== '' ? post.link : null,
    ...lockedBy(post.password !== ''),
    marker: found === commentText(marker) ? marker : found,
    createdAt: utc(post.date_gmt),
    ...(post.modified_gmt === undefined ? {} : { changedAt: post.modified_gmt }),
  }
}

/** Returns a post of the site in our form. WordPress has a date for drafts, too, which nobody gave them. */
export const listedPost = (
  post: Pick<SitePost, 'title' | 'url' | 'author' | 'language'> & {
    id: number
    status: string
    date_gmt?: string | null | undefined
    modified_gmt?: string | null | undefined
  },
): SitePost => {
  const status = statusIn('wordpress', post.status)
  const isDated = status === 'published' || status === 'scheduled' || post.status === 'private'
  return {
    postId: String(post.id),
    title: post.title,
    url: status === 'published' ? post.url : null,
    status,
    siteStatus: post.status,
    publishedAt: isDated ? utc(post.date_gmt) : null,
    changedAt: utc(post.modified_gmt),
    author: post.author,
    language: post.language,
  }
}

/** Returns our form of a post from the plugin. */
export const toPluginPost = (post: PluginPostJson): CmsPost => ({
  remoteId: String(post.id),
  slug: post.slug,
  title: post.title,
  status: statusIn('wordpress', post.status),
  siteStatus: post.status,
  url: post.url,
  ...lockedBy(post.has_password),
  marker: post.external_id === '' ? null : post.external_id,
  createdAt: post.created_at,
})

const BLOCK =
  'address|article|aside|blockquote|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video|audio'
const AFTER_BLOCK = new RegExp(`</?(?:${BLOCK})\\b[^>]*>$`, 'i')
const BEFORE_BLOCK = new RegExp(`^</?(?:${BLOCK})\\b`, 'i')

const PRE = new Set(['pre'])

/** Returns a part of HTML without line ends inside text. The lookbehind skips all but the first of several blanks, so a long run is read once. */
const withoutLineEnds = (part: string): string =>
  part.replace(/(?<![ \t])[ \t]*(?:\r?\n[ \t]*)+/g, (run, at: number) => {
    const isBetween =
      AFTER_BLOCK.test(part.slice(Math.max(0, at - 300), at)) ||
      BEFORE_BLOCK.test(part.slice(at + run.length, at + run.length + 20))
    return isBetween ? '\n' : ' '
  })

/**
 * Returns HTML without line ends inside text, because WordPress shows each as `<br />` (wpautop).
 *
 * Line ends between blocks and in `pre` stay.
 */
export const withoutLoneLineEnds = (html: string): string => {
  let at = 0
  const parts = outermost(html, PRE).map(({ start, end }) => {
    const part = withoutLineEnds(html.slice(at, start)) + html.slice(start, end)
    at = end
    return part
  })
  return (parts.join('') + withoutLineEnds(html.slice(at))).trim()
}

/** Shortcodes that every WordPress runs. Only our plugin on the site knows those of other plugins. */
const SHORTCODE = /\[(?=\/?(?:wp_caption|caption|gallery|playlist|audio|video|embed)(?![\w-]))/g

/** Returns HTML in which shortcodes are shown as text. WordPress would run them in text, code and attributes. */
const withoutShortcodes = (html: string): string => html.replace(SHORTCODE, '&#091;')

/** Returns the post's content with our marker, a comment that WordPress keeps for every role. */
const markedContent = (article: CmsArticle): string =>
  `${withoutShortcodes(withoutLoneLineEnds(article.html))}<!-- ${commentText(article.marker)} -->`

/** Returns the texts of a post for core REST. */
export const textFields = (article: CmsArticle) => ({
  title: article.title,
  content: markedContent(article),
  excerpt: article.metaDescription,
})

/** Returns a time in WordPress's form: UTC without a zone. */
export const dateGmt = (iso: string): string => new Date(iso).toISOString().slice(0, 19)

/** Returns the slugs under which a post may be: the requested slug, and the numbered ones WordPress uses if it is taken. */
export const slugsToLookAt = (slug: string): string[] => [
  slug,
  ...Array.from({ length: 9 }, (_, n) => `${slug}-${n + 2}`),
]

/** True if WordPress numbered the requested slug, or gave none. */
export const isNumbered = (slug: string, asked: string): boolean =>
  slug === '' || (slug.startsWith(`${asked}-`) && /^\d+$/.test(slug.slice(asked.length + 1)))

/**
 * Returns the article's post among those under its slugs: ours under the slug, else ours under a number.
 *
 * Someone else's post under the slug comes before our post under a number, unless ours is published.
 */
export const choosePost = (
  posts: readonly CmsPost[],
  { marker, slug }: CmsQuery,
): (CmsPost & { matchedBy: 'marker' | 'slug' }) | null => {
  const own = posts.filter((post) => post.marker === marker)
  const best = own.find((post) => post.slug === slug) ?? own.find((post) => post.status === 'published') ?? own[0]
  const foreign = posts.find((post) => post.slug === slug && post.marker !== marker)
  if (best && (best.slug === slug || best.status === 'published' || !foreign)) return { ...best, matchedBy: 'marker' }
  return foreign ? { ...foreign, matchedBy: 'slug' } : null
}

/** Returns a name as people write it. WordPress stores and returns names as HTML. */
export const plainName = (name: string): string => decodeReferences(name).trim()

/** True if two names are the same, even if WordPress escaped one of them. */
export const isSameName = (a: string, b: string): boolean => isOneName(plainName(a), plainName(b))

/** Returns the longest word of a name, by which WordPress finds it: names are stored with references, such as `&amp;`. */
export const longestWord = (name: string): string =>
  (name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [name]).reduce((longest, word) =>
    word.length > longest.length ? word : longest,
  )

/**
 * Returns the slugs that WordPress most likely gave to terms with these names, to look them up in one request.
 *
 * A term that is not found is created. If it exists, WordPress returns its id.
 */
export const termSlugs = (names: readonly string[]): string[] =>
  names
    .map((name) =>
      name
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/['’]/g, '')
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-+|(?<!-)-+$/g, ''),
    )
    .filter((slug) => slug !== '')

/** Our plugin's names for the parts of an article that it takes. */
const PLUGIN_FIELDS: Record<Exclude<CmsField, 'fields'>, string> = {
  title: 'title',
  html: 'content',
  metaDescription: 'description',
  image: 'image',
  tags: 'tags',
  category: 'category',
  author: 'author',
  seoTitle: 'seo_title',
  canonicalUrl: 'canonical',
}

/** Returns the status and date of an article for our plugin; for a change only the names of the changed parts. */
const pluginState = (article: CmsArticle, update: CmsUpdate) => {
  const only = update.only && {
    only: update.only.flatMap((field) => (field === 'fields' ? [] : [PLUGIN_FIELDS[field]])),
  }
  if (update.intent === 'change') return only ?? {}
  return {
    ...(article.isAdopted ? only : {}),
    status: makesPublic(update, article) ? 'publish' : 'draft',
    date_gmt: article.publishedAt === undefined ? '' : dateGmt(article.publishedAt),
  }
}

/** Returns the words of a post that an update replaces. Fields of SEO plugins are not among them: people's words there stay. */
export const wordsOf = ({
  title,
  content,
  excerpt,
}: {
  title: string
  content: string
  excerpt: string
}): CmsWords => ({
  title,
  text: textOf(content),
  metaDescription: excerpt,
  keepsTags: true,
})

/** Longest texts that our plugin accepts, characters. It refuses the whole article for a longer one. */
const PLUGIN_MAX = { alt: 500, name: 200, jsonLd: 400_000 }

/** Returns an image's alternative text, cut to our plugin's limit. */
export const pluginAlt = (alt: string): string => clip(alt, PLUGIN_MAX.alt)

/** Returns the JSON-LD of an article's text for our plugin; empty if there is none, or more than the plugin keeps. */
const jsonLdOf = (article: CmsArticle): string => {
  const data = dataInText(article)
  const json = data ? JSON.stringify(data) : ''
  return json.length > PLUGIN_MAX.jsonLd ? '' : json
}

/** Returns the request body of an article for our plugin. */
export const pluginArticle = (article: CmsArticle, update: CmsUpdate) => ({
  title: article.title,
  slug: article.slug,
  content: article.stored?.to ?? withoutShortcodes(withoutLoneLineEnds(article.html)),
  description: article.metaDescription,
  seo_title: article.seoTitle ?? '',
  canonical: article.canonicalUrl ?? '',
  json_ld: jsonLdOf(article),
  ...pluginState(article, update),
  tags: article.tags.slice(0, 50).map((name) => clip(name, PLUGIN_MAX.name)),
  category: clip(article.category, PLUGIN_MAX.name),
  author: clip(article.author, PLUGIN_MAX.name),
  image_url: article.image?.url ?? '',
  alt_text: pluginAlt(article.image?.alt ?? ''),
})

/** Returns the article's id in our plugin's routes. */
export const externalId = (marker: string): string => marker.replace(/[^A-Za-z0-9._:-]/g, '-').slice(0, 120)

/** Returns the site's address after a redirect that only adds https or `www.` (or takes it away); undefined for any other. */
export const movedBase = (base: string, asked: string, location: string): string | undefined => {
  if (!URL.canParse(location, asked)) return undefined
  const from = new URL(asked)
  const to = new URL(location, asked)
  const bare = (url: URL) => `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}`
  // A password goes to the same host only, and never from https to http.
  const isSafe = (to.protocol === 'https:' || to.protocol === from.protocol) && to.port === from.port
  return isSafe && bare(from) === bare(to) && to.origin !== from.origin
    ? `${to.origin}${new URL(base).pathname.replace(/\/$/, '')}`
    : undefined
}
