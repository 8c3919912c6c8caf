import * as z from 'zod/mini'

/** Addresses that better-auth accepts, too: it throws for others. */
const Email = z.email().check(z.maxLength(254))

/** Returns the e-mail address of a form, in lower case; undefined if it is none. */
export const emailIn = (fields: Record<string, string>): string | undefined =>
  Email.safeParse((fields.email ?? '').trim().toLowerCase()).data
