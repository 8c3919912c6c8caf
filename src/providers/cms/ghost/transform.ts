import { readDocument } from '../../../content/html/document.ts'
import { outermost, wrapPlaces } from '../../../content/html/events.ts'
import { dataInText, SCRIPT_ID, scriptOf } from '../../../content/seo/structured-data.ts'
import { clip } from '../../../platform/lib/text.ts'
import type { CmsArticle, CmsPost, CmsUpdate, CmsWords } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, distinctNames, isSameName, sends, sentParts } from '../fields.ts'
import { textOf } from '../overwritten.ts'
import { statusIn } from '../states.ts'
import type { GhostListed, GhostPost, GhostUser } from './api.ts'

/** Elements that Ghost's editor would flatten or drop. They are put in an HTML card. */
const CARDS = new Set(['dl', 'details', 'video', 'audio'])

const inCards = (html: string): string =>
  wrapPlaces(html, outermost(html, CARDS), '<!--kg-card-begin: html-->', '<!--kg-card-end: html-->')

/** Returns the id that Ghost makes from a heading's text. */
const headingId = (text: string): string =>
  encodeURIComponent(
    text
      .trim()
      .toLowerCase()
      .replace(/[\][!"#$%&'()*+,./:;<=>?@\\^_{|}~]/g, '')
      .replace(/\s+/g, '-')
      .replace(/^-|-{2,}|-$/g, ''),
  )

/** Returns Ghost's new id for each heading that has an id. Ghost adds `-1` to the second heading with the same text. */
const newIds = (html: string): Map<string, string> => {
  const ids = new Map<string, string>()
  const used = new Map<string, number>()
  for (const { id, text } of readDocument(html).headings) {
    const base = headingId(text)
    const count = used.get(base) ?? 0
    used.set(base, count + 1)
    if (id && !ids.has(id)) ids.set(id, count === 0 ? base : `${base}-${count}`)
  }
  return ids
}

/** Returns HTML that Ghost keeps whole: unknown blocks are in HTML cards, and links to headings use Ghost's ids. */
const toGhostHtml = (html: string): string => {
  if (!/href\s*=\s*["']?#/i.test(html)) return inCards(html)
  const ids = newIds(html)
  return inCards(
    html.replace(/(\bhref\s*=\s*["']?#)([^"'\s>]+)/gi, (whole, before: string, id: string) =>
      ids.has(id) ? `${before}${ids.get(id)}` : whole,
    ),
  )
}

/** Limits of Ghost's database, characters. Ghost refuses a post with longer values. */
const MAX = {
  title: 255,
  meta_description: 500,
  meta_title: 300,
  canonical_url: 2_000,
  feature_image: 2_000,
  feature_image_alt: 191,
  tag: 191,
} as const

/** Returns the slug of a marker's internal tag. Ghost turns `#a-b` into `hash-a-b`. */
export const tagSlug = (marker: string): string => `hash-${plainMarker(marker)}`

/** Readers of a post that is not public, by its visibility. */
const READERS: Record<string, string> = {
  members: 'members',
  paid: 'paying members',
  tiers: 'members of the tiers chosen there',
}

/** Returns a marker in characters that Ghost keeps in a tag's slug, so that no two markers share a slug. */
const plainMarker = (marker: string): string => marker.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const markerTag = (marker: string): string => `#${plainMarker(marker)}`

/** Returns our form of a post. Its marker is `marker` if the post has that tag, else null. */
export const toPost = (post: GhostListed & Pick<GhostPost, 'tags' | 'created_at'>, marker: string): CmsPost => {
  const status = statusIn('ghost', post.status)
  const onlyFor = post.status === 'sent' ? 'those who got it by e-mail' : READERS[post.visibility ?? '']
  return {
    remoteId: post.id,
    slug: post.slug,
    title: post.title,
    status,
    siteStatus: post.status,
    url: status === 'published' && post.url ? post.url : null,
    ...(onlyFor === undefined ? {} : { onlyFor }),
    marker: post.tags?.some((tag) => tag.name === markerTag(marker)) ? marker : null,
    createdAt: post.created_at ?? null,
    changedAt: post.updated_at,
  }
}

/** True if Ghost numbered our slug because it was taken. */
export const isNumbered = (slug: string, asked: string): boolean =>
  slug.startsWith(`${asked}-`) && /^\d+$/.test(slug.slice(asked.length + 1))

/**
 * Returns the article's post among those with its tag. People may have copied the post in Ghost together with its tags.
 *
 * The post under the slug comes first, then a public one, then the oldest.
 */
export const chooseOwn = (posts: readonly GhostPost[], slug: string): GhostPost | undefined =>
  posts.find((post) => post.slug === slug) ?? posts.find((post) => post.status === 'published') ?? posts[0]

/** Returns a tag's name without leading `#`, which would hide it from readers, and `,`, which Ghost refuses. */
const tagName = (name: string): string => clip(name.replace(/^[#,\s]+/, '').trim(), MAX.tag)

/** Returns the tags that readers see: the category first, which makes it Ghost's primary tag, then the tags. */
export const tagNames = ({ category, tags }: CmsArticle): string[] =>
  distinctNames([category, ...tags].map(tagName).filter((name) => name !== ''))

/**
 * Returns a post's tags: those readers see, our mark, and internal tags that the post already has.
 *
 * Names get the spelling of the site's `known` tags. Otherwise Ghost would make a tag `news` beside `News`.
 */
export const tagsOf = (
  article: CmsArticle,
  known: readonly { name: string }[],
  internal: readonly string[] = [],
): { name: string }[] => {
  const spelled = (name: string): string =>
    (known.find((tag) => tag.name === name) ?? known.find((tag) => isSameName(tag.name, name)))?.name ?? name
  const hidden = new Set([...internal.filter((name) => name.startsWith('#')), markerTag(article.marker)])
  return [...new Set([...tagNames(article).map(spelled), ...hidden])].map((name) => ({ name }))
}

const clipped = (name: string, text: string, max: number, notes: string[]): string => {
  if (text.length > max) notes.push(`The ${name} was cut to ${max} characters, the most Ghost keeps.`)
  return clip(text, max)
}

/**
 * Returns an address with only characters of RFC 3986.
 *
 * Ghost refuses a post whose image address has other characters, such as `ä` or `[`, which browsers accept.
 */
const plainUrl = (address: string): string => {
  const url = URL.parse(address)
  if (!url) return address
  const rest = `${url.pathname}${url.search}${url.hash}`
  return url.origin + rest.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/[[\]{}|\\^`"<>]/g, encodeURIComponent)
}

/** Returns the texts and the image of a post, with notes on cut or omitted parts. */
export const contentFields = (
  whole: CmsArticle,
  update: CmsUpdate = COMPLETE,
): { fields: Record<string, unknown>; notes: string[] } => {
  const article = sentParts(whole, update)
  const notes: string[] = []
  const imageUrl = article.image && plainUrl(article.image.url)
  const tooLong = (imageUrl?.length ?? 0) > MAX.feature_image
  if (tooLong) notes.push(`The image was left out: its address is longer than ${MAX.feature_image} characters.`)
  const image = tooLong ? undefined : article.image
  const { seoTitle } = article
  const canonicalUrl = article.canonicalUrl && plainUrl(article.canonicalUrl)
  const fields = {
    // Without one, the value that people set in Ghost stays.
    ...(seoTitle ? { meta_title: clipped('title for search engines', seoTitle, MAX.meta_title, notes) } : {}),
    ...(canonicalUrl && canonicalUrl.length <= MAX.canonical_url ? { canonical_url: canonicalUrl } : {}),
    ...(sends(update, 'title') ? { title: clipped('title', article.title, MAX.title, notes) } : {}),
    ...(sends(update, 'html') ? { html: toGhostHtml(article.html) } : {}),
    ...(sends(update, 'metaDescription')
      ? {
          meta_description: clipped('meta description', article.metaDescription, MAX.meta_description, notes) || null,
        }
      : {}),
    ...(sends(update, 'image')
      ? {
          feature_image: image ? imageUrl : null,
          feature_image_alt: image
            ? clipped("image's alternative text", image.alt, MAX.feature_image_alt, notes) || null
            : null,
        }
      : {}),
  }
  return { fields, notes }
}

/** Our script in a post's own code for the head of its page. */
const OUR_SCRIPT = new RegExp(`<script type="application/ld\\+json" id="${SCRIPT_ID}">[^<]*</script>`)
/** Longest code that Ghost keeps, in characters. */
const MAX_HEAD = 65_535

/**
 * Returns the code for the head of a post's page with the structured data of its text. Code of people stays.
 *
 * Ghost itself describes the article. A post that only members may read has none: its head is public. The field is left out if
 * nothing changes, if the code so far was not read, and for a post that the service did not make.
 */
export const headField = (
  article: CmsArticle,
  { codeinjection_head: before, visibility }: GhostPost,
  update: CmsUpdate = COMPLETE,
): { codeinjection_head?: string | null } => {
  if (article.stored || before === undefined || !sends(update, 'html')) return {}
  const head = before ?? ''
  const data = visibility === 'public' ? dataInText(article) : null
  const script = data ? scriptOf(data) : ''
  const after = OUR_SCRIPT.test(head) ? head.replace(OUR_SCRIPT, () => script) : head + script
  return after === head || after.length > MAX_HEAD ? {} : { codeinjection_head: after || null }
}

/** Returns the post's date unless it is in the future, because Ghost would accept that date for a published post. */
export const dateField = ({ publishedAt }: CmsArticle, now: Date): { published_at?: string } =>
  publishedAt === undefined || Date.parse(publishedAt) > now.getTime()
    ? {}
    : { published_at: new Date(publishedAt).toISOString() }

/** Returns the staff user that a byline names, by e-mail, slug or name. */
export const userOf = (users: readonly GhostUser[], author: string): GhostUser | undefined => {
  const name = author.trim().toLowerCase()
  const by = (of: (user: GhostUser) => string | null | undefined) =>
    users.find((u) => of(u)?.trim().toLowerCase() === name)
  return by((user) => user.email) ?? by((user) => user.slug) ?? by((user) => user.name)
}

/** Returns the words of a post that an update replaces. */
export const wordsOf = (post: GhostPost): CmsWords => ({
  title: post.title,
  text: textOf(post.html ?? ''),
  metaDescription: post.meta_description ?? '',
  seoTitle: post.meta_title ?? '',
  canonicalUrl: post.canonical_url ?? '',
  tags: (post.tags ?? []).map(({ name }) => name).filter((name) => !name.startsWith('#')),
})

const MAX_VERSION_BYTES = 1_000_000

const fits = (version: Record<string, unknown>): boolean =>
  new TextEncoder().encode(JSON.stringify(version)).byteLength <= MAX_VERSION_BYTES

/** Returns a post as stored for a rollback: in the format of Ghost's editor, or as HTML if that is missing or too large. */
export const toVersion = (post: GhostPost): Record<string, unknown> => {
  const { title, meta_description, custom_excerpt, feature_image, feature_image_alt } = post
  const common = {
    title,
    meta_description: meta_description ?? null,
    meta_title: post.meta_title ?? null,
    canonical_url: post.canonical_url ?? null,
    codeinjection_head: post.codeinjection_head ?? null,
    custom_excerpt: custom_excerpt ?? null,
    feature_image: feature_image ?? null,
    feature_image_alt: feature_image_alt ?? null,
    tags: (post.tags ?? []).map(({ name }) => ({ name })),
    authors: (post.authors ?? []).map(({ id }) => ({ id })),
  }
  const whole = { ...common, lexical: post.lexical }
  return post.lexical && fits(whole) ? whole : { ...common, html: post.html ?? '' }
}
