import { and, eq, exists } from 'drizzle-orm'
import { adoptions } from '../../../schema/adopted.ts'
import { when } from '../../platform/db/steps.ts'
import { audit } from '../../platform/db/writes.ts'
import { type JobResult, shownReason } from '../../platform/jobs/job.ts'
import { ApiError } from '../../platform/lib/errors.ts'
import { hasCallsLeft } from '../../platform/lib/request-scope.ts'
import type { Ctx } from '../../platform/runtime/ctx.ts'
import type { TargetRow } from '../target/open.ts'
import type { TargetFactory } from '../target/publish-target.ts'
import type { PostRef } from '../target/site-posts.ts'
import { adoptFound, readFoundPost } from './adopt.ts'
import { articlesOfPosts, runningAdoption } from './queries.ts'
import { notRead } from './rules.ts'
import { postsAt, type SiteTarget, siteKey } from './site-posts.ts'

type Adoption = typeof adoptions.$inferSelect
type Progress = Pick<Adoption, 'cursor' | 'position' | 'adopted' | 'known' | 'refused' | 'problems'>

/** Returns the columns of an adoption that its runs change. */
const pick = ({ cursor, position, adopted, known, refused, problems }: Progress): Progress => ({
  cursor,
  position,
  adopted,
  known,
  refused,
  problems,
})

/** Time after which a run saves its progress and leaves the rest to the next one. It is well within the lease of a run. */
const RUN_MS = 20_000
/** Most calls to other Workers for one post. */
const CALLS_OF_POST = 4

/** Number of refused posts that are named. */
const NAMED = 100

/** Codes of refusals that concern one post, and not the site or the project. */
const OF_POST = ['cms_rejected', 'not_found']
/** Those of a page, which may be away while others are there. */
const OF_PAGE = [...OF_POST, 'provider_unavailable']

/** Saves the progress of an adoption, and its end if it has one. */
const save = async (
  ctx: Ctx,
  { id, accountId, projectId }: Adoption,
  progress: Progress,
  end?: { error: string | null },
) => {
  const itself = and(eq(adoptions.id, id), eq(adoptions.state, 'running'))
  const isOpen = exists(ctx.db.select({ id: adoptions.id }).from(adoptions).where(itself))
  const ended = end && ({ state: end.error === null ? 'done' : 'stopped', error: end.error } as const)
  const { adopted, known, refused } = progress
  await ctx.batch(
    {
      row: ctx.db.select({ id: adoptions.id }).from(adoptions).where(itself).for('no key update'),
      ...(end
        ? when(isOpen, {
            audit: audit(ctx, {
              account: accountId,
              action: 'project.adopted',
              on: ['project', projectId],
              detail: { adoption_id: id, adopted, known, refused, error: end.error },
            }),
          })
        : {}),
      saved: ctx.db
        .update(adoptions)
        .set({ ...progress, ...ended, updatedAt: ctx.now() })
        .where(itself),
    },
    end ? undefined : { unaudited: 'a step of the adoption; each article and its end are audited' },
  )
}

type Page = { ids: string[]; next: string | null }

/** Returns the posts of the page that is being adopted: those of the caller, or the published ones of a page of the site. */
const pageOf = async (ctx: Ctx, targets: TargetFactory, row: TargetRow, adoption: Adoption): Promise<Page> => {
  if (adoption.postIds) return { ids: adoption.postIds, next: null }
  const listed = await (await postsAt(ctx, targets, row)).list(adoption.cursor)
  if (listed.kind !== 'done') throw notRead(row.platform, listed)
  const { posts, next } = listed.value
  return { ids: posts.filter(({ status }) => status === 'published').map(({ postId }) => postId), next }
}

const countedAs = (progress: Progress, { postId, isPage }: Wanted, error: unknown): Progress => {
  if (!(error instanceof ApiError) || !(isPage ? OF_PAGE : OF_POST).includes(error.code)) throw error
  const { problems, refused } = progress
  const named = problems.length < NAMED ? [...problems, { post_id: postId, reason: error.message }] : problems
  return { ...progress, refused: refused + 1, problems: named }
}

/** Post to adopt. `isPage`: the site returns no posts, so its page is read. */
type Wanted = { postId: string; isPage: boolean }

/** Returns the reference of a post that the caller named by its id or its address. */
const refOf = (named: string): PostRef => (/^https?:\/\//i.test(named) ? { url: named } : { postId: named })

/** Adopts one post, and returns the progress with it. Throws if the site or the project does not allow any. */
const adoptOne = async (
  ctx: Ctx,
  targets: TargetFactory,
  { row, projectId, progress }: { row: SiteTarget; projectId: number; progress: Progress },
  postId: string,
): Promise<Progress> => {
  try {
    const post = await readFoundPost(ctx, targets, row, refOf(postId))
    const { status } = await adoptFound(ctx, { projectId, row, post })
    return status === 201 ? { ...progress, adopted: progress.adopted + 1 } : { ...progress, known: progress.known + 1 }
  } catch (error) {
    return countedAs(progress, { postId, isPage: row.platform === 'webhook' }, error)
  }
}

const REPLACED = 'The site is not connected to the project any more. Connect it, then send the same call again.'

/**
 * Adopts posts of a running adoption for a while, and comes back until all are handled.
 *
 * A post that was adopted before a crash is known then, so none becomes two articles. If the site does not answer, the run is
 * repeated later. The plan's maximum stops the adoption.
 */
export const continueAdoption = async (ctx: Ctx, targets: TargetFactory, id: number): Promise<JobResult> => {
  const [found] = await ctx.read((owner) => runningAdoption(ctx.db, owner, id))
  if (!found) return { kind: 'done' }
  const { adoption, row: target, site } = found
  const row = target && { ...target, site }
  const { projectId } = adoption
  let progress = pick(adoption)
  if (!row || row.id !== adoption.integrationId) {
    await save(ctx, adoption, progress, { error: REPLACED })
    return { kind: 'done' }
  }
  const until = ctx.now().getTime() + RUN_MS
  try {
    const { ids, next } = await pageOf(ctx, targets, row, adoption)
    const known = await ctx.read(() => articlesOfPosts(ctx.db, projectId, siteKey(row), ids))
    const articles = new Set(known.map(({ postId }) => postId))
    for (const postId of ids.slice(adoption.position)) {
      const isFirst = postId === ids[adoption.position]
      if (!isFirst && (ctx.now().getTime() > until || !hasCallsLeft(CALLS_OF_POST))) break
      progress = articles.has(postId)
        ? { ...progress, known: progress.known + 1 }
        : await adoptOne(ctx, targets, { row, projectId, progress }, postId)
      progress = { ...progress, position: progress.position + 1 }
    }
    const isPageDone = progress.position >= ids.length
    if (isPageDone && next === null) {
      await save(ctx, adoption, progress, { error: null })
      return { kind: 'done' }
    }
    await save(ctx, adoption, isPageDone ? { ...progress, cursor: next, position: 0 } : progress)
    return { kind: 'later', at: ctx.now() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isOver = error.code === 'adoption_limit' || !error.retryable
    await save(ctx, adoption, progress, isOver ? { error: error.message } : undefined)
    return isOver ? { kind: 'done' } : { kind: 'again', reason: error.code }
  }
}

const GAVE_UP =
  'The site did not answer for a long time. Send the same call again: posts that are articles already stay as they are.'

/** Stops an adoption whose job was given up, with the reason. */
export const giveUpAdoption = async (ctx: Ctx, id: number, reason: string): Promise<void> => {
  const error = shownReason(reason, GAVE_UP)
  const [found] = await ctx.read((owner) => runningAdoption(ctx.db, owner, id))
  if (found) await save(ctx, found.adoption, pick(found.adoption), { error })
}
