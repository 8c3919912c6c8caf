import { ApiError } from '../platform/lib/errors.ts'
import { createLocalWindow } from '../platform/lib/window.ts'

const PER_MINUTE = 30
const MAX_ADDRESSES = 10_000

const tooMany = (seconds: number): ApiError =>
  new ApiError(
    'rate_limited',
    `Too many requests with a missing or invalid access token or API key from this address. The limit is ${PER_MINUTE} a minute; repeat after ${seconds} s.`,
    { retry_after: seconds, policy: 'unauthorized' },
  )

/**
 * Counts in this isolate what addresses were refused (401), as the endpoints do for API keys. Both throw 429: `judge` for an
 * address past its limit, before anybody is asked; `count` for the refusal that is one too many.
 */
export const refusedAddresses = (now: () => Date) => {
  const window = createLocalWindow(PER_MINUTE, 60_000)
  const closedUntil = new Map<string, number>()

  const judge = (address: string): void => {
    const leftMs = (closedUntil.get(address) ?? 0) - now().getTime()
    if (leftMs > 0) throw tooMany(Math.ceil(leftMs / 1000))
  }

  const count = (address: string): void => {
    judge(address)
    const { allowed, remaining, resetS } = window.take(address, now().getTime())
    if (closedUntil.size >= MAX_ADDRESSES) closedUntil.clear()
    if (remaining === 0) closedUntil.set(address, now().getTime() + resetS * 1000)
    if (!allowed) throw tooMany(resetS)
  }

  return { judge, count }
}
