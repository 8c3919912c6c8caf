import { clip } from '../../../platform/lib/text.ts'
import type { Cms, CmsFailure, CmsQuery, CmsResult, CmsSite } from '../../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../adapter.ts'
import { type CmsDeps, done, type Found, fetchImage, type Got, got, misfit, quotable, refused } from '../http.ts'
import { inLanguages, type Languages } from '../languages.ts'
import { workWith } from '../mapped-items.ts'
import { API_VERSION, type ShopifyApi, shopifyApi, tokenSource } from './api.ts'
import { type Setting, settingOf } from './connect.ts'
import { CREATE_FILE, DELETE, FILE, FIND, READ, STAGE_UPLOAD } from './documents.ts'
import { listSitePosts, readSitePost } from './list.ts'
import { readSchema } from './own-fields.ts'
import {
  type Article,
  DeleteData,
  type File,
  FileData,
  FilesData,
  FindData,
  FullArticle,
  gidOf,
  ReadData,
  StagedData,
  searchOf,
  toPost,
  type UserError,
  wordsOf,
} from './transform.ts'
import { createArticle, hideArticle, restoreArticle, updateArticle } from './write.ts'

/** Themes print these texts, some with Liquid's `escape`. The alternative text is an attribute, which Shopify's own tags escape. */
const LANGUAGES: Languages = {
  title: 'printed',
  metaDescription: 'printed',
  seoTitle: 'printed',
  imageAlt: 'text',
  name: 'printed',
  field: 'printed',
}

const POLL_MS = 1_000
const MAX_POLLS = 20
const UPLOAD_TIMEOUT_MS = 30_000

/** Longest alternative text of a file, characters (ALT_VALUE_LIMIT_EXCEEDED). */
const MAX_ALT = 512

type Image = { url: string; alt: string }

const refusedFor = (errors: readonly UserError[]): CmsFailure =>
  misfit(
    `Shopify does not accept the image (${quotable(errors.map((e) => e.message).join('; ')) || 'no reason given'}).`,
  )

/** Creates a file from an address. Returns it once Shopify has processed it or failed, or after 20 checks of its state. */
const fileFrom = async (api: ShopifyApi, deps: CmsDeps, { url, alt }: Image): Promise<Got<File>> => {
  const made = await api.ask({
    document: CREATE_FILE,
    variables: { files: [{ originalSource: url, alt: clip(alt, MAX_ALT), contentType: 'IMAGE' }] },
    data: FilesData,
    writes: true,
  })
  if (made.kind !== 'got') return made
  const { files, userErrors } = made.value.fileCreate
  const [first] = files ?? []
  if (!first) return refusedFor(userErrors)
  let file: File = first
  for (let poll = 0; poll < MAX_POLLS && /^(UPLOADED|PROCESSING)$/.test(file.fileStatus); poll += 1) {
    await deps.sleep(POLL_MS)
    const asked: Got<{ node?: File | null | undefined }> = await api.ask({
      document: FILE,
      variables: { id: file.id },
      data: FileData,
      writes: false,
    })
    if (asked.kind === 'got' && asked.value.node) file = asked.value.node
  }
  return got(file)
}

/** Sends the bytes of an image to Shopify's storage. Returns the address to create a file from. */
const stage = async (api: ShopifyApi, deps: CmsDeps, url: string): Promise<Got<string>> => {
  const image = await fetchImage(deps, url)
  if ('kind' in image) return image
  const { bytes, type: mimeType, filename } = image
  const input = [{ resource: 'IMAGE', filename, mimeType, httpMethod: 'POST', fileSize: String(bytes.byteLength) }]
  const staged = await api.ask({ document: STAGE_UPLOAD, variables: { input }, data: StagedData, writes: true })
  if (staged.kind !== 'got') return staged
  const { stagedTargets, userErrors } = staged.value.stagedUploadsCreate
  const target = stagedTargets?.[0]
  if (!target?.url || !target.resourceUrl) return refusedFor(userErrors)
  const form = new FormData()
  for (const { name, value } of target.parameters) form.set(name, value)
  // The storage reads the fields up to `file`, so it comes last.
  form.append('file', new Blob([bytes], { type: mimeType }), filename)
  const sent = await deps.outbound({
    url: target.url,
    method: 'POST',
    body: form,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    maxBytes: 4_096,
  })
  return sent.kind === 'answered' && sent.status < 300
    ? got(target.resourceUrl)
    : { kind: 'refused', code: 'unavailable', reason: "Shopify's storage did not accept the image.", retryable: true }
}

/**
 * Adds an image to the shop's files and returns its address there. Needs the scope write_files.
 *
 * Shopify first fetches the image from its address. If that fails, its bytes are sent.
 */
const hostFile = async (api: ShopifyApi, deps: CmsDeps, image: Image): Promise<CmsResult<string>> => {
  const linked = await fileFrom(api, deps, image)
  if (linked.kind !== 'got') return linked
  let file = linked.value
  if (file.fileStatus === 'FAILED') {
    const staged = await stage(api, deps, image.url)
    if (staged.kind !== 'got') return staged
    const sent = await fileFrom(api, deps, { ...image, url: staged.value })
    if (sent.kind !== 'got') return sent
    file = sent.value
  }
  const { url } = file.image ?? {}
  return url ? done(url) : misfit('Shopify did not finish taking the image in.')
}

/** Time in which a new article may be missing from the search, ms. */
const SEARCH_LAG_MS = 5_000

const tooSoon = (waitMs: number): CmsFailure => ({
  kind: 'refused',
  code: 'unavailable',
  reason: 'Shopify does not list an article yet that may just have been made.',
  retryable: true,
  retryAfterS: Math.ceil(waitMs / 1000),
})

const find = async (api: ShopifyApi, setting: Setting, query: CmsQuery, now: Date): Promise<CmsResult<Found>> => {
  const asked = await api.ask({
    document: FIND,
    variables: {
      id: gidOf('Article', query.remoteId ?? '0'),
      known: query.remoteId !== undefined,
      search: searchOf(query.slug, setting.blogId),
      blogId: setting.blogId,
    },
    data: FindData,
    writes: false,
  })
  if (asked.kind !== 'got') return asked
  const { article, articles, blog } = asked.value
  const found = (post: Article, matchedBy: 'remote_id' | 'marker' | 'slug') =>
    done({ ...toPost(post, setting.siteUrl), matchedBy })
  if (article) return found(article, 'remote_id')
  const seen = [...articles.nodes, ...(blog?.articles.nodes ?? [])]
  const marked = seen.find((a) => a.mark?.value === query.marker)
  if (marked) return found(marked, 'marker')
  // The search matches words, so only the same handle in the same blog counts.
  const same = seen.find((a) => a.handle === query.slug && a.blog.id === setting.blogId)
  if (same) return found(same, 'slug')
  const since = query.maybeMadeSince === undefined ? Number.NaN : Date.parse(query.maybeMadeSince)
  const waitMs = since + SEARCH_LAG_MS - now.getTime()
  return waitMs > 0 ? tooSoon(waitMs) : done(null)
}

const probe = (api: ShopifyApi, { shopName, siteUrl, scopes }: Setting): CmsResult<CmsSite> => {
  const may = (scope: string) => scopes.includes(scope)
  if (scopes.length > 0 && !may('write_content') && !may('write_online_store_pages'))
    return refused(
      'auth_forbidden',
      'The app lacks the scope write_content. Grant it in the shop and connect again.',
      200,
    )
  const version = api.servedVersion()
  const isOld = version !== null && version !== API_VERSION
  return done({ name: shopName, url: siteUrl }, isOld ? [`Shopify answers with version ${version} of its API.`] : [])
}

/**
 * Returns the adapter for Shopify's GraphQL Admin API 2026-10: articles of one blog.
 *
 * Our mark is a metafield of the app's own namespace. It cannot be searched, so an article is found by id, by handle, or among the blog's
 * newest.
 *
 * A category becomes a tag, because Shopify has no categories besides blogs. Shopify fetches images itself.
 *
 * The search lags some seconds behind. After a lost answer, `find` is not sure before 5 s have passed since the first sending. (Publishing
 * searches 30 s after the answer was lost, which covers later attempts as well.)
 *
 * Not confirmed by documentation:
 * - the length of that lag, and the order of a blog's articles
 * - if Shopify refuses a taken handle or changes it (both are handled)
 * - that `image: null` removes the image
 * - the HTTP status of THROTTLED (200 and 429 are handled)
 */
export const shopifyCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const credentials = {
    accessToken: secrets.access_token,
    clientId: secrets.client_id,
    clientSecret: secrets.client_secret,
  }
  const api = shopifyApi(deps, url, tokenSource(deps, url, credentials))
  const setting = settingOf(api, secrets.blog_id)
  const withSetting = workWith(setting)
  const cms: Cms = {
    probe: () => withSetting((known) => probe(api, known)),
    schema: () => withSetting((known) => readSchema(api, known.shopName)),
    find: (query) => withSetting((known) => find(api, known, query, deps.now())),
    create: (article) => withSetting((known) => createArticle(api, known, article, deps.now())),
    update: (remoteId, article, update) =>
      withSetting((known) => updateArticle(api, known, remoteId, article, deps.now(), update)),
    unpublish: (remoteId) => withSetting((known) => hideArticle(api, known, remoteId)),
    discard: async (id) =>
      (await api.ask({ document: DELETE, variables: { id }, data: DeleteData, writes: true })).kind === 'got',
    hostImage: (image) => hostFile(api, deps, image),
    read: async (remoteId) => {
      const known = await api.ask({ document: READ, variables: { id: remoteId }, data: ReadData, writes: false })
      if (known.kind !== 'got') return known
      const { article } = known.value
      return done(article && { ...article, words: wordsOf(article), stored: { format: 'html', text: article.body } })
    },
    listPosts: (cursor) => withSetting(({ siteUrl }) => listSitePosts(api, siteUrl, cursor)),
    readPost: (ref) => withSetting(({ siteUrl }) => readSitePost(api, siteUrl, ref)),
    restore: async (remoteId, version) => {
      const kept = FullArticle.safeParse(version)
      if (!kept.success) return misfit('The kept version cannot be read.')
      return await withSetting((known) => restoreArticle(api, known, remoteId, kept.data))
    },
  }
  return hidingSecrets(inLanguages(LANGUAGES, cms), [secrets.access_token, secrets.client_secret])
}
