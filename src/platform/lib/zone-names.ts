const LOWER = new Set(['of', 'es', 'au'])
const UPPER =
  /^(gmt([+-]?\d+)?|utc|uct|[ech]et|met|wet|[ehm]st|[ecmp]st\d[ecmp]dt|prc|ro[ck]|gb|nz|us|act|lhi|nsw|w|su|in|chat)$/
const MIXED = ['McMurdo', 'DumontDUrville', 'BajaNorte', 'BajaSur', 'EasterIsland', 'DeNoronha']

const spelled = (word: string): string => {
  const low = word.toLowerCase()
  if (LOWER.has(low)) return low
  if (UPPER.test(low)) return low.toUpperCase()
  return MIXED.find((name) => name.toLowerCase() === low) ?? low.charAt(0).toUpperCase() + low.slice(1)
}

/**
 * Returns the name of a time zone in IANA's spelling, from any spelling: `europe/BERLIN` is `Europe/Berlin`.
 *
 * The runtime's own name cannot be used: it turns names into older ones (`Asia/Kolkata` into `Asia/Calcutta`).
 */
export const zoneName = (given: string): string =>
  given
    .split('/')
    .map((part) =>
      part
        .split(/([_-])/)
        .map(spelled)
        .join(''),
    )
    .join('/')
