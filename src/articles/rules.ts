/** Content of this many characters, as sent, makes a planned article the caller's own. */
export const CLAIM_CHARACTERS = 2_000

/** Whether saved content claims a planned article, with the sentence for the caller when it does not. */
export const claimOf = (content: string): { claimed: boolean; claim_note?: string } =>
  content.length >= CLAIM_CHARACTERS
    ? { claimed: true }
    : {
        claimed: false,
        claim_note: `Content of ${content.length} characters was saved but does not claim the article: that takes ${CLAIM_CHARACTERS} or more.`,
      }

/** Statuses in which the caller may change or delete an article. */
export const EDITABLE = ['Draft', 'Planned'] as const
