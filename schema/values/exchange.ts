/**
 * States of a link of the exchange.
 *
 * `Scheduled` from the save of its article until the live page was checked, then `Verified` or `Missing`; `Removed` when it was
 * removed or its article deleted.
 */
export const LINK_STATUSES = ['Scheduled', 'Verified', 'Missing', 'Removed'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/**
 * Reasons for changes of a project's backlink credits. The giver earns what the receiver pays.
 *
 * `reserved` sets a credit aside for a link an article is committed to, `reservation_ended` gives it back; `lifted_to_zero`
 * ended the negative balances there were before.
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

/** Reasons for which a link to a project of the exchange counts for nobody. */
export const UNCOUNTED_REASONS = ['no_credits', 'monthly_limit', 'competitor'] as const
export type UncountedReason = (typeof UNCOUNTED_REASONS)[number]
