/** Google's words for one to five stars. */
export const STARS = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE']
const SAID = [
  'Dry and level, as promised.',
  'Came a week late.',
  undefined,
  'The door sticks.',
  'Best shed in the street.',
]
const WHO = ['Ada', 'Bram', 'Chen', 'Dina', 'Emil', 'Fenna', 'Goran']

/** Fields of a review, except its name, at Google and at services that pass Google's reviews on. */
export type SampleReview = {
  reviewer: { displayName: string }
  starRating: string
  comment?: string
  createTime: string
  updateTime: string
  reviewReply?: { comment: string; updateTime: string }
}

/**
 * Returns `count` reviews of a new profile, newest first, one a day. Every third has a reply, and some have no text.
 */
export const sampleReviews = (count: number): SampleReview[] =>
  Array.from({ length: count }, (_, n) => {
    const at = new Date(Date.UTC(2026, 9, 31) - n * 86_400_000).toISOString()
    const comment = SAID[n % SAID.length]
    return {
      reviewer: { displayName: WHO[n % WHO.length] ?? '' },
      starRating: STARS[(n * 2) % 5] ?? '',
      ...(comment ? { comment } : {}),
      createTime: at,
      updateTime: at,
      ...(n % 3 === 2 ? { reviewReply: { comment: 'Thank you!', updateTime: at } } : {}),
    }
  })
