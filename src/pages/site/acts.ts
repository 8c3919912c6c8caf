import { ApiError } from '../../platform/lib/errors.ts'
import type { Front, PagesContext } from '../front.tsx'
import { backTo, type Notice } from '../notice.ts'
import { wordsOf } from '../words.ts'

/** Forms that a person may send a minute: as many as a key may make calls of the API. */
const ACTS = { name: 'people.acts', perMinute: 30 }

/** Counts one act of a person. False: they have had their acts of this minute. */
export const mayAct = async (c: PagesContext, { deps }: Front): Promise<boolean> =>
  (await deps.limiter.take(ACTS, String(c.get('person').accountId))).allowed

/**
 * Does what a form asks for, and leads back to its page with a word on how that ended. A refusal says why, and that nothing was
 * changed where that is so.
 */
export const act = async (
  c: PagesContext,
  front: Front,
  page: string,
  work: () => Promise<Notice | string>,
): Promise<Response> => {
  if (!(await mayAct(c, front)))
    return await backTo(c, front, page, { tone: 'bad', text: 'Too many tries. Wait a minute.' })
  try {
    const done = await work()
    return await backTo(c, front, page, typeof done === 'string' ? { tone: 'good', text: done } : done)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'not_found' || error.code === 'forbidden') throw error
    return await backTo(c, front, page, { tone: 'bad', text: wordsOf(error) })
  }
}
