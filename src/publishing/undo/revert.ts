import { sql } from 'drizzle-orm'
import { removeArticle } from '../../content/articles/delete.ts'
import type { UpdateArticleInput } from '../../content/articles/operations.ts'
import { moveOf } from '../../content/articles/transitions.ts'
import { saveFields } from '../../content/articles/update.ts'
import { rejectSuggestion } from '../../insights/suggestions/decide.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { type Ctx, KEEPS_NOTHING } from '../../platform/runtime/ctx.ts'
import { deletePost } from '../../reach/social/posts.ts'
import { releaseArticle } from '../adopt/release.ts'
import type { SyncArticleInput } from '../live/operations.ts'
import { rollbackArticle } from '../live/rollback.ts'
import { syncArticle } from '../live/sync.ts'
import { unpublishArticle } from '../live/unpublish.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import { callOffDeliveries } from '../writes.ts'
import { contentAtRevision, sentBefore, versionKept } from './queries.ts'
import { type Entry, idIn, type Step, valuesBefore } from './rules.ts'

type WordsRow = Awaited<ReturnType<typeof contentAtRevision>>[number] | undefined

const wordsOf = (row: WordsRow) =>
  row && {
    title: row.title,
    meta_description: row.metaDescription,
    content: row.content,
    ...(row.featureImage === null ? {} : { feature_image: row.featureImage, alt_text: row.altText ?? '' }),
    ...(row.fields === null ? {} : { fields: row.fields }),
  }

/** Restores an article to its state before the oldest of some changes, in one save. */
const restore = async (ctx: Ctx, articleId: number, entries: readonly Entry[]) => {
  const oldest = entries.at(-1)
  if (!oldest) return
  const { revision } = oldest.detail.before as { revision: number }
  const [words] = await ctx.read(() => contentAtRevision(ctx.db, articleId, sql`${revision}::int`))
  const input = { ...wordsOf(words), ...valuesBefore(entries) } as UpdateArticleInput
  await saveFields(ctx, articleId, input, moveOf(input))
}

/**
 * Returns what the site received before a delivery, and the article's text of that time; no text if it is unchanged
 * since.
 */
const sentAndWords = async (ctx: Ctx, articleId: number, { subject }: Entry) => {
  const { rows } = await ctx.read(() => sentBefore(ctx.db, articleId, idIn(subject)))
  const [sent] = rows
  const [words] = sent ? await ctx.read(() => contentAtRevision(ctx.db, articleId, sql`${sent.revision}::int`)) : []
  return { sent, words }
}

/**
 * Restores an article that was taken down to its content before some syncs, and returns the names of the restored
 * fields. Rollbacks did not change the article itself.
 */
const restoreSent = async (ctx: Ctx, articleId: number, entries: readonly Entry[]): Promise<readonly string[]> => {
  const oldest = entries.findLast(({ action }) => action === 'article.sync')
  if (!oldest) return []
  const { sent, words } = await sentAndWords(ctx, articleId, oldest)
  if (!sent) return []
  const { tags, category, seo_title = '', canonical_url = '' } = sent.payload
  const input = { ...wordsOf(words), tags, category, seo_title, canonical_url } as UpdateArticleInput
  await saveFields(ctx, articleId, input, moveOf(input))
  return Object.keys(input)
}

/** Ways to undo a change at the site: put back a kept version, or send the earlier content again. */
type WayBack = { version: number } | { edits: SyncArticleInput }

/** Returns the version that the site showed before a change. Throws `nothing_to_roll_back` if it was not kept. */
const versionBefore = async (ctx: Ctx, articleId: number, { at }: Entry): Promise<WayBack> => {
  const { rows } = await ctx.read(() => versionKept(ctx.db, articleId, at))
  const [version] = rows
  if (!version)
    throw new ApiError('nothing_to_roll_back', 'What the site showed before the change is no longer stored.', {
      next_calls: [{ method: 'GET', path: `/articles/${articleId}/revisions`, why: 'Lists the versions saved here.' }],
    })
  return { version: version.id }
}

/** Returns how a change of a live article is undone. A sync that only sent the same text again is rolled back. */
const wayBack = async (ctx: Ctx, verb: 'resend' | 'roll_back', articleId: number, oldest: Entry): Promise<WayBack> => {
  if (verb === 'roll_back') return await versionBefore(ctx, articleId, oldest)
  const { sent, words } = await sentAndWords(ctx, articleId, oldest)
  if (!sent || !words) return await versionBefore(ctx, articleId, oldest)
  const { tags, category, seo_title = '', canonical_url = '' } = sent.payload
  return { edits: { ...wordsOf(words), tags, category, seo_title, canonical_url } as SyncArticleInput }
}

/** Returns the names of the fields that are sent again. */
const fieldsSent = (way: WayBack): readonly string[] => ('edits' in way ? Object.keys(way.edits) : [])

/** Throws if a step is known to be impossible. Changes nothing. Returns the names of the fields that it would send again. */
export const checkStep = async (ctx: Ctx, { verb, entries, ...step }: Step): Promise<readonly string[]> => {
  const oldest = entries.at(-1)
  if (oldest && 'articleId' in step && (verb === 'resend' || verb === 'roll_back'))
    return fieldsSent(await wayBack(ctx, verb, step.articleId, oldest))
  return []
}

/**
 * Puts back a kept version, or sends the earlier content again. Throws `edit_conflict` if a person must approve it
 * first.
 */
const goBack = async (ctx: Ctx, targets: TargetFactory, articleId: number, activity: WayBack): Promise<void> => {
  if ('version' in activity) {
    await rollbackArticle(ctx, targets, articleId, { version_id: activity.version })
    return
  }
  const { edits } = activity
  const { status, error } = await syncArticle(ctx, targets, articleId, edits, { whole: true })
  // The project's policy requires a person's approval first.
  if (status === 'awaiting_approval')
    throw new ApiError('edit_conflict', String(error), {
      next_calls: [{ method: 'GET', path: `/articles/${articleId}`, why: 'Shows whether it was approved.' }],
    })
}

/**
 * Runs the verb that undoes some changes, and returns the names of fields it sent again. Its audit entry names the changes in
 * `undoes`. Throws what the verb throws.
 */
export const revertStep = async (outer: Ctx, targets: TargetFactory, step: Step): Promise<readonly string[]> => {
  const undoes = step.entries.map(({ id }) => id)
  const ctx: Ctx = { ...outer, ...KEEPS_NOTHING, ifMatch: undefined, undoes }
  const oldest = step.entries.at(-1)
  if (step.verb === 'unpublish') await unpublishArticle(ctx, targets, step.articleId)
  else if (step.verb === 'delete') await removeArticle(ctx, step.articleId, callOffDeliveries)
  else if (step.verb === 'release') await releaseArticle(ctx, step.articleId)
  else if (step.verb === 'restore') await restore(ctx, step.articleId, step.entries)
  else if (step.verb === 'restore_sent') return await restoreSent(ctx, step.articleId, step.entries)
  else if (step.verb === 'delete_post') await deletePost(ctx, step.postId)
  else if (step.verb === 'reject') await rejectSuggestion(ctx, step.suggestionId, 'Taken back.')
  else if (oldest) {
    const way = await wayBack(ctx, step.verb, step.articleId, oldest)
    await goBack(ctx, targets, step.articleId, way)
    return fieldsSent(way)
  }
  return []
}
