import { strictReason } from '../../../publishing/adopt/rules.ts'
import type { Keeping, PublishOutcome, PublishRequest } from '../../../publishing/target/publish-target.ts'
import { madeUp } from './made-up.ts'

const UNKNOWN_TEXT = 'This update names a post that does not exist. The right answer is 404, and no post is made.'

/** Returns an update of a post that no receiver has. */
export const unknownPost = (id: string, now: Date): PublishRequest =>
  madeUp(
    { key: id, event: 'update_articles', origin: 'unknown' },
    { id, title: 'A post that does not exist', slug: id, external_id: id },
    { text: UNKNOWN_TEXT, description: '', at: now },
  )

const refused = (reason: string, retryable = false): PublishOutcome => ({ kind: 'refused', reason, retryable })

const NOT_HERE =
  'The post was adopted at another site or receiver, so its id and address are not known here. Nothing was sent. Release the article and adopt the post again.'
const NO_ANSWER =
  'The receiver gave no clear answer to an update of a post that does not exist. Nothing was sent of this one. Send the change again once the receiver answers 404 to it.'
const BEING_ASKED =
  'The receiver is being asked at this moment what it does with an update of a post that does not exist. Nothing was sent. Send the change again in a minute.'

/**
 * Returns the refusal to send a change of a post that the service did not make; undefined if it may be sent.
 *
 * The receiver must know which post is meant, and must have been seen to answer 404 if it has no such post.
 */
export const refuseAdopted = async (
  integrationId: number,
  { event, article }: PublishRequest,
  keeping: Keeping | undefined,
  ask: () => Promise<number | null>,
): Promise<PublishOutcome | undefined> => {
  const isKnown = article.external_id !== undefined && article.url !== undefined
  if (event !== 'update_articles' || !isKnown || !keeping?.unknownPost) return refused(NOT_HERE)
  const seen = await keeping.unknownPost(ask)
  if (seen === 404) return undefined
  if (seen === 'no_answer') return refused(NO_ANSWER, true)
  if (seen === 'being_asked') return refused(BEING_ASKED, true)
  return refused(strictReason(integrationId, seen))
}
