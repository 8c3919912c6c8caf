import {
  CMS_FIELDS,
  type Cms,
  type CmsArticle,
  type CmsFailure,
  type CmsFound,
  type CmsOwner,
  type CmsPost,
  type CmsUpdate,
  type CmsVersion,
  type CmsWords,
} from '../../publishing/target/cms-adapter.ts'
import type {
  FindOutcome,
  Keeping,
  PublishOutcome,
  PublishRequest,
  UpdateSeen,
} from '../../publishing/target/publish-target.ts'
import type { SentWords } from '../../publishing/target/sent-words.ts'
import { sends } from './fields.ts'
import { acceptedOf, failureOf, GONE, hiddenNote, notMade, proposedAt, readerNotes, withWords } from './outcomes.ts'
import { hasOwnWords, isThereAlready, overwrittenNotes, rollbackReplacedNotes } from './overwritten.ts'
import { shownOf } from './shown-update.ts'

/** Returns the purpose of a request's update. */
export const updateOf = ({ isChange, only }: PublishRequest): CmsUpdate => ({
  intent: isChange ? 'change' : 'complete',
  ...(only ? { only } : {}),
})

/** Returns an update with the texts that arrived last, if the adapter merges. */
const withSent = (cms: Cms, update: CmsUpdate, sent: readonly SentWords[]): CmsUpdate => {
  const before = cms.hasUpdate && sent.find(({ arrived }) => arrived !== false)
  return before ? { ...update, before } : update
}

type Shown = {
  kind: 'read'
  version: CmsVersion | null
  words: CmsWords
  stored?: CmsVersion['stored']
  changedAt?: string | undefined
}

const OLD_READ: CmsFailure = {
  kind: 'refused',
  code: 'cached',
  reason:
    'The site returned an older version of the post than a moment before, so a cache answers in front of it. Nothing was changed. Exclude the API from that cache.',
  retryable: true,
}

/**
 * Returns the post's present content. If this fails, nothing has been changed.
 *
 * A version from before `notBefore`, the time of change that another answer had, is refused: its words may be outdated.
 */
const readShown = async (
  cms: Cms,
  remoteId: string,
  { known, notBefore }: { known?: CmsVersion | undefined; notBefore?: string | undefined } = {},
): Promise<Shown | CmsFailure> => {
  const shown = known || !cms.read ? undefined : await cms.read(remoteId)
  if (shown && shown.kind !== 'done') return shown
  const { words = {}, stored, changedAt, ...version } = known ?? shown?.value ?? {}
  if (changedAt !== undefined && notBefore !== undefined && changedAt < notBefore) return OLD_READ
  return { kind: 'read', version: Object.keys(version).length > 0 ? version : null, words, stored, changedAt }
}

/** True if an update replaces the text of a post that the service did not make. */
const isSpliced = (request: PublishRequest): boolean => request.isAdopted === true && sends(updateOf(request), 'html')

type Kept = {
  kind: 'kept'
  notes: readonly string[]
  /** Texts that were sent before. */
  sent: readonly SentWords[]
  stored?: CmsVersion['stored']
  seenAt?: string | undefined
}

/**
 * Stores the version that an update will replace, and returns warnings about words that people wrote at the site.
 *
 * A post that readers never saw is stored only if it has such words.
 */
const keepReplaced = async (
  cms: Cms,
  { remoteId, status, version, changedAt: notBefore }: CmsFound,
  request: PublishRequest,
  keeping: Keeping | undefined,
): Promise<Kept | CmsFailure> => {
  if (!keeping) return { kind: 'kept', notes: [], sent: [] }
  const [shown, before] = await Promise.all([
    readShown(cms, remoteId, { known: version, notBefore }),
    keeping.sentBefore(),
  ])
  if (shown.kind !== 'read') return shown
  const canRestore = cms.restore !== undefined && request.article.status === 'Published'
  // The words of a post that is changed in parts stay, or the change is refused.
  const update = isSpliced(request) ? withoutText(updateOf(request)) : updateOf(request)
  const notes = overwrittenNotes(shown.words, request.article, before, { update, canRestore })
  const isSeen = status === 'published' || request.isChange
  const isReplaced = (isSeen || notes.length > 0) && !isThereAlready(shown.words, request.article, before, update)
  if (shown.version && isReplaced) await keeping.version(shown.version)
  return { kind: 'kept', notes, sent: before, stored: shown.stored, seenAt: shown.changedAt }
}

const withoutText = (update: CmsUpdate): CmsUpdate => ({
  ...update,
  only: (update.only ?? CMS_FIELDS).filter((field) => field !== 'html'),
})

const NO_TEXT: PublishOutcome = {
  kind: 'refused',
  reason: 'The site does not return the stored text of the post, so it is not changed in parts. Nothing was changed.',
  retryable: false,
}

/** Returns the article with the stored text of its post, changed in parts. */
const spliced = async (
  article: CmsArticle,
  request: PublishRequest,
  stored: CmsVersion['stored'],
  keeping: Keeping | undefined,
): Promise<{ kind: 'ready'; article: CmsArticle } | PublishOutcome> => {
  if (!isSpliced(request)) return { kind: 'ready', article }
  if (!stored || !keeping?.splice) return NO_TEXT
  const result = await keeping.splice(stored, request.article.content_html)
  if (result.kind === 'spliced')
    return { kind: 'ready', article: { ...article, stored: { from: stored.text, to: result.text } } }
  return { kind: 'refused', reason: `${result.reason} Nothing was changed at the site.`, retryable: false }
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  )
}

/** True if two values have the same JSON, whatever the order of their fields. */
const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** Looks whether the post is exactly as a version. */
export const hasVersionAt = async (cms: Cms, remoteId: string, version: CmsVersion): Promise<FindOutcome> => {
  const shown = await readShown(cms, remoteId)
  if (shown.kind !== 'read') return { kind: 'unsure', reason: shown.reason }
  return isSameJson(shown.version, version) ? { kind: 'found', remoteId } : { kind: 'absent', remoteId }
}

/** Looks whether the post has the words of an update, or still those that arrived before it. */
export const hasUpdateAt = async (
  cms: Cms,
  { remoteId, article }: { remoteId: string; article: CmsArticle },
  request: PublishRequest,
  keeping: Keeping,
): Promise<UpdateSeen> => {
  if (cms.hasUpdate) {
    const known = await cms.hasUpdate(remoteId, article, withSent(cms, updateOf(request), await keeping.sentBefore()))
    if (known.kind !== 'done') return { kind: 'unsure', reason: known.reason }
    return { kind: known.value ? 'found' : 'absent', remoteId }
  }
  const [shown, sent] = await Promise.all([readShown(cms, remoteId), keeping.sentBefore()])
  if (shown.kind !== 'read') return { kind: 'unsure', reason: shown.reason }
  const before = sent.find(({ arrived }) => arrived !== false)
  const { stored } = shown
  if (isSpliced(request) && stored) {
    const isThere = async (html: string): Promise<boolean> => {
      const result = await keeping.splice?.(stored, html)
      return result?.kind === 'spliced' && result.text === stored.text
    }
    if (await isThere(request.article.content_html)) return { kind: 'found', remoteId }
    return before && (await isThere(before.content_html)) ? { kind: 'absent', remoteId } : { kind: 'undecided' }
  }
  const seen = shownOf(shown.words, request.article, before, updateOf(request))
  if (seen === 'neither') return { kind: 'undecided' }
  return seen === 'update' ? { kind: 'found', remoteId } : { kind: 'absent', remoteId }
}

/** Number of times a post is read and written if people change it in between. */
const TRIES = 2

type Changed = { kind: 'changed'; post: CmsPost | null; notes: readonly string[] }

/**
 * Changes a post in place, after storing the version that readers see. Returns null for a post that is gone.
 *
 * If nothing was changed, the stored version is dropped again.
 */
export const changeAt = async (
  cms: Cms,
  found: CmsFound,
  article: CmsArticle,
  request: PublishRequest,
  keeping: Keeping | undefined,
  tries = TRIES,
): Promise<Changed | PublishOutcome> => {
  const kept = await keepReplaced(cms, found, request, keeping)
  if (kept.kind !== 'kept') return notMade(kept)
  const ready = await spliced(article, request, kept.stored, keeping)
  if (ready.kind !== 'ready') {
    await keeping?.dropVersion()
    return ready
  }
  const update = withSent(cms, updateOf(request), kept.sent)
  const changed = await cms.update(found.remoteId, ready.article, update, kept.seenAt)
  if (changed.kind === 'unknown') return failureOf(withWords(changed, kept.notes))
  if (changed.kind === 'done')
    return { kind: 'changed', post: changed.value, notes: [...kept.notes, ...(changed.notes ?? [])] }
  if (!changed.wasWritten) await keeping?.dropVersion()
  const { version: _, ...unread } = found
  return changed.code === 'changed' && tries > 1
    ? await changeAt(cms, unread, article, request, keeping, tries - 1)
    : failureOf(changed)
}

const NOTHING_READ: Shown = { kind: 'read', version: null, words: {} }

/**
 * Restores a stored version after storing the one it replaces. Warns about people's words that the rollback replaced.
 *
 * If the post has that version already, as after a lost answer, there is nothing to store.
 */
export const restoreAt = async (
  cms: Cms,
  remoteId: string,
  version: CmsVersion,
  of: CmsOwner,
  keeping: Keeping | undefined,
  tries = TRIES,
): Promise<PublishOutcome> => {
  const [shown, sent] = keeping
    ? await Promise.all([readShown(cms, remoteId), keeping.sentBefore('lately')])
    : [NOTHING_READ, []]
  if (shown.kind !== 'read') return notMade(shown)
  if (shown.version && !isSameJson(shown.version, version)) await keeping?.version(shown.version)
  const isAtStake = hasOwnWords(shown.words, sent)
  const notesAfter = (after: CmsWords) => (isAtStake ? rollbackReplacedNotes(shown.words, sent, after) : [])
  const restored = await cms.restore?.(remoteId, version, of, shown.changedAt)
  if (!restored || (restored.kind === 'done' && restored.value === null)) return GONE
  if (restored.kind === 'unknown') return failureOf(withWords(restored, notesAfter({})))
  if (restored.kind !== 'done') {
    if (!restored.wasWritten) await keeping?.dropVersion()
    const isAgain = restored.code === 'changed' && tries > 1
    return isAgain ? await restoreAt(cms, remoteId, version, of, keeping, tries - 1) : failureOf(restored)
  }
  const post = restored.value as CmsPost
  if (post.mergeAt !== undefined) return proposedAt(post.mergeAt)
  const after = isAtStake ? await readShown(cms, remoteId) : undefined
  const lost = notesAfter(after?.kind === 'read' ? after.words : {})
  const notes = [...lost, ...(restored.notes ?? []), ...readerNotes(post)]
  if (post.status === 'published') return acceptedOf(post, notes)
  return { ...acceptedOf(post, [...notes, hiddenNote(post)]), isHidden: true }
}
