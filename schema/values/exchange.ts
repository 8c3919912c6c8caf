/**
 * Where a link of the exchange stands: `Scheduled` from the save of its article until the live page was looked at, then
 * `Verified` or `Missing`; `Removed` when it was taken out or its article deleted.
 */
export const LINK_STATUSES = ['Scheduled', 'Verified', 'Missing', 'Removed'] as const
export type LinkStatus = (typeof LINK_STATUSES)[number]

/** Why a project's backlink credits changed. The giver earns what the receiver pays. */
export const LEDGER_REASONS = [
  'link_given',
  'link_received',
  'link_given_taken_back',
  'link_received_taken_back',
] as const
export type LedgerReason = (typeof LEDGER_REASONS)[number]
