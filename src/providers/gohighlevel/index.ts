import type { Cms, CmsResult, CmsSite } from '../../publishing/target/cms-adapter.ts'
import type { Connection } from '../../publishing/target/publish-target.ts'
import { hidingSecrets } from '../cms/adapter.ts'
import { type CmsDeps, done, fetchImage } from '../cms/http.ts'
import { ALL_TEXT, inLanguages } from '../cms/languages.ts'
import { type GohighlevelApi, gohighlevelApi } from './api.ts'
import { labelsOf, placeOf } from './connect.ts'
import { type Blog, createPost, findPost, unpublishPost, updatePost } from './save.ts'

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined)

/**
 * Adds an image to the location's media library and returns its address there.
 *
 * First its address is sent. If the library only stores that address, the image's bytes are uploaded.
 */
const hostImage = async (api: GohighlevelApi, deps: CmsDeps, url: string): Promise<CmsResult<string>> => {
  const linked = new FormData()
  linked.set('hosted', 'true')
  linked.set('fileUrl', url)
  linked.set('name', url.split('/').at(-1)?.slice(0, 100) || 'image')
  const noted = await api.upload(linked)
  if (noted.kind !== 'got' || hostOf(noted.value.url) !== hostOf(url))
    return noted.kind === 'got' ? done(noted.value.url) : noted
  const file = await fetchImage(deps, url)
  if ('kind' in file) return file
  const sent = new FormData()
  sent.set('hosted', 'false')
  sent.set('name', file.filename)
  sent.set('file', new Blob([file.bytes], { type: file.type }), file.filename)
  const uploaded = await api.upload(sent)
  return uploaded.kind === 'got' ? done(uploaded.value.url) : uploaded
}

/** Tries each reading scope once, because the API does not list a token's scopes. Writing scopes are checked only when they are used. */
const probe = async ({ api, connection, place }: Blog, name: string): Promise<CmsResult<CmsSite>> => {
  const labels = await labelsOf(api, connection, { author: '', category: '' })
  if (labels.kind !== 'got') return labels
  const slug = await api.isSlugTaken('connection-test')
  if (slug.kind !== 'got') return slug
  const posts = await api.posts(place.blogId, 0)
  if (posts.kind !== 'got') return posts
  const notes = connection.secrets.default_image_url
    ? []
    : ['Articles without a feature image will be refused: GoHighLevel wants one. A default_image_url helps.']
  return done({ name, url: place.blogUrl }, notes)
}

/**
 * Returns the adapter for GoHighLevel's (LeadConnector's) blog API. The calls it uses cannot read a post by id or delete one, and never
 * return a text.
 *
 * So posts are found in lists, and a post with a wrong slug is made a draft. There is no `read`, and a rollback is not possible. There is
 * no place for our mark. The creation time of a post is read from its id.
 *
 * Not confirmed by documentation:
 * - that ids are MongoDB's
 * - what happens to a slug that is taken between check and creation (a suffix is handled)
 * - that an update keeps its text in every case (`wordCount` and `Version: v3` are always sent, and the public page is compared)
 * - the public address (`blog_url`)
 * - an empty image (never sent)
 */
export const gohighlevelCms = (connection: Connection, deps: CmsDeps): Cms => {
  const { secrets, url } = connection
  const api = gohighlevelApi(deps, url, secrets.private_token ?? '', secrets.location_id ?? '')
  const placed = placeOf(api, connection)
  const inBlog = async <T>(work: (blog: Blog, name: string) => Promise<CmsResult<T>>): Promise<CmsResult<T>> => {
    const place = await placed()
    return place.kind === 'got' ? await work({ api, connection, place: place.value, deps }, place.value.name) : place
  }
  const cms: Cms = {
    probe: () => inBlog(probe),
    find: (query) => inBlog((blog) => findPost(blog, query)),
    create: (article) => inBlog((blog) => createPost(blog, article)),
    update: (remoteId, article, update) => inBlog((blog) => updatePost(blog, remoteId, article, update)),
    unpublish: (remoteId, article) => inBlog((blog) => unpublishPost(blog, remoteId, article)),
    linksCover: true,
    hostImage: (image) => hostImage(api, deps, image.url),
  }
  return hidingSecrets(inLanguages(ALL_TEXT, cms), [secrets.private_token])
}
