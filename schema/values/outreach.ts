/** Kinds of rows in an outreach mirror, by their names in the body of a sync. */
export const OUTREACH_KINDS = ['persons', 'identities', 'leads', 'actions', 'suppressions'] as const
export type OutreachKind = (typeof OUTREACH_KINDS)[number]

/** Targets of a suppression. */
export const SUPPRESSION_KINDS = ['email', 'domain', 'person'] as const
