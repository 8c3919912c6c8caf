/** Tries a minute of one address of the network, on all pages that people sign in by. */
export const BY_ADDRESS = { name: 'people.address', perMinute: 20 } as const

/** Mails a minute to one e-mail address. */
export const MAILS_TO = { name: 'people.mails', perMinute: 3 } as const

/** Tries of a password for an e-mail address a minute, on all pages together. */
export const PASSWORD_TRIES = { name: 'people.email', perMinute: 5 } as const
