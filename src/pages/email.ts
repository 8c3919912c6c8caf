import * as z from 'zod/mini'

/** Addresses that better-auth accepts, too: it throws for others. */
const Email = z.email().check(z.maxLength(254))

/** The e-mail address of a form, in lower case; undefined where it is none. */
export const emailIn = (fields: Record<string, string>): string | undefined =>
  Email.safeParse((fields.email ?? '').trim().toLowerCase()).data
