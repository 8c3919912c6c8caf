import * as z from 'zod/mini'
import { clip } from '../../../platform/lib/text.ts'
import type {
  CmsArticle,
  CmsBuild,
  CmsFailure,
  CmsOwner,
  CmsPost,
  CmsQuery,
  CmsResult,
  CmsUpdate,
  CmsVersion,
} from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE } from '../fields.ts'
import { done, type Found, type Got, got, misfit, quotable, refused } from '../http.ts'
import type { GitHost, RepositoryFile } from './host.ts'
import { filled, folderOf, type Layout, slugIn } from './layout.ts'
import { messageOf, type Repo, restoredHash, type Sent, sentOf, TAKE_DOWN, trailersFor } from './message.ts'
import { dateOf, emptyFile, hidden, toPost, type Written, wordsOf, writeArticle } from './post.ts'
import { closePull, propose } from './propose.ts'
import type { Setting } from './setting.ts'

/** Number of times a file is read and committed if the branch moves in between. */
const TRIES = 3
const WAIT_MS = 1_000

const STALE = refused(
  'conflict',
  'The branch got new commits at each of three tries. Nothing was committed. Try again in a minute.',
  409,
  true,
)

const QUOTED = 300

const conflictOf = (path: string, { conflict, part }: Extract<Written, { conflict: unknown }>): CmsFailure =>
  refused(
    'validation',
    `Somebody changed the ${part} in ${path} since it was sent last, so nothing was committed. There: “${clip(conflict.theirs.trim(), QUOTED)}” New: “${clip(conflict.ours.trim(), QUOTED)}” Take the words from there into the article and send it, or change the file.`,
    409,
  )

const unreadable = (path: string, problem: string): CmsFailure =>
  misfit(`The file ${path} cannot be changed: ${problem}. Nothing was committed.`)

type Step = { text: string | null; verb: string; notes?: readonly string[] }

/** File after a change. `mergeAt`: address of the pull request that has the change. */
type Changed = {
  file: { path: string; text: string } | null
  layout: Layout
  notes: readonly string[]
  mergeAt?: string
}

const NOT_NEEDED = 'The branch has this text already, so the change is not needed any more.'

/**
 * Changes one file of the branch's newest commit. `change` returns its new text, null to delete it, or a failure.
 *
 * A file that has the text already is not committed. If the branch moved, the file is read and changed again. If changes go to
 * pull requests, the branch itself stays as it is.
 */
export const changeFile = async (
  repo: Repo,
  at: string | ((layout: Layout) => string),
  sent: Sent,
  change: (file: RepositoryFile | undefined, setting: Setting) => Step | CmsFailure | Promise<Step | CmsFailure>,
): Promise<Got<Changed>> => {
  const { host, deps, setting, proposes } = repo
  for (let n = 0; n < TRIES; n += 1) {
    const known = await setting()
    if (known.kind !== 'got') return known
    const { repository, layout } = known.value
    const path = typeof at === 'string' ? at : at(layout)
    const read = await host.files(repository.head, [path])
    if (read.kind !== 'got') return read
    const [file] = read.value
    const step = await change(file, known.value)
    if ('kind' in step) return step
    const { text, verb, notes = [] } = step
    const after = text === null ? null : { path, text }
    if (text === (file?.text ?? null)) {
      const closed = proposes ? await closePull(repo, sent.marker, NOT_NEEDED) : done(null)
      return closed.kind === 'done' ? got({ file: after, layout, notes }) : closed
    }
    if (proposes) {
      const proposed = await propose(repo, known.value, { path, text, verb, sent, was: file })
      if (proposed.kind !== 'got') return proposed
      if (proposed.value !== 'stale') return got({ file: after, layout, notes, mergeAt: proposed.value.url })
      await deps.sleep(WAIT_MS)
      continue
    }
    const committed = await host.commit({
      branch: layout.branch,
      head: repository.head,
      ...messageOf(deps, verb, path, sent),
      path,
      text,
      was: file,
    })
    if (committed.kind !== 'got') return committed
    if (committed.value !== 'stale') return got({ file: after, layout, notes })
    await deps.sleep(WAIT_MS)
  }
  return STALE
}

/** Failure that stands for a file which does not exist. */
const GONE = misfit('The file is gone.')

/** Returns a post with the pull request that has its change. */
const withPull = (post: CmsPost, { mergeAt }: Changed): CmsPost => (mergeAt === undefined ? post : { ...post, mergeAt })

const postIn = (changed: Changed): CmsResult<CmsPost | null> => {
  const post = changed.file && toPost(changed.file, changed.layout)
  return post ? done(withPull(post, changed), changed.notes) : done(null)
}

/** Returns the paths of posts with a slug, whatever their dates. */
const pathsOf = async (host: GitHost, { repository, layout }: Setting, slug: string): Promise<Got<string[]>> => {
  const listed = await host.folder(repository.head, folderOf(layout.path))
  if (listed.kind !== 'got') return listed
  return got(listed.value.filter((path) => slugIn(layout.path, path) === slug))
}

const FILES_AT_ONCE = 50

/** Returns the post with a marker among all files of the folder: somebody may have renamed its file. */
const marked = async (
  host: GitHost,
  { repository, layout }: Setting,
  marker: string,
): Promise<Got<CmsPost | undefined>> => {
  const listed = await host.folder(repository.head, folderOf(layout.path))
  if (listed.kind !== 'got') return listed
  const paths = listed.value.filter((path) => /\.(?:md|mdx|markdown)$/.test(path))
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const read = await host.files(repository.head, paths.slice(at, at + FILES_AT_ONCE))
    if (read.kind !== 'got') return read
    const own = read.value.map((file) => toPost(file, layout)).find((post) => post?.marker === marker)
    if (own) return got(own)
  }
  return got(undefined)
}

/** Returns a post's marker: from its front matter, or from the messages of the commits that changed it. */
const withMarker = async (
  { host, deps }: Repo,
  { repository, layout }: Setting,
  post: CmsPost,
  marker: string,
): Promise<Got<CmsPost>> => {
  if (post.marker !== null || layout.keys.marker) return got(post)
  const messages = await host.messages(repository.head, post.remoteId)
  if (messages.kind !== 'got') return messages
  const line = `${trailersFor(deps).article}${marker}`
  return got(messages.value.some((message) => message.split('\n').includes(line)) ? { ...post, marker } : post)
}

/** True if the newest of our commits to a file made this change. People may have changed the file since. */
const isCommitted = async (
  { host, deps }: Repo,
  { repository }: Setting,
  path: string,
  { delivery }: Sent,
): Promise<Got<boolean>> => {
  const messages = await host.messages(repository.head, path)
  if (messages.kind !== 'got') return messages
  const trailers = trailersFor(deps)
  const lines = messages.value.map((message) => message.split('\n'))
  const newest = lines.find((all) => all.some((line) => line.startsWith(trailers.article)))
  return got(newest?.includes(`${trailers.delivery}${delivery}`) === true)
}

export const findPost = async (repo: Repo, { marker, remoteId, slug }: CmsQuery): Promise<CmsResult<Found>> => {
  const { host, setting } = repo
  const known = await setting()
  if (known.kind !== 'got') return known
  const { repository, layout } = known.value
  const first = await host.files(repository.head, remoteId ? [remoteId] : [])
  if (first.kind !== 'got') return first
  const [own] = first.value.flatMap((file) => toPost(file, layout) ?? [])
  if (own && (own.marker ?? marker) === marker) return done({ ...own, matchedBy: 'remote_id' })
  const listed = await pathsOf(host, known.value, slug)
  if (listed.kind !== 'got') return listed
  const rest = await host.files(
    repository.head,
    listed.value.filter((path) => path !== remoteId),
  )
  if (rest.kind !== 'got') return rest
  const posts = [...(own ? [own] : []), ...rest.value.flatMap((file) => toPost(file, layout) ?? [])]
  for (const post of posts) {
    const one = await withMarker(repo, known.value, post, marker)
    if (one.kind !== 'got') return one
    if (one.value.marker === marker) return done({ ...one.value, matchedBy: 'marker' })
  }
  const renamed = layout.keys.marker && remoteId ? await marked(host, known.value, marker) : got(undefined)
  if (renamed.kind !== 'got') return renamed
  if (renamed.value) return done({ ...renamed.value, matchedBy: 'marker' })
  const [other] = posts
  return done(other ? { ...other, matchedBy: 'slug' } : null)
}

/** Commits a new file for an article. Refuses if a post has its slug. */
export const createPost = async (repo: Repo, article: CmsArticle): Promise<CmsResult<CmsPost>> => {
  const now = repo.deps.now()
  const pathFor = (layout: Layout) => filled(layout.path, { slug: article.slug, date: dateOf(article, now) })
  const sent = await sentOf(article, COMPLETE)
  const made = await changeFile(repo, pathFor, sent, async (file, setting) => {
    const { layout } = setting
    if (article.status === 'draft' && !layout.keys.draft)
      return misfit(
        'The posts of this repository have no key that makes a draft, so only live articles can be sent there.',
      )
    const taken = await pathsOf(repo.host, setting, article.slug)
    if (taken.kind !== 'got') return taken
    if (file || taken.value.length > 0)
      return refused('slug_taken', `The repository has ${file?.path ?? taken.value[0]} already.`, 409)
    const path = pathFor(layout)
    const change = { update: COMPLETE, before: undefined, isNew: true, now }
    const written = writeArticle(emptyFile(layout), path, article, layout, change)
    if ('problem' in written) return unreadable(path, written.problem)
    return 'conflict' in written
      ? conflictOf(path, written)
      : { text: written.text, verb: 'Publish', notes: written.notes }
  })
  if (made.kind !== 'got') return made
  const post = made.value.file && toPost(made.value.file, made.value.layout)
  return post
    ? done(withPull(post, made.value), made.value.notes)
    : misfit('The front matter of new posts cannot be read.')
}

const CHANGED = refused('changed', 'Somebody changed the file at the same moment. Nothing was committed.', 409, true)

/** Commits the changed lines of a post. Returns null if its file is gone. */
export const updatePost = async (
  repo: Repo,
  path: string,
  article: CmsArticle,
  update: CmsUpdate = COMPLETE,
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const now = repo.deps.now()
  const sent = await sentOf(article, update)
  const changed = await changeFile(repo, path, sent, async (file, setting) => {
    if (!file) return GONE
    if (seenAt !== undefined && file.id !== seenAt) return CHANGED
    const change = { update, before: update.before, isNew: false, now }
    const written = writeArticle(file.text, path, article, setting.layout, change)
    if ('problem' in written) return unreadable(path, written.problem)
    if ('text' in written) return { text: written.text, verb: 'Update', notes: written.notes }
    // A repeat of a change whose answer was lost.
    const isThere = await isCommitted(repo, setting, path, sent)
    if (isThere.kind !== 'got') return isThere
    return isThere.value ? { text: file.text, verb: 'Update' } : conflictOf(path, written)
  })
  if (changed === GONE) return done(null)
  return changed.kind === 'got' ? postIn(changed.value) : changed
}

/**
 * Looks whether a post has an update: writing it once more would change nothing, or the newest of our commits made it. Null: the file
 * is gone.
 */
export const hasUpdate = async (
  repo: Repo,
  path: string,
  article: CmsArticle,
  update: CmsUpdate,
): Promise<CmsResult<boolean | null>> => {
  const known = await repo.setting()
  if (known.kind !== 'got') return known
  const { repository, layout } = known.value
  const read = await repo.host.files(repository.head, [path])
  if (read.kind !== 'got') return read
  const [file] = read.value
  if (!file) return done(null)
  const change = { update, before: update.before, isNew: false, now: repo.deps.now() }
  const written = writeArticle(file.text, path, article, layout, change)
  if ('text' in written && written.text === file.text) return done(true)
  const isThere = await isCommitted(repo, known.value, path, await sentOf(article, update))
  return isThere.kind === 'got' ? done(isThere.value) : isThere
}

/** Returns the build of the site after the last commit to a post. */
export const buildOf = async ({ host, setting }: Repo, path: string): Promise<CmsResult<CmsBuild>> => {
  const known = await setting()
  if (known.kind !== 'got') return known
  const build = await host.build(known.value.repository.head, path)
  return build.kind === 'got' ? done(build.value) : build
}

/** Takes a post down: it becomes a draft, or its file is deleted. Returns null if the file is gone. */
export const unpublishPost = async (
  repo: Repo,
  path: string,
  { marker, page }: CmsArticle,
): Promise<CmsResult<CmsPost | null>> => {
  let before: RepositoryFile | undefined
  const changed = await changeFile(repo, path, { marker, page, delivery: TAKE_DOWN }, (file, { layout }) => {
    if (!file) return GONE
    before = file
    if (layout.unpublish === 'delete') return { text: null, verb: 'Unpublish' }
    const text = hidden(file.text, layout)
    return typeof text === 'string' ? { text, verb: 'Unpublish' } : unreadable(path, text.problem)
  })
  if (changed === GONE) return done(null)
  if (changed.kind !== 'got') return changed
  const { file, layout } = changed.value
  if (file || !before) return postIn(changed.value)
  const post = toPost(before, layout)
  return done(post ? withPull({ ...post, status: 'draft', url: null }, changed.value) : null)
}

const Version = z.object({ text: z.string() })
const MAX_VERSION = 1_000_000

export const readVersion = async ({ host, setting }: Repo, path: string): Promise<CmsResult<CmsVersion | null>> => {
  const known = await setting()
  if (known.kind !== 'got') return known
  const read = await host.files(known.value.repository.head, [path])
  if (read.kind !== 'got') return read
  const [file] = read.value
  if (!file) return done(null)
  if (file.text.length > MAX_VERSION) return misfit(`The file ${quotable(path)} is too large to be changed from here.`)
  return done({ text: file.text, words: wordsOf(file.text, known.value.layout), changedAt: file.id })
}

/** Commits a kept version of a post's file. Returns null if the file is gone. */
export const restoreVersion = async (
  repo: Repo,
  path: string,
  version: CmsVersion,
  { marker, page }: CmsOwner = { marker: 'rollback' },
  seenAt?: string,
): Promise<CmsResult<CmsPost | null>> => {
  const kept = Version.safeParse(version)
  if (!kept.success) return misfit('The kept version cannot be read.')
  const delivery = await restoredHash(kept.data)
  const changed = await changeFile(repo, path, { marker, page, delivery }, (file) => {
    if (!file) return GONE
    return seenAt !== undefined && file.id !== seenAt ? CHANGED : { text: kept.data.text, verb: 'Restore' }
  })
  if (changed === GONE) return done(null)
  return changed.kind === 'got' ? postIn(changed.value) : changed
}
