import { askAboutCall } from '../../../accounts/approvals/call.ts'
import type { ApprovalRow } from '../../../accounts/approvals/queries.ts'
import { listApprovals } from '../../../accounts/approvals/read.ts'
import { ApiError } from '../../../platform/lib/errors.ts'
import type { Ctx } from '../../../platform/runtime/ctx.ts'
import { NeedsApproval } from '../../../platform/runtime/needs-approval.ts'
import type { Crowdwork } from '../../../reach/crowdwork/port.ts'
import type { ProfileDeps } from '../../../reach/profile/connected.ts'
import type { PagesContext } from '../../front.tsx'
import type { Notice } from '../../notice.ts'
import { act, type SiteFront } from '../front.ts'

/** Dependencies of the pages on posts, reviews and crowdwork. They include the external services. */
export type ReachFront = SiteFront & ProfileDeps & { crowd: Crowdwork }

/**
 * Returns the result of a read. Throws `not_found` instead of `forbidden`, so the thing of another account looks like a
 * missing one.
 */
export const notFoundIfForbidden = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error
    throw new ApiError('not_found', 'There is no such thing on this site.')
  }
}

/** Returns the result of a verb; undefined if the call needs approval. It then requests the approval, as for a key's call. */
export const orAsk = async <T>(
  ctx: Ctx,
  call: { operation: string; input: object },
  work: () => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NeedsApproval)) throw error
    const { wanted } = error
    const input = wanted.body === undefined ? call.input : { ...call.input, body: wanted.body }
    await askAboutCall(ctx, { ...call, input }, wanted)
    return undefined
  }
}

/** Returns the waiting approvals of a site, by their subject. */
export const waitingOf = async (
  ctx: Ctx,
  project: number,
  kind: 'social_post' | 'review_reply',
): Promise<ReadonlyMap<string, ApprovalRow>> => {
  const { rows } = await listApprovals(ctx, { project_id: project, kind: [kind], status: ['awaiting'], limit: 200 })
  return new Map(rows.map((row) => [row.subject, row]))
}

/** Error after which the form is shown as the person filled it in. */
class Refused extends Error {
  readonly why: ApiError

  constructor(why: ApiError) {
    super(why.message)
    this.why = why
  }
}

/** Runs the work of a form, as `act` does. After a refusal, `stay` shows the form with the typed values. */
export const actOrShowForm = async (
  c: PagesContext,
  front: ReachFront,
  page: string,
  work: () => Promise<Notice | string>,
  stay: (why: ApiError) => Promise<Response>,
): Promise<Response> => {
  const working = async () => {
    try {
      return await work()
    } catch (error) {
      const isTheirs = error instanceof ApiError && error.code !== 'not_found' && error.code !== 'forbidden'
      throw isTheirs ? new Refused(error) : error
    }
  }
  try {
    return await act(c, front, page, working)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return await stay(error.why)
  }
}
