/**
 * States of a link of the exchange.
 *
 * `Scheduled` from the save of its article until the check of the live page, then `Verified` or `Missing`. `Removed`
 * after the
 * link was removed or its article deleted.
 */
export const LINK_STATUSES = ['Scheduled', 'Verified', 'Missing', 'Removed'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/**
 * Reasons for changes of a project's backlink credits. The giver earns what the receiver pays.
 *
 * `reserved` sets a credit aside for a link that an article must have, and `reservation_ended` gives it back.
 * `lifted_to_zero`
 * ended the negative balances of earlier releases.
 */
export const LEDGER_REASONS = [
  'welcome',
  'lifted_to_zero',
  'reserved',
  'reservation_ended',
  'link_given',
  'link_received',
  'link_given_taken_back',
  'link_received_taken_back',
] as const
export type LedgerReason = (typeof LEDGER_REASONS)[number]

/** Reasons for which a link to a project of the exchange earns and costs nothing. */
export const UNCOUNTED_REASONS = ['no_credits', 'monthly_limit', 'competitor'] as const
export type UncountedReason = (typeof UNCOUNTED_REASONS)[number]
