import { clip } from '../../../platform/lib/text.ts'
import type { CmsArticle, CmsFailure, CmsProposed, CmsPull, CmsResult } from '../../../publishing/target/cms-adapter.ts'
import { COMPLETE } from '../fields.ts'
import { done, type Got, got, refused } from '../http.ts'
import type { Pull, RepositoryFile } from './host.ts'
import { messageOf, type Repo, restoredHash, type Sent, sentOf, TAKE_DOWN, trailersFor } from './message.ts'
import type { Setting } from './setting.ts'

/** Branch of an article's changes. Each of its pull requests has this one, so that two are never open. */
const branchOf = (marker: string): string => marker.replace(/[^\w.-]+/g, '-').replace('-', '/')

type Change = { path: string; text: string | null; verb: string; sent: Sent; was: RepositoryFile | undefined }

const editedThere = (path: string, url: string): CmsFailure =>
  refused(
    'conflict',
    `Somebody changed ${path} in the pull request ${url}, so nothing was committed. Merge or close it, then send the article again.`,
    409,
  )

/** True if the newest change of a file on the branch is ours. */
const isOurs = async ({ host, deps }: Repo, { path, sent }: Change, head: string): Promise<Got<boolean>> => {
  const messages = await host.messages(head, path)
  if (messages.kind !== 'got') return messages
  return got(messages.value[0]?.includes(trailersFor(deps).article + sent.marker) === true)
}

/** Returns the description of a pull request. It has no words of the article: a squashed commit takes them over. */
const descriptionOf = ({ deps }: Repo, { path, sent }: Change, body: string): string =>
  [
    `This pull request of ${deps.serviceName} changes \`${path}\`. Merge it to publish the change. Close it to send the article back: the comments here are its feedback.`,
    ...(sent.page === undefined ? [] : [`The article: ${sent.page}`]),
    body,
  ].join('\n\n')

/**
 * Commits a file to the branch of its article and opens a pull request, unless one is open. Returns its address, or
 * `stale` if the branch moved meanwhile.
 *
 * A repeat finds the commit and the pull request of the call before.
 */
export const propose = async (
  repo: Repo,
  { repository, layout }: Setting,
  change: Change,
): Promise<Got<{ url: string } | 'stale'>> => {
  const { host, deps } = repo
  const { path, text, verb, sent, was } = change
  const found = await host.pulls.proposal(branchOf(sent.marker), layout.branch)
  if (found.kind !== 'got') return found
  const { branch, head, pull: newest } = found.value
  const open = newest?.state === 'open' && head !== undefined ? newest : undefined
  // A branch whose pull request was merged or closed begins anew.
  const isLeft = open === undefined && head === newest?.head
  const read = head === undefined || isLeft ? got([]) : await host.files(head, [path])
  if (read.kind !== 'got') return read
  const isSent = open?.lastMessage.includes(trailersFor(deps).delivery + sent.delivery) === true
  const isThere = isSent || (head !== undefined && !isLeft && (read.value[0]?.text ?? null) === text)
  const { headline, body } = messageOf(deps, verb, path, sent)
  if (!isThere) {
    const ours = open && head !== undefined ? await isOurs(repo, change, head) : got(true)
    if (ours.kind !== 'got') return ours
    if (!ours.value && open) return editedThere(path, open.url)
    const parent = open && head !== undefined ? head : repository.head
    const pointed = open ? got(undefined) : await host.pulls.point(found.value, parent)
    if (pointed.kind !== 'got') return pointed
    const committed = await host.commit({
      branch,
      head: parent,
      headline,
      body,
      path,
      text,
      was: open ? read.value[0] : was,
    })
    if (committed.kind !== 'got') return committed
    if (committed.value === 'stale') return got('stale')
  }
  if (!open) {
    const given = { base: layout.branch, title: headline, body: descriptionOf(repo, change, body) }
    const opened = await host.pulls.open(found.value, given)
    return opened.kind === 'got' && opened.value === 'exists' ? got('stale') : (opened as Got<{ url: string }>)
  }
  const isTakeDown = (title: string) => title.startsWith('Unpublish ')
  if (isTakeDown(open.title) !== isTakeDown(headline)) {
    const renamed = await host.pulls.rename(open, headline)
    if (renamed.kind !== 'got') return renamed
  }
  return got({ url: open.url })
}

const SAID = 4_000

const pullOf = (pull: Pull | undefined, isCurrent: boolean): CmsPull =>
  pull
    ? { state: pull.state, url: pull.url, said: clip(pull.said.join(' '), SAID), isCurrent }
    : { state: 'none', url: null, said: '', isCurrent }

/** Returns the hash that the commit of a change has. */
const deliveryOf = async (article: CmsArticle, change: CmsProposed): Promise<string> => {
  if (change.intent === 'take_down') return TAKE_DOWN
  if (change.intent === 'restore') return await restoredHash(change.version)
  return (await sentOf(article, change)).delivery
}

/** Returns the newest pull request of an article's changes. `isCurrent`: its newest commit has this change. */
export const pullFor = async (
  { host, deps, setting }: Repo,
  article: CmsArticle,
  change: CmsProposed = COMPLETE,
): Promise<CmsResult<CmsPull>> => {
  const known = await setting()
  if (known.kind !== 'got') return known
  const found = await host.pulls.proposal(branchOf(article.marker), known.value.layout.branch)
  if (found.kind !== 'got') return found
  const newest = found.value.pull
  const delivery = await deliveryOf(article, change)
  const isCurrent = newest?.lastMessage.includes(trailersFor(deps).delivery + delivery) === true
  return done(pullOf(newest, isCurrent))
}

/** Closes the open pull request of an article with a comment and deletes its branch. Returns the pull request as it was. */
export const closePull = async (
  { host, setting }: Repo,
  marker: string,
  comment: string,
): Promise<CmsResult<CmsPull>> => {
  const known = await setting()
  if (known.kind !== 'got') return known
  const found = await host.pulls.proposal(branchOf(marker), known.value.layout.branch)
  if (found.kind !== 'got') return found
  const newest = found.value.pull
  const closed =
    newest?.state === 'open'
      ? await host.pulls.close(found.value, newest, comment)
      : await host.pulls.deleteBranch(found.value)
  return closed.kind === 'got' ? done(pullOf(newest, false)) : closed
}
