/** Attempts a minute from one IP address, on all sign-in pages together. */
export const BY_ADDRESS = { name: 'people.address', perMinute: 20 } as const

/** Mails a minute to one e-mail address. */
export const MAILS_TO = { name: 'people.mails', perMinute: 3 } as const

/** Password attempts a minute for one e-mail address, on all pages together. */
export const PASSWORD_TRIES = { name: 'people.email', perMinute: 5 } as const
