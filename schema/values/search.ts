/**
 * Reasons for which search data cannot be fetched until a person acts.
 *
 * - the grant was withdrawn
 * - it does not include Search Console
 * - the Google account may not see the property
 * - Search Console's interface is off for this service
 * - Google refused the query
 */
export const SEARCH_FAILURES = ['revoked', 'scope', 'forbidden', 'disabled', 'invalid'] as const
export type SearchFailure = (typeof SEARCH_FAILURES)[number]
