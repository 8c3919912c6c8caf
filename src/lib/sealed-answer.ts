import { type KeyRing, seal, unseal } from './crypto.ts'

const MARK = 'sealed:'

/** An answer that holds a secret, as it may be kept for replays: sealed, never in plain text. */
export const sealedAnswer = async (ring: KeyRing, body: unknown): Promise<string> =>
  `${MARK}${await seal(ring, JSON.stringify(body))}`

/** A kept answer as it was given. Throws when it was sealed with a key that is gone. */
export const openAnswer = async (ring: KeyRing, kept: string): Promise<string> =>
  kept.startsWith(MARK) ? await unseal(ring, kept.slice(MARK.length)) : kept
