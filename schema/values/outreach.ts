/** The kinds of rows an outreach mirror holds, as the sync's body names them. */
export const OUTREACH_KINDS = ['persons', 'identities', 'leads', 'actions', 'suppressions'] as const
export type OutreachKind = (typeof OUTREACH_KINDS)[number]

/** Targets of a suppression. */
export const SUPPRESSION_KINDS = ['email', 'domain', 'person'] as const
