const WORDS = 1_200

/** Words an article of a style should have; other styles: 1,200. */
const WORDS_BY_STYLE: Record<string, number> = {
  News: 800,
  Casual: 1_000,
  Listicle: 1_500,
  'How-To': 1_500,
  Review: 1_500,
  Comparison: 1_800,
  Technical: 2_000,
  Resources: 2_500,
}

/** How many words an article of this style should have. */
export const wordTarget = (articleStyle: string): number => WORDS_BY_STYLE[articleStyle] ?? WORDS
