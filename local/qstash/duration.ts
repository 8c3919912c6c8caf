const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration such as `10s`, `1d2h3m` or `6m5s`, or a bare number of seconds, in milliseconds; undefined if neither. */
export const parseDuration = (text: string): number | undefined => {
  const given = text.trim()
  if (/^\d+(\.\d+)?$/.test(given)) return Number(given) * 1_000
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(given)) return undefined
  let total = 0
  for (const [, amount, unit] of given.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (unitMs[unit ?? ''] ?? 0)
  }
  return total
}

/**
 * The wait an endpoint asks for in `Retry-After` or `X-RateLimit-Reset` (seconds, `6m5s` or an HTTP date), in
 * milliseconds from `now`; undefined when the text is none of these.
 */
export const parseWait = (text: string, now: number): number | undefined => {
  const duration = parseDuration(text)
  if (duration !== undefined) return duration
  // Date.parse takes almost any text with a number in it; every HTTP date has a time of day.
  const date = /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
