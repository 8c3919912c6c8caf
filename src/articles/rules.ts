import { type Positioned, standingOf } from './transitions.ts'

/** Content of this many characters, as sent, makes a planned article the caller's own. */
const CLAIM_CHARACTERS = 2_000
/** How long before its date the writer takes a planned article that nobody claimed, ms. */
const CLAIM_WINDOW_MS = 72 * 3_600_000

/** Whether content, as sent, is long enough to be the caller's own article: the writer leaves a planned one alone then. */
export const isOwnText = (content: string): boolean => content.length >= CLAIM_CHARACTERS

/** Whether saved content claims a planned article, with the sentence for the caller when it does not. */
export const claimOf = (content: string): { claimed: boolean; claim_note?: string } =>
  isOwnText(content)
    ? { claimed: true }
    : {
        claimed: false,
        claim_note: `Content of ${content.length} characters was saved but does not claim the article: that takes ${CLAIM_CHARACTERS} or more.`,
      }

type Claimable = Positioned & { scheduledAt: Date | null; claimedAt: Date | null; writtenAt: Date | null }

const HOW = `save content of ${CLAIM_CHARACTERS} or more characters with PUT /articles/:id`

const plannedNote = (article: Claimable, by: Date | null, writer: boolean, now: Date): string => {
  if (article.claimedAt !== null)
    return 'The article is yours: it is published as you saved it, and may still be changed.'
  if (!writer) return `The plan has no writer: ${HOW} before the date; an empty article is not published.`
  if (article.writtenAt !== null)
    return `The service has written the article. To put your own text in its place, ${HOW}.`
  if (by === null) return `The article has no date yet, so the writer does not take it. To write it yourself, ${HOW}.`
  if (by > now)
    return `To write the article yourself, ${HOW} before claim_by; after that the service’s writer may take it.`
  return `The service’s writer may take the article at any moment. Until then you can still claim it: ${HOW} now.`
}

const OTHER_NOTES = {
  Draft: 'A draft needs no claim: nobody else writes it. Save it with PUT /articles/:id.',
  Generating: 'The service is writing the article at this moment; it can be changed when that has ended.',
  Publishing: 'The article is being published at this moment.',
  Published: 'The article is published. Send edits with POST /articles/:id/sync.',
  Syncing: 'The article is published. Send edits with POST /articles/:id/sync.',
}

/**
 * What the brief says of the claim: a planned article may be claimed until the writer takes it, which it does from 72 hours
 * before the date on; on plans without the `writer` at any time.
 */
export const claimOffer = (article: Claimable, writer: boolean, now: Date) => {
  const standing = standingOf(article, now)
  const by = article.scheduledAt && new Date(article.scheduledAt.getTime() - CLAIM_WINDOW_MS)
  return {
    claimable: standing === 'Planned',
    claim_by: by?.toISOString() ?? null,
    claimed: article.claimedAt !== null,
    note: standing === 'Planned' ? plannedNote(article, by, writer, now) : OTHER_NOTES[standing],
  }
}
