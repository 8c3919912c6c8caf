import type { Cms, CmsResult, CmsVersion } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, misfit, refused } from '../http.ts'
import { inLanguages, type Languages } from '../languages.ts'
import { formatOf, listSitePosts, readSitePost } from './core-list.ts'
import { changedSince, findPost, isPostId, readPost, removeDraft, writePost } from './core-posts.ts'
import { createPost, hostCoreImage, unpublishPost, updatePost } from './core-save.ts'
import { readSchema } from './own-fields.ts'
import { pluginCms } from './plugin.ts'
import { askCore, type Core, failureOf, openSite } from './site.ts'
import { plainName, toPost, wordsOf } from './transform.ts'
import { Me, PostVersion, SiteIndex, Terms } from './types.ts'

/**
 * WordPress prints all its fields as HTML, with core REST and with our plugin. An administrator's markup would run.
 *
 * It never encodes a reference twice.
 */
const LANGUAGES: Languages = {
  title: 'html',
  metaDescription: 'html',
  seoTitle: 'html',
  imageAlt: 'html',
  name: 'html',
  field: 'printed',
}

/** Notes by missing right of the user. Without `edit_posts` the connection is refused. */
const LACKS: Record<string, string> = {
  publish_posts: 'The user may not publish, only write drafts.',
  upload_files: 'The user may not upload images, so feature images are left out.',
  edit_others_posts: 'The user may not set another author, so every byline is the user.',
  manage_categories: 'The user may not make categories, only use those that exist.',
  unfiltered_html: 'The user may not post unfiltered HTML, so WordPress takes out embedded videos.',
}

const hasNoPasswords = (authentication: unknown): boolean =>
  Array.isArray(authentication) ? authentication.length === 0 : false

/** Checks that the address is a WordPress site, then reads the user of the password and their rights. */
const probe = async (core: Core): ReturnType<Cms['probe']> => {
  const query = { _fields: 'name,url,home,namespaces,authentication' }
  const answer = await core.site.ask({ method: 'GET', path: '', query })
  if (answer.kind !== 'answered') return answer
  const index = answer.status < 300 ? SiteIndex.safeParse(answer.json) : undefined
  if (!index) return failureOf(answer)
  if (!index.success || !index.data.namespaces.includes('wp/v2'))
    return refused('site_not_found', 'The address answers, but not as a WordPress site.', answer.status)
  if (hasNoPasswords(index.data.authentication))
    return refused(
      'auth_forbidden',
      'Application passwords are switched off at this WordPress site: it is not served over https, or a security plugin disables them. Allow them there, or use the plugin.',
      answer.status,
    )
  const me = await askCore(core, Me, {
    method: 'GET',
    path: 'users/me',
    query: { context: 'edit', _fields: 'id,name,capabilities' },
  })
  if (me.kind !== 'done') return me
  const may = (capability: string) => me.value?.capabilities[capability] === true
  if (!may('edit_posts')) return refused('auth_forbidden', 'The user may not write posts at this WordPress site.', 403)
  const notes = Object.keys(LACKS).filter((name) => !may(name))
  return done(
    { name: plainName(index.data.name), url: index.data.home || index.data.url || null },
    notes.map((name) => LACKS[name] ?? name),
  )
}

/** Id of the default category of a new site. WordPress gives it to posts without a category. */
const DEFAULT_CATEGORY = 1

const readVersion = async (core: Core, remoteId: string): Promise<CmsResult<CmsVersion | null>> => {
  const post = await readPost(core, remoteId)
  if (post.kind !== 'done' || post.value === null) return post as CmsResult<null>
  const query = { context: 'edit', _fields: 'title,content,excerpt,tags,categories,featured_media,modified_gmt' }
  const termsOf = async (kind: 'tags' | 'categories') => {
    const listed = await askCore(core, Terms, {
      method: 'GET',
      path: kind,
      query: { post: remoteId, per_page: '100', _fields: 'id,name' },
    })
    return listed.kind === 'done' ? (listed.value ?? []) : []
  }
  const [result, tags, categories] = await Promise.all([
    askCore(core, PostVersion, { method: 'GET', path: `posts/${remoteId}`, query }),
    termsOf('tags'),
    termsOf('categories'),
  ])
  if (result.kind !== 'done' || result.value === null) return result as CmsResult<null>
  const { title, content, excerpt, modified_gmt: changedAt, ...rest } = result.value
  const words = wordsOf({ title: title.raw, content: content.raw, excerpt: excerpt.raw })
  return done({
    title: title.raw,
    content: content.raw,
    excerpt: excerpt.raw,
    ...rest,
    ...(changedAt === undefined ? {} : { changedAt }),
    stored: { format: formatOf(content.raw), text: content.raw },
    words: {
      ...words,
      tags: tags.map(({ name }) => name),
      categories: categories.filter(({ id }) => id !== DEFAULT_CATEGORY).map(({ name }) => name),
    },
  })
}

const restore = async (
  core: Core,
  remoteId: string,
  version: CmsVersion,
  seenAt: string | undefined,
): ReturnType<NonNullable<Cms['restore']>> => {
  const current = await readPost(core, remoteId)
  if (current.kind !== 'done' || current.value === null) return current as CmsResult<null>
  const changed = changedSince(current.value, seenAt)
  if (changed) return changed
  const { title, content, excerpt, tags, categories, featured_media } = version
  const result = await writePost(core, current.value.id, { title, content, excerpt, tags, categories, featured_media })
  return result.kind === 'done' ? done(toPost(result.value, core.deps.serviceName, '')) : result
}

const NO_COUNTS =
  'Visits are counted by the plugin, and this WordPress site is connected with a user name. Connect it with the plugin’s key to count them.'

/**
 * Returns the adapter for core REST with a user's application password.
 *
 * The marker is a comment at the end of the content. WordPress keeps it for every role (measured on 6.5.5). Our post is searched under the
 * requested slug and under the numbers that WordPress adds to taken slugs.
 *
 * Not confirmed: WordPress.com's hosted sites, and versions after 6.5.
 */
const coreCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { cms_username: user = '', integration_key: password = '' } = connection.secrets
  const credentials = btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))
  const core: Core = { site: openSite(connection.url, { Authorization: `Basic ${credentials}` }, deps), deps }
  return {
    probe: () => probe(core),
    find: (query) => findPost(core, query),
    schema: () => readSchema(core),
    create: (article) => createPost(core, article),
    update: (remoteId, article, update, seenAt) => updatePost(core, remoteId, article, update, seenAt),
    unpublish: (remoteId) => unpublishPost(core, remoteId),
    read: (remoteId) => (isPostId(remoteId) ? readVersion(core, remoteId) : Promise.resolve(done(null))),
    traffic: async () => misfit(NO_COUNTS),
    listPosts: (cursor) => listSitePosts(core, cursor),
    readPost: (ref) => readSitePost(core, ref),
    restore: (remoteId, version, _, seenAt) => restore(core, remoteId, version, seenAt),
    discard: async (remoteId) => {
      await removeDraft(core, Number(remoteId))
      const left = await readPost(core, remoteId)
      return left.kind === 'done' && left.value === null
    },
    hostImage: async (image) => {
      const hosted = await hostCoreImage(core, image)
      return hosted.kind === 'done' ? done(hosted.value.url) : hosted
    },
  }
}

/** Returns the adapter of a WordPress site: core REST if a user name is stored (application password), else our plugin. */
export const wordpressCms = (connection: Connection, deps: CmsDeps): Cms =>
  hidingSecrets(
    inLanguages(LANGUAGES, connection.secrets.cms_username ? coreCms(connection, deps) : pluginCms(connection, deps)),
    [connection.secrets.integration_key],
  )
