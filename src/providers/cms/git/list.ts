import { pageKey } from '../../../platform/lib/urls.ts'
import type { CmsResult } from '../../../publishing/target/cms-adapter.ts'
import type { PostRef, SitePost, SitePostPage, StoredPost } from '../../../publishing/target/site-posts.ts'
import { done, type Got, got } from '../http.ts'
import type { RepositoryFile } from './host.ts'
import { folderOf, slugIn } from './layout.ts'
import type { Repo } from './message.ts'
import { type FoundPost, foundPost } from './post.ts'
import type { Setting } from './setting.ts'

/** Files that are read at once. */
const PAGE = 50

const sitePost = ({ post, author, language, date }: FoundPost): SitePost => ({
  postId: post.remoteId,
  title: post.title,
  url: post.url,
  status: post.status,
  publishedAt: post.status === 'published' ? date : null,
  // The time of a commit would take a call for each file.
  changedAt: null,
  author,
  language,
})

/** Returns the paths of all posts in the order of their names. */
const postPaths = async ({ host }: Repo, { repository, layout }: Setting): Promise<Got<string[]>> => {
  const listed = await host.folder(repository.head, folderOf(layout.path))
  if (listed.kind !== 'got') return listed
  return got(
    listed.value
      // Hugo keeps the text of a list in `_index.md`.
      .filter((path) => slugIn(layout.path, path) !== undefined && !/(?:^|\/)_index\.\w+$/.test(path))
      .sort((a, b) => (a < b ? -1 : 1)),
  )
}

/**
 * Lists a page of the posts. The cursor is the last path before it, so that new files move no other post.
 *
 * Files whose front matter cannot be read are counted as hidden.
 */
export const listSitePosts = async (repo: Repo, cursor: string | null): Promise<CmsResult<SitePostPage>> => {
  const known = await repo.setting()
  if (known.kind !== 'got') return known
  const paths = await postPaths(repo, known.value)
  if (paths.kind !== 'got') return paths
  const rest = paths.value.filter((path) => cursor === null || path > cursor)
  const page = rest.slice(0, PAGE)
  const read = await repo.host.files(known.value.repository.head, page)
  if (read.kind !== 'got') return read
  const posts = read.value
    .flatMap((file) => foundPost(file, known.value.layout) ?? [])
    .map(sitePost)
    .sort((a, b) => (a.postId < b.postId ? -1 : 1))
  return done({
    posts,
    next: rest.length > PAGE ? (page.at(-1) ?? null) : null,
    hidden: page.length - posts.length,
    total: paths.value.length,
  })
}

/** Returns the file of the post at an address, the one with its last part as name first; undefined if there is none. */
const fileAt = async (
  { host }: Repo,
  { repository, layout }: Setting,
  all: readonly string[],
  address: string,
): Promise<Got<RepositoryFile | undefined>> => {
  const wanted = pageKey(new URL(address))
  const name = new URL(address).pathname.replace(/\/+$/, '').split('/').at(-1) ?? ''
  const named = all.filter((path) => slugIn(layout.path, path) === name)
  const paths = [...named, ...all.filter((path) => !named.includes(path))]
  for (let at = 0; at < paths.length; at += PAGE) {
    const read = await host.files(repository.head, paths.slice(at, at + PAGE))
    if (read.kind !== 'got') return read
    const found = read.value.find((file) => {
      const url = foundPost(file, layout)?.post.url
      return url != null && pageKey(new URL(url)) === wanted
    })
    if (found) return got(found)
  }
  return got(undefined)
}

/** Returns a file by its path. Only posts are read, no other file of the repository. */
const fileOf = async (
  { host }: Repo,
  { repository }: Setting,
  all: readonly string[],
  path: string,
): Promise<Got<RepositoryFile | undefined>> => {
  const read = await host.files(repository.head, all.includes(path) ? [path] : [])
  return read.kind === 'got' ? got(read.value[0]) : read
}

/**
 * Reads a post with its text as HTML. Null if there is none.
 *
 * The text has the format `page`: HTML does not hold all that a file of Markdown can have, such as components and shortcodes.
 */
export const readSitePost = async (repo: Repo, ref: PostRef): Promise<CmsResult<StoredPost | null>> => {
  const known = await repo.setting()
  if (known.kind !== 'got') return known
  const paths = await postPaths(repo, known.value)
  if (paths.kind !== 'got') return paths
  const file =
    'postId' in ref
      ? await fileOf(repo, known.value, paths.value, ref.postId)
      : await fileAt(repo, known.value, paths.value, ref.url)
  if (file.kind !== 'got') return file
  const found = file.value && foundPost(file.value, known.value.layout)
  if (!file.value || !found) return done(null)
  return done({
    ...sitePost(found),
    ...found.words,
    slug: found.post.slug,
    format: 'page',
    excerpt: '',
    lock: file.value.id,
    owner: null,
  })
}
