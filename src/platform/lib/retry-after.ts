const MAX_RETRY_AFTER_S = 3_600

/** Returns a Retry-After of at most an hour, in seconds (RFC 9110: seconds or an HTTP date); undefined without one. */
export const retryAfterOf = (headers: Headers, now: Date): number | undefined => {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  // Engines read almost anything as a date, "1.5" for one; every HTTP date begins with a weekday.
  const date = /^[A-Z][a-z]{2,8},? /.test(value) ? Date.parse(value) : Number.NaN
  const seconds = /^\d+$/.test(value) ? Number(value) : (date - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(MAX_RETRY_AFTER_S, Math.max(0, Math.ceil(seconds))) : undefined
}
