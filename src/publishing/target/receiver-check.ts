import type { CheckEvent, PublishOutcome, Rehearsal } from './publish-target.ts'

/** Events in the order they are shown. */
const CHECK_EVENTS: readonly CheckEvent[] = ['good', 'duplicate', 'reordered', 'late', 'forged']

/** Grade of one event: the request, the receiver's answer, the verdict and advice. */
export type Grade = {
  event: CheckEvent
  sent: string
  answered: string
  verdict: 'right' | 'wrong' | 'unknown'
  advice: string
}

const SENT: Record<CheckEvent, string> = {
  good: 'A good event: signed, with a sample article',
  duplicate: 'The same event again, as after an answer that was lost',
  reordered: 'An older version of the article after a newer one',
  late: 'A signed event that says it was sent ten minutes ago',
  forged: 'An event signed with another secret',
}

const ADVICE: Record<CheckEvent, string> = {
  good: 'Compare the token and the signing secret with those shown when the receiver was connected. Answer a test event with 200 and keep no post.',
  duplicate: 'Answer an event with a known Idempotency-Key like the first time, with 200, and make no second post.',
  reordered: 'Answer 200 and keep the newer text: compare updated_at with what you have.',
  late: 'Refuse a webhook-timestamp that is more than five minutes off, with 401. Otherwise anybody can send an old event again.',
  forged:
    'Check webhook-signature over the body as it arrived, and answer 401 if it does not match. Otherwise anybody can post to your site.',
}

/** Statuses that show nothing about the event itself: the receiver was too busy. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([408, 425, 429])

/** True for the events that a receiver must refuse. */
const isToBeRefused = (event: CheckEvent): boolean => event === 'late' || event === 'forged'

const verdictOf = (event: CheckEvent, outcome: PublishOutcome, takesGood: boolean): Grade['verdict'] => {
  const { kind, httpStatus: status } = outcome
  if (status === undefined || SAYS_NOTHING.has(status)) return event === 'good' ? 'wrong' : 'unknown'
  if (!isToBeRefused(event)) {
    if (kind !== 'accepted') return 'wrong'
    return outcome.isUnclear ? 'unknown' : 'right'
  }
  if (kind === 'accepted' || status < 400 || status >= 500) return 'wrong'
  // A receiver that refuses everything does not prove that it checks signature and time.
  return takesGood ? 'right' : 'unknown'
}

const NO_ANSWER = 'Check the address, and that the receiver runs and can be reached from outside.'
const UNSENT = 'It was not sent, because the good event got no answer.'
const UNCLEAR =
  'Answer a success without words of failure anywhere, such as {"success": true, "published_url": "…"}. Otherwise a person has to look after each delivery.'
const UNPROVEN = 'It refuses the good event too, so this shows nothing. Repair that first.'

/** Returns how an answer is read: done, unclear or refused, with the post that it names. */
const answeredOf = (outcome: PublishOutcome): string => {
  if (outcome.kind !== 'accepted')
    return outcome.httpStatus === undefined ? outcome.reason : `Read as refused: ${outcome.reason}`
  const { httpStatus, url, remoteId, isUnclear, notes = [] } = outcome
  const post = url === undefined ? 'no address of the post' : `the post’s address ${url}`
  const id = remoteId === undefined ? '' : ` and its id ${remoteId}`
  const reading = isUnclear ? 'unclear' : 'done'
  return [`It accepted the event (HTTP ${httpStatus}). Read as ${reading}, with ${post}${id}.`, ...notes].join(' ')
}

const adviceFor = (
  event: CheckEvent,
  outcome: PublishOutcome,
  verdict: Grade['verdict'],
  takesGood: boolean,
): string => {
  if (verdict === 'right') return ''
  if (outcome.httpStatus === undefined) return NO_ANSWER
  if (!isToBeRefused(event) && outcome.kind === 'accepted') return UNCLEAR
  return isToBeRefused(event) && !takesGood && verdict === 'unknown' ? UNPROVEN : ADVICE[event]
}

/**
 * Returns the grade of every event of a check.
 *
 * Test events make no post, so a grade covers only how the receiver answers.
 */
export const gradesOf = (rehearsal: Rehearsal): Grade[] =>
  CHECK_EVENTS.map((event) => {
    const outcome = rehearsal[event]
    const base = { event, sent: SENT[event] }
    if (!outcome) return { ...base, answered: UNSENT, verdict: 'unknown', advice: '' }
    const takesGood = rehearsal.good?.kind === 'accepted'
    const verdict = verdictOf(event, outcome, takesGood)
    return { ...base, answered: answeredOf(outcome), verdict, advice: adviceFor(event, outcome, verdict, takesGood) }
  })
