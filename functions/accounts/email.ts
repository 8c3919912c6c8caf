const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/

/** The e-mail address of a form, in lower case; undefined where it is none. */
export const emailIn = (fields: Record<string, string>): string | undefined => {
  const email = (fields.email ?? '').trim().toLowerCase()
  return email.length <= 254 && EMAIL.test(email) ? email : undefined
}
