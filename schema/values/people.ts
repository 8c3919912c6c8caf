/** Roles in an account: an owner may do everything, a member all but people, plan, export and deletion. */
export const ROLES = ['owner', 'member'] as const
export const EXPORT_STATES = ['making', 'ready', 'failed'] as const
export type Role = (typeof ROLES)[number]
