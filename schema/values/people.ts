/**
 * Roles in an account: an owner may do everything, a member all but people, plan, export and deletion. An editor works on one project;
 * a client reads one and decides what waits for approval there.
 */
export const ROLES = ['owner', 'member', 'editor', 'client'] as const
/** Roles that are limited to one project. */
export const PROJECT_ROLES = ['editor', 'client'] as const satisfies readonly Role[]
/** Faults of mails to a person, as the mail provider reports them. */
export const MAIL_FAULTS = ['bounced', 'complained', 'suppressed'] as const
export type MailFault = (typeof MAIL_FAULTS)[number]

export const EXPORT_STATES = ['making', 'ready', 'failed'] as const
export type Role = (typeof ROLES)[number]
