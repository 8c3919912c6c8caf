/** Content of this many characters, as sent, makes a planned article the caller's own. */
const CLAIM_CHARACTERS = 2_000

/** Whether saved content claims a planned article, with the sentence for the caller when it does not. */
export const claimOf = (content: string): { claimed: boolean; claim_note?: string } =>
  content.length >= CLAIM_CHARACTERS
    ? { claimed: true }
    : {
        claimed: false,
        claim_note: `Content of ${content.length} characters was saved but does not claim the article: that takes ${CLAIM_CHARACTERS} or more.`,
      }

/** Whether an article with this content, as sent, is the caller's own: the writer leaves a planned one alone then. */
export const isClaimed = (status: string, content: string): boolean =>
  status === 'Planned' && content.length >= CLAIM_CHARACTERS
