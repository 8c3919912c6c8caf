import { type Positioned, standingOf } from './transitions.ts'

/** Longest content stored, characters. */
export const MAX_CONTENT = 500_000
/** Content of this many characters, as sent, makes a planned article the caller's own. */
export const OWN_CHARACTERS = 2_000
/** Time before its date at which the writer claims a planned article that nobody claimed, ms. */
const CLAIM_WINDOW_MS = 72 * 3_600_000

/** True if content, as sent, is long enough to be the caller's own article: the writer leaves a planned one alone then. */
export const isOwnText = (content: string): boolean => content.length >= OWN_CHARACTERS

/** Returns the reason for which content that was saved with a planned article does not claim it. */
export const claimNoteOf = (content: string): string =>
  isOwnText(content)
    ? 'The content shows nothing, neither text nor a picture, so it does not claim the article.'
    : `Content of ${content.length} characters was saved but does not claim the article: that takes ${OWN_CHARACTERS} or more.`

/** Until when an article with this date can certainly be claimed; undefined when the writer may take it at any moment. */
export const claimBy = (scheduledAt: Date, now: Date): Date | undefined => {
  const by = new Date(scheduledAt.getTime() - CLAIM_WINDOW_MS)
  return by > now ? by : undefined
}

type Claimable = Positioned & {
  id: number
  scheduledAt: Date | null
  claimedAt: Date | null
  writtenAt: Date | null
}

const howTo = (id: number): string => `save content of ${OWN_CHARACTERS} or more characters with PUT /articles/${id}`

const plannedNote = (article: Claimable, by: Date | undefined, writer: boolean): string => {
  const how = howTo(article.id)
  if (article.claimedAt !== null)
    return 'The article is yours: it is published as you saved it, and may still be changed.'
  if (!writer) return `The plan has no writer: ${how} before the date; an empty article is not published.`
  if (article.writtenAt !== null)
    return `The service has written the article. To put your own text in its place, ${how}.`
  if (article.scheduledAt === null)
    return `The article has no date yet, so the writer does not take it. To write it yourself, ${how}.`
  if (by) return `To write the article yourself, ${how} before claim_by; after that the service’s writer may take it.`
  return `The service’s writer may take the article at any moment. Until then you can still claim it: ${how} now.`
}

const otherNote = (standing: Exclude<ReturnType<typeof standingOf>, 'Planned'>, id: number): string => {
  if (standing === 'Draft') return `A draft needs no claim: nobody else writes it. Save it with PUT /articles/${id}.`
  if (standing === 'Generating')
    return 'The service is writing the article at this moment; it can be changed when that has ended.'
  if (standing === 'Publishing') return 'The article is being published at this moment.'
  return `The article is published. Send edits with POST /articles/${id}/sync.`
}

/**
 * Returns the brief's words on the claim: a planned article may be claimed until the writer claims it.
 *
 * The writer does so from 72 hours before the date on. On plans without the `writer` an article may be claimed at any time.
 */
export const claimOffer = (article: Claimable, writer: boolean, now: Date) => {
  const standing = standingOf(article, now)
  const by = writer && article.scheduledAt ? claimBy(article.scheduledAt, now) : undefined
  return {
    claimable: standing === 'Planned',
    claim_by: by?.toISOString() ?? null,
    claimed: article.claimedAt !== null,
    note: standing === 'Planned' ? plannedNote(article, by, writer) : otherNote(standing, article.id),
  }
}
