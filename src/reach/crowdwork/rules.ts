import { invalidInput } from '../../platform/lib/errors.ts'
import type { LiveCampaign } from './port.ts'

/** States by which slots can be filtered. */
export const SLOT_STATUSES = ['NOTRATED', 'OK', 'NOK', 'REVISE'] as const

/** Defaults of a new campaign for fields that were not sent. */
export const DEFAULTS = { platform: 'microworkers', positions: 50, paymentCents: 15, minutes: 10, ttr: 3, speed: 300 }

/** Lease of a request on a campaign it makes, ms: longer than all its calls to the provider together. */
const LEASE_MS = 180_000
/** Delay until an unfinished campaign is checked, ms, in case its request crashed. */
const SETTLE_AFTER_MS = 300_000
/** Time in which a lost request may still reach the provider, ms. Nothing is sent again before it ends. */
const IN_FLIGHT_MS = 120_000
/** Time after which a campaign that cannot be found counts as not made, ms. */
export const FORGOTTEN_MS = 600_000

/** Time for which the same call gets a campaign that was found after the call ended without an answer, ms. */
export const OWED_MS = 86_400_000

/** Time for which equal calls that were told to repeat get the campaign, ms. It starts again with each of them. */
const REPEAT_MS = 600_000

/** Returns until when an equal call gets the campaign of a call that was told to repeat. */
export const repeatUntil = (now: Date): Date => new Date(now.getTime() + REPEAT_MS)

/** Returns the end of a lease that begins now. */
export const leaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS)
/** Returns when the job looks up a campaign whose call ended without an answer. */
export const settleAt = (now: Date, scale: number): Date => new Date(now.getTime() + LEASE_MS + SETTLE_AFTER_MS / scale)

/** True if a request sent at an instant may still be on its way. */
export const isInFlight = (sentAt: Date, now: Date, scale: number): boolean =>
  now.getTime() - sentAt.getTime() < IN_FLIGHT_MS / scale

/** Returns the first instant of a month (`YYYY-MM`, UTC), and of the month after it. */
export const monthOf = (month: string): { start: Date; end: Date } => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { start: new Date(Date.UTC(year, number - 1, 1)), end: new Date(Date.UTC(year, number, 1)) }
}

/** Returns the month of an instant as `YYYY-MM` (UTC). */
export const monthAt = (now: Date): string => now.toISOString().slice(0, 7)

/** Returns a mark by which a campaign is found again at the provider. */
export const markOf = (id: string): string => `gly-${id.replaceAll('-', '').slice(0, 16)}`

/** Returns the mark in the text of a campaign; undefined if it has none. */
export const markIn = (text: string): string | undefined => /\bgly-[0-9a-f]{16}\b/.exec(text)?.[0]

/** Returns the description with the mark at its end. */
export const marked = (description: string, mark: string): string => `${description}\n\nReference: ${mark}`

/** Throws 400 if an account's first campaign has more than one position. A mistake in it then costs one payment. */
export const checkFirst = (provider: string, positions: number = DEFAULTS.positions): void => {
  if (positions === 1) return
  const message = `must be 1 for the first campaign of an account. ${provider} does not document how it answers to a new campaign, so the first one is a trial. Once it is created or refused, campaigns may have up to 1000 positions.`
  throw invalidInput([{ field: 'available_positions', message }])
}

/**
 * Returns the number of a campaign's slots in a state, from its counts. Without a state, it counts all slots that workers took.
 */
export const slotTotal = ({ slots }: LiveCampaign, status: (typeof SLOT_STATUSES)[number] | undefined): number => {
  const { untaken: _, ...taken } = slots
  if (status === undefined) return Object.values(taken).reduce((sum, count) => sum + count, 0)
  return { NOTRATED: slots.not_rated, OK: slots.ok, NOK: slots.nok, REVISE: slots.revise }[status]
}
