import * as z from 'zod/mini'
import { outermost } from '../../../content/html/events.ts'
import { shownWords } from '../../../content/html/shown.ts'
import { slugify } from '../../../platform/lib/slug.ts'
import type { CmsArticle, CmsFailure, CmsPost, CmsResult, CmsUpdate } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE, makesPublic, sends, sentParts } from '../fields.ts'
import { done, type Got, got, misfit, quotable, refused } from '../http.ts'
import type { GhostApi, GhostPost } from './api.ts'
import { contentFields, dateField, headField, isNumbered, tagNames, tagsOf, toPost, userOf } from './transform.ts'

/** Cards of Ghost's editor that HTML cannot express. */
const CARDS: Readonly<Record<string, string>> = {
  paywall: 'the members-only divider',
  'call-to-action': 'a call to action',
  signup: 'a sign-up card',
  email: 'an e-mail card',
  'email-cta': 'an e-mail call to action',
  transistor: 'the podcasts of members',
}

const Tree = z.object({ root: z.object({ children: z.array(z.looseObject({ type: z.string() })) }) })

type Node = z.infer<typeof Tree>['root']['children'][number]

const nodesIn = (lexical: string | null | undefined): Node[] => {
  try {
    const parsed = Tree.safeParse(JSON.parse(lexical ?? ''))
    return parsed.success ? parsed.data.root.children : []
  } catch {
    return []
  }
}

/** Returns the words of a node and of all nodes within it, with single blanks. */
const wordsOf = (node: unknown): string => {
  const texts: string[] = []
  const left: unknown[] = [node]
  while (left.length > 0) {
    const one = left.pop()
    if (Array.isArray(one)) for (let n = one.length - 1; n >= 0; n -= 1) left.push(one[n])
    else if (one !== null && typeof one === 'object') {
      const { text, children } = one as { text?: unknown; children?: unknown }
      if (typeof text === 'string') texts.push(text)
      left.push(children)
    }
  }
  return texts.join('').replace(/\s+/g, ' ').trim()
}

const BLOCKS = new Set(['p', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote', 'pre'])
/** HTML comment that Ghost reads as the divider. */
const DIVIDER = '<!--members-only-->'

/** Returns the end of the only block with these words; undefined if none or several have them. */
const endOfBlock = (html: string, words: string): number | undefined => {
  const bare = (text: string) => text.replace(/\s+/g, '')
  const same = outermost(html, BLOCKS).filter(
    ({ start, end }) => bare(shownWords(html.slice(start, end)).join('')) === bare(words),
  )
  return same.length === 1 ? same[0]?.end : undefined
}

/** Returns the new HTML with the members-only divider behind the same block as before, or the names of cards that it would remove. */
const withCards = (
  lexical: string | null | undefined,
  html: string,
): { kind: 'kept'; html: string; hasDivider: boolean } | { kind: 'lost'; names: string[] } => {
  const nodes = nodesIn(lexical)
  const names = nodes.flatMap(({ type }) => CARDS[type] ?? [])
  if (names.length === 0) return { kind: 'kept', html, hasDivider: false }
  const at = nodes.findIndex(({ type }) => type === 'paywall')
  const words = at > 0 ? wordsOf(nodes[at - 1]) : ''
  const end = names.length === 1 && words !== '' ? endOfBlock(html, words) : undefined
  return end === undefined
    ? { kind: 'lost', names: [...new Set(names)] }
    : { kind: 'kept', html: html.slice(0, end) + DIVIDER + html.slice(end), hasDivider: true }
}

/** True if a post has a members-only divider. */
const hasDivider = (lexical: string | null | undefined): boolean =>
  nodesIn(lexical).some(({ type }) => type === 'paywall')

/** Number of staff users that Ghost lists in one request. */
const MAX_USERS = 100

type Fields = { fields: Record<string, unknown>; notes: string[] }
type Tag = { name: string }

/** Returns the staff user for the byline. Ghost silently uses the owner for an unknown author, so the user is looked up first. */
const authorFields = async (api: GhostApi, author: string): Promise<Fields> => {
  if (author.trim() === '') return { fields: {}, notes: [] }
  const listed = await api.users(MAX_USERS)
  const user = listed.kind === 'got' ? userOf(listed.value.users, author) : undefined
  if (user) return { fields: { authors: [{ id: user.id }] }, notes: [] }
  const why = listed.kind === 'got' ? 'Ghost has no staff user of this name, slug or e-mail' : listed.reason
  return { fields: {}, notes: [`The author "${author}" was not set: ${why}.`.replace(/\.\.$/, '.')] }
}

/** Names looked up in one request, so that its address stays short. */
const NAMES_AT_ONCE = 10
/** Ghost adds a number to a slug that another tag has. */
const SLUG_ENDS = ['', '-2', '-3', '-4']

/**
 * Returns the site's tags that may be the article's, by name and by slug, because names may be case-sensitive in the database.
 *
 * `tagsOf` picks the right tag for each name.
 */
const knownTags = async (api: GhostApi, article: CmsArticle): Promise<Tag[]> => {
  const names = tagNames(article)
  const found: Tag[] = []
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const some = names.slice(at, at + NAMES_AT_ONCE)
    const slugs = some.map(slugify).filter((slug) => slug !== '')
    const listed = await api.tagsOf(some, [
      ...new Set(slugs.flatMap((slug) => SLUG_ENDS.map((end) => `${slug}${end}`))),
    ])
    if (listed.kind === 'got') found.push(...listed.value.tags)
  }
  return found
}

const prepare = async (
  api: GhostApi,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
): Promise<Fields & { tags: Tag[] }> => {
  const content = contentFields(article, update)
  const parts = sentParts(article, update)
  const [author, tags] = await Promise.all([
    authorFields(api, parts.author),
    sendsTags(update) ? knownTags(api, article) : [],
  ])
  return { fields: { ...content.fields, ...author.fields }, notes: [...content.notes, ...author.notes], tags }
}

/** True if an update sends tags or category. Ghost has one list for both, with the category first. */
const sendsTags = (update: CmsUpdate): boolean => sends(update, 'tags') || sends(update, 'category')

const lostPost: CmsFailure = {
  kind: 'unknown',
  reason: 'Ghost answered without the post. It is not known whether the change was made.',
}

/**
 * Changes a post, with the time of its last change that Ghost requires. Returns null if the post is gone.
 *
 * If someone else changed the post at the same moment (409 UPDATE_COLLISION, nothing was done), it is read and written again, once.
 */
const changeWithLatest = async (
  api: GhostApi,
  known: GhostPost,
  fieldsFor: (post: GhostPost) => Record<string, unknown>,
): Promise<Got<GhostPost | null>> => {
  const put = (post: GhostPost) => api.change(post.id, { ...fieldsFor(post), updated_at: post.updated_at })
  const first = await put(known)
  if (first.kind !== 'refused' || first.code !== 'conflict') return first
  const fresh = await api.post(known.id)
  if (fresh.kind !== 'got' || fresh.value === null) return fresh
  const second = await put(fresh.value)
  return second.kind === 'refused' && second.code === 'conflict' ? { ...second, retryable: true } : second
}

const CHANGED = refused(
  'changed',
  'Somebody changed the post in Ghost at the same moment. Nothing was changed.',
  409,
  true,
)

/**
 * Changes the version of a post that was read at `seenAt`. Refuses if the post has another one, whose words nobody has compared.
 *
 * Without `seenAt` the latest version is changed.
 */
export const changeSeen = async (
  api: GhostApi,
  known: GhostPost,
  fieldsFor: (post: GhostPost) => Record<string, unknown>,
  seenAt: string | undefined,
): Promise<Got<GhostPost | null>> => {
  if (seenAt === undefined) return await changeWithLatest(api, known, fieldsFor)
  if (known.updated_at !== seenAt) return CHANGED
  const changed = await api.change(known.id, { ...fieldsFor(known), updated_at: seenAt })
  return changed.kind === 'refused' && changed.code === 'conflict' ? CHANGED : changed
}

/** Returns the refusal of a slug that a page has. Pages and posts share slugs in Ghost. */
const pageTaken = (slug: string, { title, url }: { title: string; url?: string | null | undefined }, rest: string) =>
  refused(
    'conflict',
    `The page "${quotable(title)}" has the slug "${slug}" in Ghost${url ? ` (${url})` : ''}. Change the article's slug, or move the page.${rest}`,
    409,
  )

/** True if Ghost reserves a slug (`rss`, `amp`). It then adds `-post`. */
const isReserved = (slug: string, asked: string): boolean => slug === `${asked}-post`

/**
 * Deletes the new post that got another slug, and returns a refusal that names what has the slug.
 *
 * This can be another attempt of ours, a page or someone else's post.
 */
const giveUpSlug = async (api: GhostApi, made: GhostPost, article: CmsArticle): Promise<CmsFailure> => {
  const isGone = (await api.remove(made.id)) || (await api.remove(made.id))
  const holder = isNumbered(made.slug, article.slug) ? await api.postBySlug(article.slug) : got(null)
  if (holder.kind === 'got' && holder.value && toPost(holder.value, article.marker).marker !== null)
    return refused('conflict', 'Ghost already has this article, put there a moment ago.', 409, true)
  const rest = isGone ? '' : ` A draft under "${made.slug}" could not be deleted.`
  const page = await api.pageBySlug(article.slug)
  if (page.kind === 'got' && page.value) return pageTaken(article.slug, page.value, rest)
  return refused('slug_taken', `Ghost made "${made.slug}" of the slug "${article.slug}".${rest}`, 409)
}

/**
 * Creates the post as a draft, and publishes it once it has its slug.
 *
 * Ghost silently changes a taken slug. A post that is live even for a moment is announced to followers and feeds.
 */
export const createPost = async (api: GhostApi, now: Date, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const { fields, notes, tags } = await prepare(api, article)
  const date = dateField(article, now)
  const created = await api.create({
    ...fields,
    ...date,
    slug: article.slug,
    status: 'draft',
    tags: tagsOf(article, tags),
  })
  if (created.kind !== 'got') return created
  const made = created.value
  if (made === null) return lostPost
  if (isReserved(made.slug, article.slug))
    notes.push(`Ghost keeps the slug "${article.slug}" for itself, so the post has the slug "${made.slug}".`)
  else if (made.slug !== article.slug) return await giveUpSlug(api, made, article)
  if (article.status === 'draft') return done(toPost(made, article.marker), notes)
  const live = await changeWithLatest(api, made, (post) => ({
    ...headField(article, post),
    ...date,
    status: 'published',
  }))
  if (live.kind !== 'got') return live
  return live.value ? done(toPost(live.value, article.marker), notes) : lostPost
}

/** Returns the refusal of a text that would remove cards that HTML cannot express. */
const cardsLost = (names: readonly string[]): CmsFailure =>
  misfit(
    `The post in Ghost holds ${names.join(', ')}, which a new text would remove. Nothing was changed. Take it out in Ghost, send the article again, and add it there again.`,
  )

/** Returns a warning if Ghost did not keep the members-only divider. */
const dividerNotes = async (api: GhostApi, remoteId: string): Promise<string[]> => {
  const after = await api.postWithContent(remoteId)
  return after.kind === 'got' && after.value && hasDivider(after.value.lexical)
    ? []
    : [
        'The members-only divider could not be put back. Add it again in Ghost: the whole text may be public until then.',
      ]
}

/** Returns the fields of an update with the text in the form of Ghost’s editor instead of HTML. Ghost refuses both at once. */
const withStored = ({ html: _, ...fields }: Record<string, unknown>, lexical: string): Record<string, unknown> => ({
  ...fields,
  lexical,
})

const parsed = (lexical: string | null | undefined): string => {
  try {
    return JSON.stringify(JSON.parse(lexical ?? ''))
  } catch {
    return ''
  }
}

/** Returns a warning if Ghost kept another text than was sent. It prints numbers and blanks of the JSON its own way. */
const storedNotes = ({ lexical }: GhostPost, sent: string): string[] =>
  parsed(lexical) === parsed(sent)
    ? []
    : ['Ghost changed the text when it saved it. Look at the post, and roll it back if something is lost.']

/** Changes the post in place. Internal tags (`#…`) that people added for their theme stay. Returns null if the post is gone. */
export const updatePost = async (
  api: GhostApi,
  now: Date,
  remoteId: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const known = sends(update, 'html') ? await api.postWithContent(remoteId) : await api.post(remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const stored = sends(update, 'html') ? article.stored : undefined
  if (stored && known.value.lexical !== stored.from) return CHANGED
  const cards = withCards(sends(update, 'html') && !stored ? known.value.lexical : null, article.html)
  if (cards.kind === 'lost') return cardsLost(cards.names)
  const prepared = await prepare(api, { ...article, html: cards.html }, update)
  const { notes, tags } = prepared
  const fields = stored ? withStored(prepared.fields, stored.to) : prepared.fields
  const stateOf = (post: GhostPost) => {
    if (update.intent === 'change' || post.status === 'sent') return {}
    const isLive = toPost(post, article.marker).status === 'published'
    return {
      ...(isLive ? {} : dateField(article, now)),
      ...(makesPublic(update, article) ? { status: 'published' } : {}),
    }
  }
  const fieldsFor = (post: GhostPost) => {
    const internal = post.tags?.map((tag) => tag.name) ?? []
    return {
      ...fields,
      ...headField(article, post, update),
      ...(sendsTags(update) ? { tags: tagsOf(article, tags, internal) } : {}),
      ...stateOf(post),
    }
  }
  const changed = await changeSeen(api, known.value, fieldsFor, stored ? (seenAt ?? known.value.updated_at) : seenAt)
  if (changed.kind !== 'got') return changed
  if (stored && changed.value) notes.push(...storedNotes(changed.value, stored.to))
  if (cards.hasDivider) notes.push(...(await dividerNotes(api, remoteId)))
  return done(changed.value && toPost(changed.value, article.marker), notes)
}

/** Makes a post a draft; its slug and date stay. Returns null if the post is gone. */
export const unpublishPost = async (api: GhostApi, remoteId: string): Promise<CmsResult<CmsPost | null>> => {
  const known = await api.post(remoteId)
  if (known.kind !== 'got') return known
  if (known.value === null) return done(null)
  const changed = await changeWithLatest(api, known.value, () => ({ status: 'draft' }))
  return changed.kind === 'got' ? done(changed.value && toPost(changed.value, '')) : changed
}
