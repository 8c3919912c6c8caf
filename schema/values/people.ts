/** What a person may do in an account: an owner everything, a member all but keys, plan and people. */
export const ROLES = ['owner', 'member'] as const
